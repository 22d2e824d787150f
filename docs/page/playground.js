let playgrounds = 0;

/** The document, the patch and the result side by side: each edit shows at once. */
class Playground {
  /**
   * `changed` is called with the state after each edit. Without it, the playground is an
   * example: its texts can be edited, but there are no more of them.
   */
  constructor(state, changed) {
    this.number = playgrounds++;
    this.state = completed(state);
    this.isExample = changed === undefined;
    this.changed = changed ?? (() => {});
    this.shows = "result";
    this.root = make("div", { className: "playground" });
    this.build();
  }

  replace(state) {
    this.state = completed(state);
    this.build();
  }

  id(name) {
    return `p${this.number}-${name}`;
  }

  // -- What is edited ---------------------------------------------------------------------

  build() {
    this.panes = [];
    const { texts, patched } = MODES[this.state.mode];
    const documents = Object.keys(texts).map((role) => this.pane(this.state[role], role));
    const patches = patched ? this.state.patches.map((patch) => this.patchPane(patch)) : [];
    const more = [
      ...this.state.files.map((file) => this.pane(file, "file", this.remover("files", file))),
      ...(this.state.variables ? [this.variablesPane()] : []),
    ];
    const [first, ...others] = documents;
    this.output = make("div", { className: "column output" });
    this.root.replaceChildren(
      this.bar(),
      make(
        "div",
        { className: "columns" },
        make("div", { className: "column" }, first),
        make("div", { className: "column" }, ...others, ...patches, ...more, this.isExample ? null : this.adders()),
        this.output,
      ),
    );
    this.show();
  }

  bar() {
    const { options } = this.state;
    const mode = this.select(
      "What to do",
      Object.entries(MODES).map(([name, { title }]) => [name, title]),
      this.state.mode,
      (name) => this.setMode(name),
    );
    const dialect = this.select(
      "Read as",
      [
        ["", "YAML 1.2"],
        ["yaml-1.1", "YAML 1.1"],
        ["go", "Go's YAML (bosh)"],
      ],
      options.dialect ?? "",
      (name) => this.setOption("dialect", name || undefined),
    );
    const anchors = this.select(
      "Aliases of what is edited",
      [
        ["", "keep the old value"],
        ["follow", "follow"],
        ["refuse", "are an error"],
      ],
      options.anchors ?? "",
      (name) => this.setOption("anchors", name || undefined),
    );
    const where = make("input", {
      id: this.id("where"),
      value: options.where ?? "",
      placeholder: "kind=Deployment",
      oninput: () => this.setOption("where", where.value || undefined),
    });
    const settings = [dialect];
    if (this.state.mode === "patch") {
      settings.push(
        make("label", {}, "Documents ", where),
        this.checkbox("All documents", "allDocuments"),
        anchors,
        this.checkbox("Evaluate templates", "evaluate"),
      );
    }
    const hasOptions = Object.values(options).some(Boolean);
    if (this.isExample && !hasOptions) return "";
    return make(
      "div",
      { className: "bar" },
      this.isExample ? null : mode,
      make(
        "details",
        { className: "options", open: hasOptions },
        make("summary", { textContent: "Options" }),
        make("div", {}, ...settings),
      ),
    );
  }

  select(title, choices, value, chosen) {
    const options = choices.map(([name, text]) =>
      make("option", { value: name, textContent: text, selected: name === value }),
    );
    const select = make("select", { onchange: () => chosen(select.value) }, ...options);
    return make("label", {}, `${title} `, select);
  }

  checkbox(title, name) {
    const box = make("input", {
      type: "checkbox",
      checked: this.state.options[name] ?? false,
      onchange: () => this.setOption(name, box.checked || undefined),
    });
    return make("label", { className: "check" }, box, ` ${title}`);
  }

  setOption(name, value) {
    this.state.options[name] = value;
    this.edited();
  }

  /** Another mode begins with the texts that are there. */
  setMode(mode) {
    const { base, other } = this.state;
    this.state.mode = mode;
    if (!other && mode !== "patch") this.state.other = { text: base.text };
    if (mode === "merge") this.state.third ??= { text: base.text };
    this.state = completed(this.state);
    for (const [role, name] of Object.entries(MODES[mode].texts)) this.state[role].name ||= name;
    this.build();
    this.root.querySelector("select").focus();
    this.changed(this.state);
  }

  /** Returns a pane for a text, which it edits. */
  pane(text, role, remove, extra) {
    const id = this.id(`text${this.panes.length}`);
    const rows = Math.min(Math.max(text.text.split("\n").length + 1, 5), 26);
    const area = make("textarea", {
      id,
      value: text.text,
      rows,
      wrap: "off",
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      oninput: () => {
        text.text = area.value;
        this.edited();
      },
    });
    this.panes.push({ text, area });
    const pane = make(
      "div",
      { className: `pane ${role}` },
      make(
        "div",
        { className: "head" },
        make("label", { htmlFor: id, textContent: text.name }),
        extra ?? null,
        remove ? this.button("Remove", remove, `Remove ${text.name}`) : null,
      ),
      area,
    );
    return pane;
  }

