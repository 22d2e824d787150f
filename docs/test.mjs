// Tests the page in a headless Chromium, from file://, without a network.
//
//     node docs/test.mjs [--screenshots FOLDER]
//
// It needs the npm package playwright-core, which it finds as Node does or in the folder
// NODE_MODULES, and a Chromium at CHROMIUM (/usr/bin/chromium).

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

const page = new URL("site/index.html", import.meta.url);
const from = process.env.NODE_MODULES ? join(process.env.NODE_MODULES, "x.js") : import.meta.url;
const { chromium } = createRequire(from)("playwright-core");
const at = process.argv.indexOf("--screenshots");
const screenshots = at > 0 ? process.argv[at + 1] : undefined;
if (screenshots) mkdirSync(screenshots, { recursive: true });

const profile = mkdtempSync(join(tmpdir(), "page-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  offline: true,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

/** Returns a state as a link has it. */
const packed = (state) => deflateRawSync(JSON.stringify(state)).toString("base64url");

const faults = [];
let passed = 0;

/** Opens the page in a new tab, and fails on any error in its console. */
async function open({ fragment = "", width = 1280, height = 900, dark = false, touch = false } = {}) {
  const tab = await browser.newPage();
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  tab.on("pageerror", (error) => faults.push(error.stack));
  tab.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`a request of ${request.url()}`);
  });
  await tab.setViewportSize({ width, height });
  await tab.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  if (touch) await touchScreen(tab);
  await tab.goto(page.href + fragment);
  await tab.waitForSelector("body[data-ready]", { timeout: 60_000 });
  return tab;
}

/** Makes a phone of a tab: nothing hovers, and fingers tap. */
async function touchScreen(tab) {
  const session = await tab.context().newCDPSession(tab);
  const metrics = { ...tab.viewportSize(), deviceScaleFactor: 1, mobile: true };
  await session.send("Emulation.setDeviceMetricsOverride", metrics);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
}

async function shot(tab, name, options = {}) {
  if (screenshots) await tab.screenshot({ path: join(screenshots, `${name}.png`), ...options });
}

async function test(name, options, check) {
  const tab = await open(options);
  try {
    await check(tab);
    assert.deepEqual(faults, []);
    passed += 1;
    console.log(`ok   ${name}`);
  } catch (error) {
    faults.length = 0;
    await shot(tab, `failed-${name.replace(/\W+/g, "-")}`);
    console.log(`FAIL ${name}\n${error.stack}`);
    process.exitCode = 1;
  } finally {
    await tab.close();
  }
}

const result = (box) =>
  box.locator(".output .lines").evaluate((element) =>
    element.matches("pre")
      ? element.textContent
      : [...element.children].map((line) => `${line.textContent.replace("\u200b", "")}\n`).join(""),
  );

/** Waits until the result fulfils a condition. */
async function until(tab, condition, message) {
  const box = tab.locator("#playground");
  for (let attempt = 0; attempt < 100; attempt++) {
    const count = await box.locator(".output .lines").count();
    if (count > 0 && condition(await result(box))) return;
    await tab.waitForTimeout(50);
  }
  assert.fail(`${message}\n${await box.locator(".output").innerText()}`);
}

