// Tests of each function of the engine: its result and its errors.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as full from "../npm/full-node.js";
import * as engine from "../npm/node.js";
import { root } from "./archive.mjs";

const { diff, explain, get, getAll, lines, merge, patch, put } = engine;

function read(recipe, name) {
  const text = readFileSync(new URL(`ops/${recipe}/${name}`, root), "utf8");
  return { name, text };
}

test("patch takes patches of all languages, in their order", () => {
  const base = "image: {tag: 1.9}   # ours\nhosts: [a]\n";
  const patches = [
    "- {type: replace, path: /image/tag, value: 1.10}",
    '[{"op": "add", "path": "/hosts/-", "value": "b"}]',
    { text: "image: {pull: Always}", as: "merge" },
    { text: "image.size=3", as: "set" },
    { text: "image.note=4", as: "set-string" },
    { text: "hosts=c", as: "append" },
    { text: "image.tag", as: "rm" },
    { text: "image.size=size", as: "mv" },
    { text: "size=copy", as: "cp" },
  ];
  const expected = 'image: {pull: Always, note: "4"}   # ours\nhosts: [a, b, c]\nsize: 3\ncopy: 3\n';
  assert.deepEqual(get(patch(base, patches), ""), get(expected, ""));
  assert.match(patch(base, patches), /# ours/);
});

test("options choose documents, variables, files, aliases and the dialect", () => {
  const stream = "kind: A\nn: 1\n---\nkind: B\nn: 1\n";
  const ops = "- {type: replace, path: /n, value: 2}";
  assert.equal(patch(stream, ops), stream.replace("n: 1", "n: 2"));
  assert.equal(patch(stream, ops, { allDocuments: true }), stream.replaceAll("n: 1", "n: 2"));
  assert.equal(patch(stream, ops, { where: "kind=B" }), "kind: A\nn: 1\n---\nkind: B\nn: 2\n");
  assert.equal(patch("a: ((b))\n", [], { variables: "b: 5\n" }), "a: 5\n");
  const files = { "x.yml": "a: 1\n" };
  assert.equal(patch("b: {+include: x.yml}\n", [], { files }), "b:\n  a: 1\n");
  assert.equal(patch("b: {+include: x.yml}\n", [], { directives: false }), "b: {+include: x.yml}\n");
  const anchors = "a: &a {n: 1}\nb: *a\n";
  const change = "- {type: replace, path: /a/n, value: 2}";
  assert.equal(patch(anchors, change, { anchors: "follow" }), "a: &a {n: 2}\nb: *a\n");
  assert.equal(get("a: yes\n", "/a", { dialect: "yaml-1.1" }), true);
  assert.equal(get("a: yes\n", "/a"), "yes");
  const refused = (message) => ({ name: "TypeError", message });
  const dialects = /core, go or yaml-1\.1, not 'yaml-3'/;
  assert.throws(() => patch("a: 1\n", [], { dialect: "yaml-3" }), refused(dialects));
  assert.throws(() => patch("a: 1\n", [], { anchors: "keep" }), refused(/copy, follow or refuse, not 'keep'/));
  assert.throws(() => patch("a: 1\n", { text: "", as: "remove" }), refused(/'remove' is none of set, .*patch nor merge/));
  assert.throws(() => patch("a: 1\n", [{ name: "x" }]), TypeError);
});

test("a job is for all documents that the options choose", () => {
  const stream = "kind: A\nn: ((n))\n---\nkind: B\nn: ((n))\n";
  const variables = "n: 5\n";
  const filled = stream.replaceAll("((n))", "5");
  assert.equal(patch(stream, [], { variables, allDocuments: true }), filled);
  assert.equal(patch(stream, [], { variables }), stream.replace("((n))", "5"));
  const second = stream.replace(/\(\(n\)\)(?!.*\(\(n\)\))/s, "5");
  assert.equal(patch(stream, [], { variables, where: "kind=B" }), second);
  const options = { allDocuments: true, evaluate: true };
  assert.equal(full.patch("a: '{{ 1 + 1 }}'\n---\nb: '{{ 2 + 2 }}'\n", [], options), "a: 2\n---\nb: 4\n");
});

test("get returns data", () => {
  const text = "jobs: [{name: web, azs: [z1, 2, true, ~, 1.5]}]\n";
  assert.deepEqual(get(text, "/jobs/name=web/azs"), ["z1", 2, true, null, 1.5]);
  assert.throws(() => get(text, "/jobs/name=wep"), { message: /exactly one matching/ });
  const stream = "n: yes\n---\nn: no\n";
  assert.equal(get(stream, "/n", { document: 1 }), "no");
  assert.throws(() => get(stream, "/n", { document: 2 }), { name: "InterpolateError" });
  const set = { text: "n=on", as: "set" };
  assert.deepEqual(getAll(stream, set, "/n"), ["on"]);
  const options = { dialect: "yaml-1.1", allDocuments: true };
  assert.deepEqual(getAll(stream, [], "/n", options), [true, false]);
});

test("an error has its places and its excerpt", () => {
  const base = { name: "manifest.yml", text: "jobs:\n- name: web\n" };
  const ops = { name: "scale.yml", text: "- type: replace\n  path: /jobs/name=wbe/n\n  value: 1\n" };
  assert.throws(() => patch(base, ops), (error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, "InterpolateError");
    assert.deepEqual(error.places.map(({ name, line, column }) => [name, line, column]), [
      ["scale.yml", 2, 14],
      ["manifest.yml", 1, 1],
    ]);
    assert.deepEqual(error.problems[0].hints, ["did you mean 'web'?"]);
    assert.match(error.rendered, /^error: .*\n *--> scale\.yml:2:14\n/);
    return true;
  });
  const argument = { text: "jobs[name=wbe].n.", as: "set" };
  assert.throws(() => patch(base, argument), { name: "InterpolateError" });
});

