import { readFileSync } from "node:fs";
import { initSync } from "./full/interpolate.js";

const file = new URL("./full/interpolate_bg.wasm", import.meta.url);
initSync({ module: readFileSync(file) });

export * from "./full/interpolate.js";
