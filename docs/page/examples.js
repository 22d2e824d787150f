/** All examples that can be opened, by their names. */
const examples = new Map();

/** Returns an element whose content is made when it is first opened. */
function folded(summary, id, content) {
  const box = make("details", { id, className: "example" }, make("summary", {}, ...summary));
  box.addEventListener("toggle", () => {
    if (box.open && box.childElementCount === 1) box.append(...content());
  });
  return box;
}

function noted(html) {
  const paragraph = make("p");
  paragraph.innerHTML = html;
  return paragraph;
}

/** Returns a recipe or a case, which is live once it is opened. */
function exampleOf(example) {
  examples.set(example.id, example);
  const content = () => {
    const parts = example.notes.map(noted);
    if (example.address) {
      const text = example.address.replace(/^https?:\/\//, "");
      parts.push(make("p", {}, "Reported at ", make("a", { href: example.address, textContent: text })));
    }
    if (example.command) parts.push(make("pre", { className: "command message", tabIndex: 0, textContent: `$ ${example.command}` }));
    parts.push(new Playground(example.play).root, openerOf(example));
    if (example.output) {
      parts.push(
        make(
          "details",
          {},
          make("summary", { textContent: "What the command prints" }),
          make("pre", { className: "message", tabIndex: 0, textContent: example.output }),
        ),
      );
    }
    return parts;
  };
  return folded([example.title], example.id, content);
}

function openerOf(example) {
  const link = make("a", { href: `#play/${example.id}`, textContent: "Open in the playground above" });
  return make("p", { className: "quiet" }, link);
}

/** Shows groups of examples. */
function fill(id, groups) {
  const parts = groups.map(({ title, examples }) =>
    make(
      "div",
      { className: "group" },
      title ? make("h4", { textContent: title }) : null,
      ...examples.map(exampleOf),
    ),
  );
  document.getElementById(id).append(...parts);
}

/** Shows groups of rows, each of which opens in the playground. */
function fillRows(id, groups, columns) {
  const parts = groups.map(({ title, rows, names }, group) =>
    folded([title], `${id}-${group}`, () => {
      const head = (names ?? columns).map((name) => make("th", { scope: "col", textContent: name }));
      const body = rows.map(({ cells, play }, row) => {
        const key = `${id}/${group}/${row}`;
        examples.set(key, { id: key, play });
        const link = make("a", { href: `#play/${key}`, textContent: "try", ariaLabel: `Try ${cells[0]}` });
        return make(
          "tr",
          {},
          ...cells.map((cell) => make("td", {}, make("code", { textContent: cell }))),
          make("td", {}, link),
        );
      });
      const table = make("table", {}, make("thead", {}, make("tr", {}, ...head, make("th", { scope: "col", textContent: "Live" }))), make("tbody", {}, ...body));
      return [make("div", { className: "wide", tabIndex: 0 }, table)];
    }),
  );
  groups.forEach(({ rows }, group) =>
    rows.forEach(({ play }, row) => examples.set(`${id}/${group}/${row}`, { play })),
  );
  document.getElementById(id).append(...parts);
}

/** Shows the pages of the rules of `check`. */
function fillChecks(pages) {
  const parts = pages.map(({ id, title, rule, body, plays, runs }) =>
    folded([title], id, () => {
      const named = make("p", {}, "Its findings have the name ", make("code", { textContent: rule }), ".");
      const text = make("div");
      text.innerHTML = body;
      text.querySelectorAll("pre").forEach((block) => (block.tabIndex = 0));
      const live = plays.flatMap(({ title, play }) => [
        make("h4", { textContent: title }),
        new Playground(play).root,
      ]);
      return [named, text, ...live, ...runs.flatMap(runOf)];
    }),
  );
  document.getElementById("checks").append(...parts);
}

/** Returns a run of the program that the playground cannot show: its input and its output. */
function runOf({ command, files, output }) {
  const text = (name, content, className) => [
    make("h4", { textContent: name }),
    make("pre", { className, tabIndex: 0, textContent: content }),
  ];
  return [
    ...Object.entries(files).flatMap(([name, content]) => text(name, content, "command")),
    ...text(`$ ${command}`, output, "message"),
  ];
}

/** Shows what other tools do to one file. */
function fillComparison(facts) {
  const box = document.getElementById("compared");
  if (!facts) return box.append(make("p", { textContent: "Not measured yet." }));
  const names = ["Tool", "Version", "Lines that differ", "Comments lost", "Blank lines lost", "Time"];
  const rows = facts.tools.map((tool) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", textContent: tool.name }),
      ...[tool.version, tool.lines, tool.comments, tool.blanks, `${tool.milliseconds} ms`].map((cell) =>
        make("td", { textContent: cell }),
      ),
    ),
  );
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col", textContent: name })));
  const commands = facts.tools.map((tool) =>
    make("li", {}, make("b", { textContent: tool.name }), " ", make("code", { textContent: tool.command })),
  );
  box.append(
    ...facts.text.map(noted),
    make("div", { className: "wide", tabIndex: 0 }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))),
    make("details", {}, make("summary", { textContent: "The commands" }), make("ul", {}, ...commands)),
    ...facts.notes.map(noted),
  );
}

/** Lets people search the recipes by their words. */
function searchRecipes() {
  const input = document.getElementById("find");
  const status = document.getElementById("found");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const group of document.querySelectorAll("#recipes .group")) {
      let any = false;
      for (const box of group.querySelectorAll(":scope > details")) {
        const { title, notes, command } = examples.get(box.id);
        const text = [title, group.querySelector("h4").textContent, command, ...notes].join(" ").toLowerCase();
        box.hidden = !words.every((word) => text.includes(word));
        any ||= !box.hidden;
        count += box.hidden ? 0 : 1;
      }
      group.hidden = !any;
    }
    status.textContent = words.length > 0 ? `${count} recipes` : "";
  });
}
