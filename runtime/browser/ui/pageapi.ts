// The API as the component looks for it (backend.ts): the page of kddq serve has it in its own bundle.
import * as api from "./api.ts";

const world = globalThis as { kddxModules?: Record<string, unknown> };
(world.kddxModules ??= {})["./api.js"] = api;
