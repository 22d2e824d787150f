// The recipes of the cookbook that the command can run: it prints and writes what they show.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { root } from "./archive.mjs";

const command = fileURLToPath(new URL("../npm/bin/interpolate.js", import.meta.url));
const recipes = fileURLToPath(new URL("ops/", root));

/** Options that the command does not have, commands of the program, and included files. */
const others = /^interpolate [a-z]+ |--(diff|var-errs)|-v |\+include/;

const folders = readdirSync(recipes, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(recipes, name))
  .filter((folder) => {
    const texts = readdirSync(folder).filter((name) => /^cmd$|\.ya?ml$/.test(name));
    return texts.every((name) => !others.test(readFileSync(join(folder, name), "utf8")));
  });

test(`ops: ${folders.length} recipes`, () => {
  assert.ok(folders.length > 20);
  folders.forEach(check);
});

function check(recipe) {
  const folder = mkdtempSync(join(tmpdir(), "recipe-"));
  try {
    cpSync(recipe, folder, { recursive: true });
    const words = split(readFileSync(join(recipe, "cmd"), "utf8").trim());
    const done = spawnSync(process.execPath, [command, ...words.slice(1)], {
      cwd: folder,
      encoding: "utf8",
    });
    const shown = (name) =>
      existsSync(join(recipe, name)) ? readFileSync(join(recipe, name), "utf8") : undefined;
    assert.equal(done.stdout, shown("stdout") ?? "", `${recipe}: ${done.stderr}`);
    assert.equal(done.status, Number(shown("code") ?? 0), `${recipe}: ${done.stderr}`);
    const written = existsSync(join(recipe, "after")) ? readdirSync(join(recipe, "after")) : [];
    for (const name of written) {
      assert.equal(readFileSync(join(folder, name), "utf8"), shown(join("after", name)), recipe);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Splits a command line at spaces, with single quotes. */
function split(line) {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));
}
