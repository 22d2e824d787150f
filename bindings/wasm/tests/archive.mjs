// Reads the cases of fixtures/, which fixtures/README.md describes.

import { readdirSync, readFileSync } from "node:fs";

export const root = new URL("../../../", import.meta.url);

/** Returns the archives of a folder of fixtures/. */
export function archives(folder) {
  const at = new URL(`fixtures/${folder}/`, root);
  const names = readdirSync(at).filter((name) => name.endsWith(".txtar"));
  return names.sort().map((name) => archive(new URL(name, at), name.slice(0, -6)));
}

function archive(file, name) {
  const files = new Map();
  let links = false;
  let current = "";
  files.set(current, "");
  for (const line of readFileSync(file, "utf8").split(/(?<=\n)/)) {
    const found = /^-- (.+) --\n$/.exec(line);
    if (found) {
      current = found[1];
      links ||= current.includes(" -> ");
      files.set(current, "");
    } else {
      files.set(current, files.get(current) + line);
    }
  }
  const suffix = " (escaped)";
  const plain = [...files].map(([name, text]) =>
    name.endsWith(suffix) ? [name.slice(0, -suffix.length), unescaped(text)] : [name, text],
  );
  return { name, links, files: new Map(plain) };
}

function unescaped(text) {
  const bytes = [];
  const known = { r: 13, "\\": 92 };
  for (const [part] of text.replaceAll("\\\n", "").matchAll(/\\x..|\\.|[^\\]+/gs)) {
    if (part.startsWith("\\x")) bytes.push(parseInt(part.slice(2), 16));
    else if (part.startsWith("\\")) bytes.push(known[part[1]]);
    else bytes.push(...Buffer.from(part));
  }
  return Buffer.from(bytes).toString("utf8");
}
