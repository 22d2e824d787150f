// The cases of the program that the engine for JavaScript can run: its answers are the same.

import assert from "node:assert/strict";
import { test } from "node:test";

import { put as putEvaluated } from "../npm/full-node.js";
import { diff, patch, put } from "../npm/node.js";
import { archives } from "./archive.mjs";

/** Checks each case of a folder that fits, and that there are some. */
function each(folder, fits, check) {
  const cases = archives(folder).filter((it) => !it.links && fits(it.files));
  test(`fixtures/${folder}: ${cases.length} cases`, () => {
    assert.ok(cases.length > 20);
    for (const { name, files } of cases) {
      try {
        check(files, name);
      } catch (error) {
        error.message = `${name}: ${error.message}`;
        throw error;
      }
    }
  });
}

function compare(files, run, expected) {
  if (files.has(expected)) {
    assert.equal(run(), files.get(expected));
    return;
  }
  const error = caught(run);
  // The program ends its report with a line about all ops, and with advice about options.
  for (const { severity, message, places } of error.problems) {
    assert.ok(files.get("error.txt").includes(`${severity}: ${message.split("\n")[0]}`), message);
    for (const { name, line, column } of places.slice(0, 1)) {
      assert.ok(files.get("error.txt").includes(`--> ${name}:${line}:${column}\n`));
    }
  }
}

function caught(run) {
  try {
    run();
  } catch (error) {
    assert.equal(error.name, "InterpolateError", error.stack);
    assert.equal(error.message, error.problems.map(({ message }) => message).join("\n"));
    return error;
  }
  throw new Error("it does not fail");
}

each("patch", () => true, (files) => {
  const ops = { name: "ops.yml", text: files.get("ops.yml") };
  compare(files, () => patch(files.get("base.yml"), ops), "out.yml");
});

each("merge", (files) => !files.has("args"), (files) => {
  const known = ["", "out.yml", "error.txt"];
  const included = [...files].filter(([name]) => !known.includes(name));
  const options = { files: Object.fromEntries(included) };
  compare(files, () => patch(files.get("base.yml"), [], options), "out.yml");
});

each("diff", () => true, (files, name) => {
  const options = name.endsWith("-go") ? { dialect: "go" } : {};
  const found = diff(files.get("old.yml"), files.get("new.yml"), options);
  assert.equal(found, files.get("ops.yml"));
});

const fitsMuseum = (files) => /^(--anchors|--where|$)/.test(files.get("args") ?? "");

each("museum", fitsMuseum, (files) => {
  const words = (files.get("args") ?? "").trim().split(" ");
  const options = words.length === 2 ? { [words[0].slice(2)]: words[1] } : {};
  const run = () =>
    files.has("edited")
      ? put(files.get("before"), files.get("edited"), options).text
      : patch(files.get("before"), { name: "patch", text: files.get("patch") }, options);
  if (files.has("after")) return assert.equal(run(), files.get("after"));
  assert.ok(caught(run).rendered.includes(files.get("error").trim()));
});

/** Returns the options of `put` for those of a case of `save`; nothing for other ones. */
function optionsOf(files) {
  const words = (files.get("options") ?? "").trim().split(/\s+/);
  const options = { files: Object.fromEntries(files), variables: [], evaluate: false };
  while (words.length > 0) {
    const word = words.shift();
    if (word === "-v") options.variables.push(words.shift().replace("=", ": "));
    else if (word === "-l") options.variables.push(files.get(words.shift()));
    else if (word === "--eval") options.evaluate = true;
    else if (word === "--all-documents") options.allDocuments = true;
    else if (word !== "--explain-save") return undefined;
  }
  return options.variables.length > 0 || options.evaluate ? options : undefined;
}

each("save", (files) => optionsOf(files) !== undefined, (files) => {
  const options = optionsOf(files);
  const edited = { name: "edited.yml", text: files.get("edited.yml") };
  const run = () => putEvaluated(files.get("source.yml"), edited, options).text;
  if (files.has("out.yml")) return assert.equal(run(), files.get("out.yml"));
  caught(run);
});