test("explain and lines tell who set a value", () => {
  const [base, scale, site] = ["deployment.yaml", "scale.yaml", "site.yaml"].map((name) =>
    read("explain", name),
  );
  const [place] = explain(base, [scale, site], "/spec/replicas");
  const shown = read("explain", "stdout").text.split("\n");
  assert.equal(place.value, shown[0]);
  const events = place.events.map(({ place: { name, line, column } }) => `${name}:${line}:${column}`);
  assert.deepEqual(events, shown.slice(1, -1).map((line) => line.trim().split(" ")[0]));
  const result = patch(base, [scale, site]);
  const told = lines(base, [scale, site]);
  assert.equal(told.map(({ text }) => `${text}\n`).join(""), result);
  const line = told.find(({ paths }) => paths.includes(place.path));
  assert.equal(line.origin.place.name, "site.yaml");
});

test("an argument is named as the cause", () => {
  const told = lines("a: 1\nb: 2\n", { text: "b=3", as: "set" });
  assert.deepEqual(told.map(({ origin }) => origin.place.name), ["base.yml", "--set"]);
});

test("explain finds places of any document", () => {
  const stream = "n: 1\n---\nm: 2\n";
  assert.equal(explain(stream, [], "/m", { document: 1 })[0].value, "2");
  assert.deepEqual(explain(stream, [], "/m"), []);
  assert.deepEqual(explain(stream, [], "/m", { document: 7 }), []);
});

test("check finds what is likely wrong", () => {
  const [found] = full.check("n: 1\n", "- {type: replace, path: /n, value: 1}\n");
  assert.equal(found.rule, "no-effect");
  assert.equal(found.severity, "warning");
});

test("put writes data back and keeps the rest", () => {
  const [base, edited] = [read("save-json", "inventory.yml"), read("save-json", "edited.json")];
  const data = JSON.stringify(JSON.parse(edited.text));
  assert.equal(put(base, data).text, read("save-json", "after/inventory.yml").text);
});

test("put keeps variables that have their value", () => {
  const base = "url: ((host)):80   # inside\nn: 1\n";
  const saved = put(base, "url: db:80\nn: 2\n", { variables: "host: db\n" });
  assert.equal(saved.text, "url: ((host)):80   # inside\nn: 2\n");
  assert.deepEqual(saved.notes, []);
});

test("merge merges by meaning, and marks conflicts", () => {
  const [base, ours, theirs] = ["base.yml", "ours.yml", "theirs.yml"].map((name) =>
    read("merge-branches", name),
  );
  const merged = merge(base, ours, theirs);
  assert.equal(merged.marked, read("merge-branches", "stdout").text);
  const conflict = merge("a: 1\n", "a: 2\n", "a: 3\n");
  assert.deepEqual(conflict.conflicts, [{ document: null, path: "/a" }]);
  assert.equal(conflict.text, "a: 2\n");
  assert.match(conflict.marked, /^<{7}/);
});

test("diff and patch are inverse", () => {
  const [old, edited] = [read("diff-as-ops", "manifest.yml"), read("diff-as-ops", "edited.yml")];
  const ops = diff(old, edited);
  assert.equal(ops, read("diff-as-ops", "stdout").text);
  assert.deepEqual(get(patch(old, ops), ""), get(edited, ""));
});

test("rebase mends ops-files", () => {
  const [old, next, site] = ["manifest-v1.yml", "manifest-v2.yml", "site.yml"].map((name) =>
    read("rebase-fix", name),
  );
  const { ops, files } = full.rebase(old, next, site);
  assert.equal(files["site.yml"], read("rebase-fix", "after/site.yml").text);
  assert.ok(ops.some(({ status, to }) => status === "moved" && to !== null));
});

test("the full engine evaluates templates", () => {
  const base = "name: shop\nhost: '{{ name }}.example'   # public\n";
  const expected = "name: shop\nhost: shop.example   # public\n";
  assert.equal(full.evaluate(base), expected);
  assert.equal(full.patch(base, [], { evaluate: true }), expected);
  assert.throws(() => full.evaluate("a: '{{ 1 / 0 }}'\n"), { name: "InterpolateError" });
  assert.throws(() => patch(base, [], { evaluate: true }), /evaluate/);
});

test("the types name all functions", () => {
  for (const [folder, functions] of Object.entries({ engine, full })) {
    const file = new URL(`../npm/${folder}/interpolate.d.ts`, import.meta.url);
    const types = readFileSync(file, "utf8");
    const names = Object.keys(functions).filter((name) => name !== "initSync");
    assert.ok(names.length >= 7);
    for (const name of names) assert.match(types, new RegExp(`export function ${name}\\(`));
  }
});
