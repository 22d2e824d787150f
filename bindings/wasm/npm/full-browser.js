import start from "./full/interpolate.js";

await start();

export * from "./full/interpolate.js";