  patchPane(patch) {
    const language = make(
      "select",
      {
        ariaLabel: `Language of ${patch.name}`,
        className: "language",
        onchange: () => this.setLanguage(patch, language.value),
      },
      ...Object.entries(LANGUAGES).map(([name, text]) =>
        make("option", { value: name, textContent: text, selected: name === patch.as }),
      ),
    );
    const several = this.state.patches.length > 1;
    return this.pane(patch, "patch", several ? this.remover("patches", patch) : null, language);
  }

  /** A sample that nobody has edited becomes the sample of the other language. */
  setLanguage(patch, language) {
    const samples = Object.values(SAMPLES).map(({ text }) => text);
    if (samples.includes(patch.text) || patch.text.trim() === "") {
      Object.assign(patch, SAMPLES[language]);
    }
    patch.as = language;
    this.build();
    this.changed(this.state);
    this.root.querySelector(".language").focus();
  }

  variablesPane() {
    const variables = { name: "vars.yml", text: this.state.variables };
    const remove = () => {
      this.state.variables = "";
      this.build();
      this.changed(this.state);
    };
    const pane = this.pane(variables, "variables", remove);
    const area = pane.querySelector("textarea");
    area.addEventListener("input", () => {
      this.state.variables = area.value;
      this.edited();
    });
    return pane;
  }

  remover(list, member) {
    return () => {
      this.state[list] = this.state[list].filter((it) => it !== member);
      this.build();
      this.changed(this.state);
    };
  }

  button(text, click, label) {
    return make("button", {
      type: "button",
      className: "small",
      textContent: text,
      ariaLabel: label,
      onclick: click,
    });
  }

  adders() {
    const { state } = this;
    const add = (change) => () => {
      change();
      this.build();
      const areas = [...this.root.querySelectorAll("textarea")];
      areas.at(-1).focus();
      this.changed(state);
    };
    const buttons = [];
    if (MODES[state.mode].patched) {
      const name = state.patches.length ? `ops${state.patches.length + 1}.yml` : "ops.yml";
      buttons.push(
        this.button(
          "+ patch",
          add(() => state.patches.push({ name, text: "", as: "ops" })),
          "Add a patch",
        ),
      );
    }
    if (state.mode === "patch" && !state.variables) {
      buttons.push(
        this.button("+ variables", add(() => (state.variables = "name: value\n")), "Add variables"),
      );
    }
    if (state.mode === "patch" || state.mode === "put") {
      const name = `file${state.files.length + 1}.yml`;
      buttons.push(
        this.button(
          "+ included file",
          add(() => state.files.push({ name, text: "" })),
          "Add a file that directives may include",
        ),
      );
    }
    return make("div", { className: "adders" }, ...buttons);
  }

  // -- The result -------------------------------------------------------------------------

