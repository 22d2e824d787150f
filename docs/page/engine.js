/** Starts the engine, whose bytes stand in the page. */
async function startEngine() {
  const packed = Uint8Array.from(atob(document.getElementById("wasm").textContent), (c) =>
    c.charCodeAt(0),
  );
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  await __wbg_init({ module_or_path: bytes });
}

/** Returns an element with properties, attributes and children. */
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in made && name !== "list" && name !== "role") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
