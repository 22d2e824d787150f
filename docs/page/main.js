/** Returns the text of a fragment; a fragment that is none, as `#%`, names nothing. */
function unescaped(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

/** The playground keeps its state in the address: a link shows what its sender saw. */
async function start() {
  await startEngine();
  const data = JSON.parse(document.getElementById("data").textContent);
  fill("recipes", data.recipes);
  fill("patch-cases", data.patch);
  fillRows("scalar-rows", data.scalars);
  fill("variable-cases", data.variables);
  fill("merge-cases", data.merge);
  fillRows("override-rows", data.overrides, ["Own", "Inherited", "Result"]);
  fillRows("directive-rows", data.directives, ["Document", "Result"]);
  fill("save-cases", data.save);
  fill("diff-cases", data.diff);
  fill("version-cases", data.versions);
  fillChecks(data.checks);
  fill("exhibits", data.museum);
  fillComparison(data.comparison);
  searchRecipes();

  const playground = new Playground(firstState(), async (state) => {
    history.replaceState(null, "", `#play=${await encoded(state)}`);
  });
  document.getElementById("playground").replaceChildren(playground.root);

  const open = async () => {
    const fragment = unescaped(location.hash.slice(1));
    const state = fragment.startsWith("play=")
      ? await decoded(fragment.slice(5))
      : fragment.startsWith("play/")
        ? examples.get(fragment.slice(5))?.play
        : undefined;
    if (state) {
      playground.replace(state);
      const top = document.getElementById("play");
      top.scrollIntoView();
      top.querySelector("select").focus({ preventScroll: true });
      return;
    }
    const box = document.getElementById(fragment);
    if (box instanceof HTMLDetailsElement) box.open = true;
    box?.scrollIntoView();
  };
  addEventListener("hashchange", open);
  if (location.hash) await open();
  document.body.dataset.ready = "true";
}

start().catch((error) => {
  document.getElementById("playground").textContent = `The engine did not start: ${error.message}`;
  throw error;
});