  edited() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.show();
      this.changed(this.state);
    }, 60);
  }

  show() {
    const go = (place) => this.go(place);
    try {
      const shown = run(this.state);
      this.output.replaceChildren(...this.resultOf(shown, go));
    } catch (error) {
      const head = make("div", { className: "head" }, make("span", { textContent: "Result" }));
      this.output.replaceChildren(make("div", { className: "pane" }, head, errorOf(error, go)));
    }
  }

  resultOf(shown, go) {
    const changes = shown.before === undefined ? null : compared(shown.before, shown.text);
    const count = (wanted) => changes.filter(([sign]) => sign === wanted).length;
    const toggle = changes
      ? this.button(this.shows === "result" ? "Show changes" : "Show result", () => {
          this.shows = this.shows === "result" ? "changes" : "result";
          this.show();
          this.output.querySelector(".toggle").focus();
        })
      : null;
    toggle?.classList.add("toggle");
    const copy = this.button("Copy", async () => {
      await navigator.clipboard?.writeText(shown.text);
      copy.textContent = "Copied";
    });
    const [added, removed] = changes ? [count("+"), count("-")] : [0, 0];
    const told = added + removed === 0 ? "no line changed" : `+${added} −${removed} lines`;
    const state = changes && told;
    const head = make(
      "div",
      { className: "head" },
      make("span", { className: "title", textContent: "Result" }),
      state ? make("span", { className: "quiet", role: "status", textContent: state }) : null,
      toggle,
      copy,
    );
    const story = make("div", { className: "story", role: "status" });
    const text =
      this.shows === "changes" && changes
        ? changedText(changes)
        : shown.lines
          ? this.explained(shown.lines, story)
          : make("pre", { className: "lines", tabIndex: 0, textContent: shown.text });
    const notes = [
      ...(shown.faults ?? []).map((fault) => findingOf(fault, go)),
      ...(shown.ops ?? []).map((op) => rebasedOf(op, go)),
      ...(shown.notes ?? []).map((note) => make("li", { textContent: note })),
    ];
    const list = notes.length > 0 ? make("ul", { className: "findings" }, ...notes) : null;
    return [make("div", { className: "pane" }, head, text), story, list].filter(Boolean);
  }

  /** Returns the lines of the result. The one that is pointed at is explained. */
  explained(lines, story) {
    const own = this.state.base.name;
    const items = lines.map((line, number) => {
      const name = line.origin?.place?.name;
      const set = line.origin !== null && (line.origin.by !== "text" || name !== own);
      return make("div", {
        id: this.id(`line${number}`),
        className: set ? "line set" : "line",
        role: "option",
        textContent: line.text === "" ? "\u200b" : line.text,
        onmouseenter: () => choose(number),
        onclick: () => choose(number),
      });
    });
    let chosen = -1;
    const choose = (number) => {
      if (number === chosen) return;
      items[chosen]?.classList.remove("chosen");
      items[chosen]?.removeAttribute("aria-selected");
      chosen = number;
      items[chosen].classList.add("chosen");
      items[chosen].setAttribute("aria-selected", "true");
      list.setAttribute("aria-activedescendant", items[chosen].id);
      this.tell(lines[chosen], story);
    };
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 };
    const list = make(
      "div",
      {
        className: "lines",
        role: "listbox",
        tabIndex: 0,
        ariaLabel: "Lines of the result. Arrow keys tell who set a line.",
        onfocus: () => choose(Math.max(chosen, firstSet(lines, own))),
        onkeydown: (event) => {
          const by = moves[event.key];
          if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          choose(Math.min(Math.max(chosen + by, 0), items.length - 1));
          items[chosen].scrollIntoView({ block: "nearest" });
        },
      },
      ...items,
    );
    story.replaceChildren(
      make(
        "p",
        { className: "quiet" },
        make("span", { className: "mouse", textContent: "Point at a line, or use the arrow keys in it, to see who set it." }),
        make("span", { className: "touch", textContent: "Tap a line to see who set it." }),
      ),
    );
    return list;
  }

  /** Tells who set the values of a line. */
  tell(line, story) {
    const options = { ...optionsOf(this.state), document: line.document };
    const places = line.paths.flatMap((path) =>
      explain(this.state.base, patchesOf(this.state), path, options),
    );
    const told = places.filter(({ events }) => events.some(({ by }) => by !== "text"));
    const shown = told.length > 0 ? told : places.slice(-1);
    story.replaceChildren(
      ...(shown.length > 0
        ? shown.map((place) => historyOf(place, (where) => this.go(where)))
        : [make("p", { className: "quiet", textContent: "No value stands on this line." })]),
    );
  }

  /** Leads to a place of a text. */
  go({ name, line, column }) {
    const isArgument = name.startsWith("--");
    const pane = this.panes.find(({ text }) =>
      isArgument ? text.as === "arguments" : text.name === name,
    );
    if (!pane) return;
    const { area } = pane;
    const before = area.value.split("\n").slice(0, line - 1);
    const start = isArgument ? 0 : before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    const end = area.value.indexOf("\n", start);
    area.focus();
    area.setSelectionRange(start, end < 0 ? area.value.length : end);
    const height = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (line - 4) * height);
  }
}

function firstSet(lines, own) {
  const at = lines.findIndex(({ origin }) => origin && (origin.by !== "text" || origin.place?.name !== own));
  return Math.max(at, 0);
}

/** The most cells of the table of a comparison: larger texts are not compared. */
const MOST_CELLS = 4_000_000;

/** Returns the lines of two texts with a sign: what was removed, added, or is in both. */
function compared(before, after) {
  const [a, b] = [before, after].map((text) => text.replace(/\n$/, "").split("\n"));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (x.length * y.length > MOST_CELLS) return null;
  const width = y.length + 1;
  const common = new Uint32Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      const [here, down, right] = [i * width + j, (i + 1) * width + j, i * width + j + 1];
      common[here] = x[i] === y[j] ? common[down + 1] + 1 : Math.max(common[down], common[right]);
    }
  }
  const changes = a.slice(0, start).map((line) => [" ", line]);
  for (let i = 0, j = 0; i < x.length || j < y.length; ) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      changes.push([" ", x[i]]);
      i++;
      j++;
    } else if (j === y.length || (i < x.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      changes.push(["-", x[i++]]);
    } else {
      changes.push(["+", y[j++]]);
    }
  }
  return changes.concat(a.slice(a.length - end).map((line) => [" ", line]));
}

function changedText(changes) {
  const kinds = { "-": "removed", "+": "added", " ": "kept" };
  return make(
    "pre",
    { className: "lines changes", tabIndex: 0 },
    ...changes.map(([sign, line]) =>
      make("div", { className: `line ${kinds[sign]}`, textContent: `${sign} ${line}` }),
    ),
  );
}