await test("the first view shows a patched document", {}, async (tab) => {
  const text = await result(tab.locator("#playground"));
  assert.match(text, /replicas: 5\n/);
  assert.match(text, /image: "shop\/web:1\.9" {3}# the public site\n/);
  assert.doesNotMatch(text, /worker/);
  await shot(tab, "light");
});

await test("an op that is typed changes the result", {}, async (tab) => {
  const patch = tab.locator("#playground .patch textarea");
  await patch.fill("- type: replace\n  path: /name\n  value: ");
  await patch.press("End");
  await patch.pressSequentially("market");
  await until(tab, (text) => text.includes("name: market\n"), "the result does not follow");
  const address = await tab.evaluate(() => location.href);
  assert.match(address, /#play=/);
  await tab.goto("about:blank");
  await tab.goto(address);
  await tab.waitForSelector("body[data-ready]");
  await until(tab, (text) => text.includes("name: market\n"), "the address does not keep it");
});

await test("an error shows its places", {}, async (tab) => {
  const patch = tab.locator("#playground .patch textarea");
  await patch.fill("- type: remove\n  path: /services/name=wbe\n");
  const error = tab.locator("#playground .error");
  await error.waitFor();
  assert.match(await error.innerText(), /did you mean 'web'\?/);
  await shot(tab, "error");
  await error.getByRole("button", { name: "ops.yml:2" }).click();
  const selected = await patch.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.equal(selected, "/name=wbe");
});

await test("a line that is pointed at is explained", {}, async (tab) => {
  await tab.locator("#playground .line", { hasText: "replicas: 5" }).hover();
  const story = tab.locator("#playground .story");
  await story.locator(".history").waitFor();
  const text = await story.innerText();
  assert.match(text, /\/services\/0\/replicas/);
  assert.match(text, /ops\.yml:\d+/);
  assert.match(text, /2 → 5/);
  await shot(tab, "explained");
});

await test("each language of patches works", {}, async (tab) => {
  const expected = await result(tab.locator("#playground"));
  for (const language of ["JSON Patch", "OpenAPI Overlay", "Command line", "JSON Merge Patch"]) {
    await tab.locator("#playground .language").selectOption({ label: language });
    const wanted =
      language === "JSON Merge Patch" ? (text) => text.includes("region: north") : (text) => text === expected;
    await until(tab, wanted, `${language} gives another result`);
  }
});

await test("each mode works", {}, async (tab) => {
  const mode = tab.locator("#playground .bar select").first();
  for (const [label, wanted] of [
    ["Compare two versions", "[]\n"],
    ["Merge two branches", "name: shop"],
    ["Save back edited data", "name: shop"],
    ["Follow a new version", "# No ops-file changes."],
    ["Patch", "replicas: 5"],
  ]) {
    await mode.selectOption({ label });
    await until(tab, (text) => text.includes(wanted), `${label} gives another result`);
  }
});

await test("the changes can be shown", {}, async (tab) => {
  await tab.locator("#playground .toggle").click();
  const removed = await tab.locator("#playground .line.removed").allInnerTexts();
  assert.ok(removed.some((line) => line.includes("replicas: 2")));
  await shot(tab, "changes");
});

await test("a recipe opens, and is live", {}, async (tab) => {
  await tab.getByText("Run more instances of a group").click();
  const box = tab.locator("[id='ops/scale']");
  assert.match(await result(box), /instances: 5/);
  const area = box.locator(".patch textarea");
  await area.fill((await area.inputValue()).replace("5", "7"));
  await box.locator(".line", { hasText: "instances: 7" }).waitFor();
  await box.scrollIntoViewIfNeeded();
  await shot(tab, "recipe");
  await box.getByRole("link", { name: "Open in the playground above" }).click();
  await until(tab, (text) => text.includes("instances: 5"), "it is not in the playground");
});

await test("all recipes and cases show what they promise", {}, async (tab) => {
  const wrong = await tab.evaluate(async () => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const groups = Object.values(data).flat().filter((group) => group?.examples);
    const wrong = [];
    let count = 0;
    for (const { examples } of groups) {
      for (const example of examples) {
        const box = document.getElementById(example.id);
        box.open = true;
        await new Promise((done) => setTimeout(done));
        const root = box.querySelector(".playground .output");
        const error = root.querySelector(".error pre")?.textContent;
        const lines = root.querySelector(".lines");
        const shown = lines?.matches("pre")
          ? lines.textContent
          : [...(lines?.children ?? [])].map((line) => `${line.textContent.replace("\u200b", "")}\n`).join("");
        const expected = Object.values(example.after ?? {});
        // A text area has one kind of line breaks.
        const plain = (text) => text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
        // The values of variables are hidden in the lines that tell who set them.
        const hidden = (text) => text.split("***").map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
        const pattern = new RegExp(`^${hidden(plain(shown)).join("[^]*?")}$`);
        const same = (text) => (shown.includes("***") ? pattern.test(plain(text)) : plain(text) === plain(shown));
        const fails = example.fails || /^error/m.test(example.output ?? "");
        if (Boolean(fails) !== Boolean(error) && !(example.command ?? "").includes(" check ")) {
          wrong.push(`${example.id}: ${error ?? "no error"}`);
        } else if (!error && expected.length === 1 && example.play.mode !== "rebase" && !expected.some(same)) {
          wrong.push(`${example.id}: ${shown}`);
        }
        box.open = false;
        count += 1;
      }
    }
    return count > 500 ? wrong : [`only ${count} examples`];
  });
  assert.deepEqual(wrong, []);
});

await test("each scalar means what its row says", {}, async (tab) => {
  const rows = await tab.evaluate(() => {
    const { scalars } = JSON.parse(document.getElementById("data").textContent);
    const named = (group, rows) => rows.map(({ after }, row) => [`scalar-rows/${group}/${row}`, after]);
    return scalars.flatMap(({ rows }, group) => named(group, rows)).filter(([, after]) => after);
  });
  assert.ok(rows.length > 150, `only ${rows.length} rows`);
  const wrong = [];
  for (const [name, after] of rows) {
    await tab.evaluate((name) => (location.hash = `#play/${name}`), name);
    await tab.waitForFunction((name) => decodeURIComponent(location.hash).slice(6) === name, name);
    await tab.evaluate(() => new Promise((done) => setTimeout(done)));
    const box = tab.locator("#playground");
    const shown = (await box.locator(".output .lines").count()) ? await result(box) : await box.locator(".output").innerText();
    if (shown !== after) wrong.push(`${name}: ${shown}`);
  }
  assert.deepEqual(wrong, []);
});

await test("a link may say anything", {}, async (tab) => {
  const states = [
    "%",
    "%E0%A4%A",
    "play=%",
    "play=AAAA",
    "play/",
    "play/__proto__",
    { files: 5 },
    { patches: 5, options: null, variables: [] },
    { patches: [null, 5, { as: "constructor" }], files: [[]] },
    { mode: "constructor", base: 5 },
    { mode: "diff", base: { text: 5 }, other: null },
    [],
    5,
    null,
  ];
  for (const state of states) {
    const fragment = typeof state === "string" ? state : `play=${packed(state)}`;
    const other = await open({ fragment: `#${fragment}` });
    assert.ok(await other.locator("#playground .bar").count(), `${JSON.stringify(state)} hides the playground`);
    await other.close();
  }
});

await test("the rules of check are live", { fragment: "#check/no-effect" }, async (tab) => {
  const box = tab.locator("[id='check/no-effect']");
  await box.locator(".findings .warning").first().waitFor();
  await shot(tab, "check");
});

await test("a rule about files shows a run", { fragment: "#check/unused-variable" }, async (tab) => {
  const box = tab.locator("[id='check/unused-variable']");
  assert.match(await box.innerText(), /\$ interpolate check .*\n[^]*\[unused-variable\]/);
});

await test("recipes can be found", {}, async (tab) => {
  await tab.getByLabel("Find a recipe").fill("container image");
  assert.match(await tab.locator("#found").innerText(), /^[1-9]\d? recipes$/);
  assert.ok(await tab.getByText("Change the image of one container in a stream").isVisible());
  assert.ok(!(await tab.getByText("Run more instances of a group").isVisible()));
});

await test("a row of a table opens in the playground", { fragment: "#play/override-rows/0/0" }, async (tab) => {
  await until(tab, (text) => /web: \{value: /.test(text), "the row is not there");
});

await test("dark", { dark: true }, async (tab) => {
  const [paper, ink] = await tab.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.backgroundColor, style.color].map((colour) => Number(/\d+/.exec(colour)[0]));
  });
  assert.ok(paper < 60 && ink > 200, `${paper} ${ink}`);
  await shot(tab, "dark");
  await tab.locator("#playground .line", { hasText: "replicas: 5" }).hover();
  await shot(tab, "dark-explained");
});

