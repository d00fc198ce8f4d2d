// kddx.js: what an application imports, and what the files beside it take of it.
export * from "./core.ts";
export * from "./index.ts";
