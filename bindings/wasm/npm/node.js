import { readFileSync } from "node:fs";
import { initSync } from "./engine/interpolate.js";

const file = new URL("./engine/interpolate_bg.wasm", import.meta.url);
initSync({ module: readFileSync(file) });

export * from "./engine/interpolate.js";