await test("a narrow screen needs no horizontal scrolling", { width: 360, height: 740 }, async (tab) => {
  const overflow = () =>
    tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(await overflow(), 0);
  await shot(tab, "narrow");
  await tab.getByText("Run more instances of a group").click();
  await tab.locator("[id='check/op-order'] summary").click();
  await tab.locator("#override-rows summary").first().click();
  assert.equal(await overflow(), 0);
  await tab.locator("[id='ops/scale']").scrollIntoViewIfNeeded();
  await shot(tab, "narrow-recipe");
});

await test("a long message wraps", { width: 375, height: 740 }, async (tab) => {
  await tab.locator("#playground .patch textarea").fill(`- type: remove\n  path: /${"long-name/".repeat(30)}end\n`);
  const message = tab.locator("#playground .error pre");
  await message.waitFor();
  assert.ok(await message.evaluate((pre) => pre.textContent.length > 300 && pre.scrollWidth <= pre.clientWidth));
  await shot(tab, "narrow-error");
});

await test("a touch screen is tapped", { width: 375, height: 740, touch: true }, async (tab) => {
  const text = await tab.locator("#play").innerText();
  assert.match(text, /Tap a line of the result/);
  assert.match(text, /Tap a line to see/);
  assert.doesNotMatch(text, /Point at/);
});

