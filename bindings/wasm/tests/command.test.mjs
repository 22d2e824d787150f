// The command: what it reads, prints and writes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../npm/bin/interpolate.js", import.meta.url));

/** Calls a function with a new folder, which has these files. */
function inside(files, check) {
  const folder = fs.mkdtempSync(join(tmpdir(), "command-"));
  try {
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(join(folder, name), content);
    check(folder, (...words) => run(folder, words));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function run(folder, words, options = {}) {
  return spawnSync(process.execPath, [command, ...words], { cwd: folder, encoding: "utf8", ...options });
}

test("a file that is not UTF-8 is refused, and stays", () => {
  const utf16 = Buffer.from("\ufeffa: 1\n", "utf16le");
  const files = { "latin.yml": Buffer.from("a: \xe9\n", "latin1"), "utf16.yml": utf16, "base.yml": "a: 1\n" };
  inside(files, (folder, run) => {
    for (const name of ["latin.yml", "utf16.yml"]) {
      for (const words of [[name, "--set", "a=2", "-i"], ["base.yml", "-i", "--merge", name]]) {
        const done = run(...words);
        assert.equal(done.status, 1);
        assert.equal(done.stderr, `error: '${name}' is not UTF-8\n`);
      }
    }
    for (const [name, content] of Object.entries(files)) {
      assert.deepEqual(fs.readFileSync(join(folder, name)), Buffer.from(content));
    }
    const done = spawnSync(process.execPath, [command, "-"], { input: Buffer.from([0xe9]), encoding: "utf8" });
    assert.equal(done.stderr, "error: '-' is not UTF-8\n");
  });
});

test("a byte order mark stays", () => {
  inside({ "base.yml": "\ufeffa: 1   # é\n" }, (folder, run) => {
    assert.equal(run("base.yml", "--set", "a=2", "-i").status, 0);
    assert.equal(fs.readFileSync(join(folder, "base.yml"), "utf8"), "\ufeffa: 2   # é\n");
  });
});

test("-i writes what a link leads to, and keeps the mode", () => {
  inside({ "real.yml": "a: 1\n" }, (folder) => {
    fs.chmodSync(join(folder, "real.yml"), 0o664);
    fs.symlinkSync("real.yml", join(folder, "link.yml"));
    const mask = process.umask(0o077);
    try {
      const done = run(folder, ["link.yml", "--set", "a=2", "-i"]);
      assert.equal(done.stderr, "");
    } finally {
      process.umask(mask);
    }
    assert.ok(fs.lstatSync(join(folder, "link.yml")).isSymbolicLink());
    assert.equal(fs.readFileSync(join(folder, "real.yml"), "utf8"), "a: 2\n");
    assert.equal(fs.statSync(join(folder, "real.yml")).mode & 0o7777, 0o664);
    assert.deepEqual(fs.readdirSync(folder).sort(), ["link.yml", "real.yml"]);
  });
});

test("-i leaves no file behind if it fails", () => {
  const failing = `import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.renameSync = (from) => {
      fs.statSync(from);
      throw Object.assign(new Error("the disk is gone"), { syscall: "rename" });
    };
    syncBuiltinESMExports();`;
  inside({ "base.yml": "a: 1\n" }, (folder) => {
    const words = ["--import", `data:text/javascript,${encodeURIComponent(failing)}`, command];
    const done = spawnSync(process.execPath, [...words, "base.yml", "--set", "a=2", "-i"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(done.stderr, "error: the disk is gone\n");
    assert.equal(done.status, 2);
    assert.deepEqual(fs.readdirSync(folder), ["base.yml"]);
    assert.equal(fs.readFileSync(join(folder, "base.yml"), "utf8"), "a: 1\n");
  });
});

test("-i writes files only", () => {
  inside({}, (folder) => {
    const pipe = 'mkfifo pipe; echo "a: 1" >pipe & exec "$@"';
    const words = ["-c", pipe, "sh", process.execPath, command, "pipe", "--set", "a=2", "-i"];
    const done = spawnSync("sh", words, { cwd: folder, encoding: "utf8" });
    assert.equal(done.stderr, "error: 'pipe' is not a file that can be written\n");
    assert.equal(done.status, 1);
    assert.deepEqual(fs.readdirSync(folder), ["pipe"]);
    assert.equal(run(folder, ["-", "-i"], { input: "a: 1\n" }).status, 2);
  });
});

test("--path reads the result by the options", () => {
  const stream = "kind: A\na: yes\n---\nkind: B\na: no\n---\nkind: B\na: {b: 1}\n";
  inside({ "base.yml": stream }, (folder, run) => {
    const printed = (...words) => run("base.yml", "--path", "/a", ...words).stdout;
    assert.equal(printed(), '"yes"\n');
    assert.equal(printed("--schema", "yaml-1.1"), "true\n");
    assert.equal(printed("--where", "kind=B", "--schema", "yaml-1.1"), 'false\n{\n  "b": 1\n}\n');
    assert.equal(printed("--where", "kind=A", "--set", "kind=C", "--set", "a=5"), "5\n");
    assert.equal(printed("--all-documents"), '"yes"\n"no"\n{\n  "b": 1\n}\n');
    const ops = "- {type: replace, path: /a, value: 7, where: \"@.a == 'no'\"}\n";
    fs.writeFileSync(join(folder, "ops.yml"), ops);
    assert.equal(printed("-o", "ops.yml"), "7\n");
  });
});
