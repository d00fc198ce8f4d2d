// Component and reader in one script, for pages that are opened from a folder and cannot import modules.
import "./modules.js";
import "./element.ts";