await test("recipes begin with what most people have", {}, async (tab) => {
  const titles = await tab.locator("#recipes h4").allInnerTexts();
  assert.deepEqual(titles.slice(0, 3), ["Kubernetes", "Helm", "Docker compose"]);
});

await test("no name is that of a file", {}, async (tab) => {
  const names = await tab.locator("main details.example > summary").allInnerTexts();
  assert.deepEqual(names.filter((name) => /^\w+(-\w+)+$/.test(name.trim())), []);
});

await test("the keyboard alone is enough", {}, async (tab) => {
  const focused = () =>
    tab.evaluate(() => {
      const element = document.activeElement;
      const name = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent;
      return { tag: element.localName, name: name.trim().slice(0, 60), role: element.role };
    });
  const outlined = () =>
    tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none");
  const seen = [];
  for (let step = 0; step < 40; step++) {
    await tab.keyboard.press("Tab");
    seen.push(await focused());
    assert.ok(await outlined(), `the focus cannot be seen: ${JSON.stringify(seen.at(-1))}`);
    if (seen.at(-1).role === "listbox") break;
  }
  const names = seen.map(({ tag, name }) => `${tag} ${name}`).join("\n");
  assert.equal(seen.at(-1).role, "listbox", names);
  assert.match(names, /textarea base\.yml/);
  assert.match(names, /textarea ops\.yml/);
  await tab.locator("#playground .story .history").first().waitFor();
  const before = await tab.locator("#playground .story").innerText();
  for (let step = 0; step < 8; step++) await tab.keyboard.press("ArrowDown");
  assert.notEqual(await tab.locator("#playground .story").innerText(), before);
  await shot(tab, "keyboard");
  // Tab leaves texts and the result: nothing keeps the focus.
  for (let step = 0; step < 25 && (await focused()).tag !== "input"; step++) await tab.keyboard.press("Tab");
  assert.equal((await focused()).name, "Find a recipe");
  await tab.keyboard.press("Tab");
  assert.equal((await focused()).tag, "summary");
  await tab.keyboard.press("Enter");
  await tab.locator(".example[open] .playground").first().waitFor();
});

await browser.close();
rmSync(profile, { recursive: true });
console.log(`${passed} passed, ${process.exitCode ? "some" : 0} failed`);
