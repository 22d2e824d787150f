const LONGEST = 90;

function shortened(value) {
  const text = value.trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

/** Returns who did it, in words. */
function causeOf({ by, names, from }) {
  const away = from ? ` from ${from}` : "";
  switch (by) {
    case "op":
      return `by an op${away}`;
    case "directive":
      return "by a merge directive";
    case "variable":
      return `by ${names.map((name) => `((${name}))`).join(", ") || "a variable"}`;
    case "template":
      return "by a template";
    default:
      return "";
  }
}

/** Returns what an event did to the value. */
function effectOf({ action, before, after }) {
  if (before !== null && after !== null && action !== "moved") {
    return `${shortened(before)} → ${shortened(after)}`;
  }
  return shortened(after ?? before ?? "");
}

/** Returns the lines that tell the history of a place; `go` leads to where a cause is written. */
function historyOf(place, go) {
  const events = place.events.map((event) => {
    const where = event.place && linkTo(event.place, go);
    const effect = effectOf(event);
    return make(
      "li",
      {},
      where ?? make("span", { className: "quiet", textContent: "—" }),
      make("span", { textContent: [event.action, causeOf(event)].filter(Boolean).join(" ") }),
      make("code", { textContent: effect }),
    );
  });
  return make(
    "div",
    { className: "history" },
    make(
      "p",
      {},
      make("code", { className: "path", textContent: place.path || "(the document)" }),
      " is ",
      make("code", { textContent: place.value === null ? "removed" : shortened(place.value) }),
    ),
    make("ol", {}, ...events),
  );
}

/** Returns a button that leads to a place of a text. */
function linkTo(place, go) {
  const name = place.name.startsWith("--") ? place.name : `${place.name}:${place.line}`;
  return make("button", {
    type: "button",
    className: "place",
    textContent: name,
    onclick: () => go(place),
  });
}

/** Returns an error with its excerpt, and buttons that lead to its places. */
function errorOf(error, go) {
  const places = (error.places ?? []).map((place) => {
    const note = place.note ? ` ${place.note}` : "";
    return make("li", {}, linkTo(place, go), note);
  });
  const text =
    error instanceof WebAssembly.RuntimeError
      ? "The engine stopped: this is a fault of it. Please report it with the texts, and reload the page."
      : (error.rendered ?? `error: ${error.message}`);
  return make(
    "div",
    { className: "error", role: "alert" },
    make("pre", { tabIndex: 0, textContent: text }),
    places.length > 0 ? make("ul", { className: "places" }, ...places) : null,
  );
}

/** Returns a finding of `check`, or a note of a save. */
function findingOf(problem, go) {
  const rule = problem.rule && make("a", { href: `#check/${problem.rule}`, textContent: problem.rule });
  const [place] = problem.places;
  return make(
    "li",
    { className: problem.severity },
    make("b", { textContent: problem.severity }),
    ` ${problem.message} `,
    place ? linkTo(place, go) : null,
    place ? " " : null,
    rule || null,
    ...problem.hints.map((hint) => make("span", { className: "hint", textContent: ` — ${hint}` })),
  );
}

/** Returns an op of a rebase. */
function rebasedOf(op, go) {
  return make(
    "li",
    { className: op.status },
    make("b", { textContent: op.status }),
    " ",
    make("code", { textContent: op.path }),
    op.to ? " → " : null,
    op.to ? make("code", { textContent: op.to }) : null,
    " ",
    op.place ? linkTo(op.place, go) : null,
    op.why ? make("span", { className: "hint", textContent: ` ${op.why}` }) : null,
  );
}
