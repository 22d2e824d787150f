#!/usr/bin/env node
// Patches files with the engine: it reads them, calls it, and prints or writes the result.

import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { getAll, patch } from "../node.js";

const HELP = `Usage: interpolate BASE [-o FILE]... [OPTIONS]

Patches a YAML document, and keeps every byte that it was not asked to change.
BASE - is standard input.

  -o, --ops-file FILE       an ops-file, a JSON Patch or an OpenAPI Overlay
      --merge FILE          a JSON Merge Patch
      --set PATH=VALUE      sets a value
      --set-string PATH=TEXT
      --append PATH=VALUE   appends an item, unless it is there
      --rm PATH             removes a value
      --mv FROM=TO          moves a value
      --cp FROM=TO          copies a value
      --where SELECTOR      patches these documents of a stream: kind=Deployment
      --all-documents       patches all documents of a stream
      --anchors WHAT        of edited anchors: copy, follow or refuse
  -l, --vars-file FILE      values of ((names))
      --schema NAME         core, go or yaml-1.1
      --path PATH           prints the value at a path of the result, as JSON
  -i, --in-place            writes BASE
  -h, --help
      --version
`;

const text = { type: "string", multiple: true };
const known = {
  "ops-file": { ...text, short: "o" },
  merge: text,
  set: text,
  "set-string": text,
  append: text,
  rm: text,
  mv: text,
  cp: text,
  where: { type: "string" },
  "all-documents": { type: "boolean" },
  anchors: { type: "string" },
  "vars-file": { ...text, short: "l" },
  schema: { type: "string" },
  path: { type: "string" },
  "in-place": { type: "boolean", short: "i" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
};

/** The patches, in the order of the command line. */
const patches = {
  "ops-file": (file) => named(file),
  merge: (file) => ({ ...named(file), as: "merge" }),
};
for (const verb of ["set", "set-string", "append", "rm", "mv", "cp"]) {
  patches[verb] = (argument) => ({ text: argument, as: verb });
}

// A byte that is no text would be replaced, and a byte order mark removed.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a file. One that is not UTF-8 is refused: it could not be written back. */
function named(file) {
  const bytes = readFileSync(file === "-" ? 0 : file);
  try {
    return { name: file, text: utf8.decode(bytes) };
  } catch {
    throw new Error(`'${file}' is not UTF-8`);
  }
}

function main() {
  const { values, positionals, tokens } = parseArgs({
    options: known,
    allowPositionals: true,
    tokens: true,
  });
  if (values.help) return print(HELP);
  if (values.version) {
    const file = new URL("../package.json", import.meta.url);
    return print(`interpolate ${JSON.parse(readFileSync(file, "utf8")).version}\n`);
  }
  const [base, ...more] = positionals;
  if (base === undefined || more.length > 0) throw usage("it takes one BASE");
  const given = tokens.filter(({ name }) => name in patches);
  const options = {
    dialect: values.schema,
    where: values.where,
    anchors: values.anchors,
    allDocuments: values["all-documents"] ?? false,
    variables: (values["vars-file"] ?? []).map(named),
  };
  const ops = given.map(({ name, value }) => patches[name](value));
  if (values.path !== undefined) {
    const found = getAll(named(base), ops, values.path, options);
    return print(found.map((value) => `${JSON.stringify(value, null, 2)}\n`).join(""));
  }
  const result = patch(named(base), ops, options);
  if (values["in-place"]) return write(base, result);
  print(result);
}

function print(text) {
  writeFileSync(1, text);
}

/** Writes a file, or what a link leads to, so that a failure leaves the old one. */
function write(name, text) {
  if (name === "-") throw usage("standard input cannot be written");
  const file = realpathSync(name);
  const stat = statSync(file);
  if (!stat.isFile()) throw new Error(`'${name}' is not a file that can be written`);
  const beside = join(dirname(file), `.interpolate-${randomUUID()}`);
  try {
    fill(beside, text, stat.mode & 0o777);
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Writes a new file, which nobody else can read before it has its mode. */
function fill(file, text, mode) {
  const opened = openSync(file, "wx", 0o600);
  try {
    writeFileSync(opened, text);
    fchmodSync(opened, mode);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function usage(message) {
  return Object.assign(new TypeError(message), { code: "ERR_PARSE_ARGS" });
}

try {
  main();
} catch (error) {
  const isUsage = String(error.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${error.rendered ?? `error: ${error.message}`}\n`);
  if (isUsage) process.stderr.write("interpolate --help lists the options\n");
  process.exitCode = isUsage || error.syscall !== undefined ? 2 : 1;
}
