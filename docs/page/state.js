/** The modes: what the playground does, and the texts that it needs. */
const MODES = {
  patch: { title: "Patch", texts: { base: "base.yml" }, patched: true },
  diff: { title: "Compare two versions", texts: { base: "old.yml", other: "new.yml" } },
  merge: {
    title: "Merge two branches",
    texts: { base: "base.yml", other: "ours.yml", third: "theirs.yml" },
  },
  put: { title: "Save back edited data", texts: { base: "source.yml", other: "edited.yml" } },
  rebase: {
    title: "Follow a new version",
    texts: { base: "old.yml", other: "new.yml" },
    patched: true,
  },
};

function firstState() {
  return {
    mode: "patch",
    base: { name: "base.yml", text: BASE },
    patches: [{ ...SAMPLES.ops, as: "ops" }],
    files: [],
    variables: "",
    options: {},
  };
}

/** Returns a copy in which everything is there, and of its kind: a link may say anything. */
function completed(given) {
  const { mode, base, other, third, patches, files, variables, options } = structuredClone(Object(given));
  const named = (it, name) => ({ name: textOf(it?.name) || name, text: textOf(it?.text) });
  const listed = (list, name) => (Array.isArray(list) ? list : []).map((it) => ({ ...Object(it), ...named(it, name) }));
  const state = {
    mode: Object.hasOwn(MODES, mode) ? mode : "patch",
    patches: listed(patches, "ops.yml"),
    files: listed(files, "file.yml"),
    variables: textOf(variables),
    options: Array.isArray(options) ? {} : Object(options),
  };
  for (const [role, it] of Object.entries({ base, other, third })) {
    const name = MODES[state.mode].texts[role];
    if (name || it) state[role] = named(it, name ?? "");
  }
  for (const patch of state.patches) {
    if (!Object.hasOwn(LANGUAGES, patch.as)) patch.as = languageOf(patch.text);
  }
  return state;
}

function textOf(value) {
  return typeof value === "string" ? value : "";
}

/** Returns the language to show for a patch; the engine itself looks at the content. */
function languageOf(text) {
  if (/^\s*[[\-][^]*?"?op"?\s*:/.test(text) && !/\btype"?\s*:/.test(text)) return "json-patch";
  return /^\s*[{"]*overlay"?\s*:/m.test(text) ? "overlay" : "ops";
}

async function through(bytes, stream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Returns a state as the fragment of an address. */
async function encoded(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await through(text, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state of a fragment, or undefined. */
async function decoded(fragment) {
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream("deflate-raw"));
    return completed(JSON.parse(new TextDecoder().decode(text)));
  } catch {
    return undefined;
  }
}

/** Returns the patches of a state as the engine takes them. */
function patchesOf(state) {
  return state.patches.flatMap(({ name, text, as }) => {
    if (as === "arguments") return argumentsOf(text);
    return [{ name, text, as: as === "merge" ? "merge" : "patch" }];
  });
}

/** One option of the command line on each line: `--set a.b=1`. */
function argumentsOf(text) {
  const lines = text.split("\n").map((line) => line.trim());
  const given = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return given.map((line) => {
    const [option, ...rest] = line.split(" ");
    const verb = option.replace(/^--/, "");
    const known = ["set", "set-string", "append", "rm", "mv", "cp"];
    if (!known.includes(verb)) {
      throw new Error(`${option}: a line begins with ${known.map((it) => `--${it}`).join(", ")}`);
    }
    return { text: rest.join(" "), as: verb };
  });
}

function optionsOf(state) {
  const { dialect, allDocuments, where, anchors, evaluate } = state.options;
  return {
    ...(dialect && { dialect }),
    ...(where && { where }),
    ...(anchors && { anchors }),
    allDocuments: allDocuments ?? false,
    evaluate: evaluate ?? false,
    variables: state.variables ? [{ name: "vars.yml", text: state.variables }] : [],
    files: Object.fromEntries(state.files.map(({ name, text }) => [name, text])),
  };
}

/** Returns the lines of a result with who set them, or a note that tells why there are none. */
function explainedLines(base, patches, options) {
  try {
    return { lines: lines(base, patches, options) };
  } catch (error) {
    return { notes: [`Nothing tells who set a line: ${error.message}`] };
  }
}

/** Runs the engine. Returns what is to be shown, or throws. */
function run(state) {
  const options = optionsOf(state);
  const { base, other, third } = state;
  switch (state.mode) {
    case "diff":
      return { text: diff(base, other, options), files: {} };
    case "merge": {
      const merged = merge(base, other, third, options);
      const conflicts = merged.conflicts.map(({ document, path }) => [document, path || "/"]);
      const notes = conflicts.map((where) => `Both sides changed ${where.filter(Boolean).join(" ")}.`);
      return { text: merged.marked, before: other.text, notes };
    }
    case "put": {
      const saved = put(base, other, options);
      return { text: saved.text, before: base.text, faults: saved.notes };
    }
    case "rebase": {
      const rebased = rebase(base, other, patchesOf(state), options);
      const mended = Object.entries(rebased.files);
      const text = mended.map(([name, text]) => `# ${name}, mended\n${text}`).join("");
      return { text: text || "# No ops-file changes.\n", ops: rebased.ops };
    }
    default: {
      const patches = patchesOf(state);
      const text = patch(base, patches, options);
      return {
        text,
        before: base.text,
        ...explainedLines(base, patches, options),
        faults: check(base, patches, options),
      };
    }
  }
}
