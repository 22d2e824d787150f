import { readFileSync } from "node:fs";
import { initSync } from "./eval/interpolate.js";

const file = new URL("./eval/interpolate_bg.wasm", import.meta.url);
initSync({ module: readFileSync(file) });

export * from "./eval/interpolate.js";
