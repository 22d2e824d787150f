import start from "./engine/interpolate.js";

await start();

export * from "./engine/interpolate.js";
