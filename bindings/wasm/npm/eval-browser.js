import start from "./eval/interpolate.js";

await start();

export * from "./eval/interpolate.js";
