#!/usr/bin/env python3
"""Builds the page: docs/site/index.html, one file that needs no server and no network.

    python3 docs/build.py [--engine]

The engine comes from bindings/wasm; it is built if it is missing, or with --engine. All else
comes from the cookbook (ops/), the cases (fixtures/), the pages of the rules of `check`, the
facts in comparison.json and, if there is one, the plot cost.svg.
"""

import base64
import gzip
import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
WASM = ROOT / "bindings/wasm"
SITE = DOCS / "site"

SCRIPTS = [
    "engine.js",
    "samples.js",
    "state.js",
    "explanation.js",
    "playground.js",
    "examples.js",
    "main.js",
]


def main():
    engine = WASM / "npm/full"
    if "--engine" in sys.argv or not (engine / "interpolate.js").exists():
        subprocess.run([WASM / "build.sh", "full"], check=True)
    recipes = [recipe(folder) for folder in sorted((ROOT / "ops").iterdir()) if folder.is_dir()]
    data = {
        "recipes": in_sections(recipes),
        "patch": by_topic(cases("patch")) + commands(),
        "merge": [{"title": "", "examples": cases("merge")}],
        "directives": directives(),
        "overrides": overrides(),
        "museum": museum(),
        "checks": checks(),
        "comparison": comparison(),
    }
    page = (DOCS / "page/index.html").read_text()
    parts = {
        "style": (DOCS / "page/style.css").read_text(),
        "recipes": str(len(recipes)),
        "museum": str(sum(len(group["examples"]) for group in data["museum"])),
        "cases": str(sum(len(group["examples"]) for group in data["patch"] + data["merge"])),
        "speed": speed(),
        "data": as_script(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
        "wasm": packed((engine / "interpolate_bg.wasm").read_bytes()),
        "script": "\n".join(
            [(engine / "interpolate.js").read_text()]
            + [(DOCS / "page" / name).read_text() for name in SCRIPTS]
        ).replace("</script", "<\\/script"),
    }
    page = re.sub(r"@([a-z]+)@", lambda found: parts[found[1]], page)
    SITE.mkdir(exist_ok=True)
    (SITE / "index.html").write_text(page)
    print(f"docs/site/index.html: {len(page.encode()) / 1e6:.1f} MB")


def packed(data):
    """The bytes compressed, as text. No time in them: equal input gives an equal page."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def as_script(text):
    """JSON that cannot end the element that it stands in."""
    return text.replace("<", "\\u003c")


# -- The cookbook --------------------------------------------------------------------------


def recipe(folder):
    """A folder of the cookbook, with the state of the playground that opens it."""
    title, when, why = (folder / "README.md").read_text().strip().split("\n\n", 2)
    output = {"README.md", "cmd", "stdout", "stderr", "code"}
    files = {
        file.name: file.read_text()
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name not in output
    }
    shown = lambda name: (folder / name).read_text() if (folder / name).exists() else ""
    command = shown("cmd").strip()
    after = folder / "after"
    return {
        "id": f"ops/{folder.name}",
        "title": title.removeprefix("# "),
        "notes": [prose(when), prose(why)],
        "command": command,
        "output": shown("stdout") + shown("stderr"),
        "after": {file.name: file.read_text() for file in sorted(after.iterdir())} if after.exists() else {},
        "play": of_command(command, files),
    }


VERBS = {"--set", "--set-string", "--append", "--rm", "--mv", "--cp"}
MODES = {"diff": "diff", "merge": "merge", "save": "put", "rebase": "rebase"}
ROLES = {
    "patch": ["base"],
    "diff": ["base", "other"],
    "merge": ["base", "other", "third"],
    "put": ["base", "other"],
    "rebase": ["base", "other"],
}


def of_command(command, files):
    """The state of the playground for a command line, which may have options that do not
    concern it."""
    words = shlex.split(command)[1:]
    mode = "patch"
    if words[0] in ("check", "explain", "plan"):
        words = words[1:]
    elif words[0] in MODES:
        mode = MODES[words.pop(0)]
    state = {"mode": mode, "patches": [], "files": [], "variables": "", "options": {}}
    roles, used, variables = list(ROLES[mode]), set(), []
    named = lambda name: used.add(name) or {"name": name, "text": files[name]}
    words = iter(words)
    for word in words:
        if word in ("-o", "--merge"):
            language = "merge" if word == "--merge" else "patch"
            state["patches"].append({**named(next(words)), "as": language})
        elif word in VERBS:
            last = state["patches"][-1:]
            if not last or last[0]["as"] != "arguments":
                state["patches"].append({"name": "command line", "text": "", "as": "arguments"})
            state["patches"][-1]["text"] += f"{word} {next(words)}\n"
        elif word == "-l":
            variables.append(named(next(words))["text"])
        elif word == "-v":
            name, _, value = next(words).partition("=")
            variables.append(f"{name}: {value}\n")
        elif word in ("--where", "--anchors"):
            state["options"][word[2:]] = next(words)
        elif word == "--all-documents":
            state["options"]["allDocuments"] = True
        elif not word.startswith("-") and roles:
            state[roles.pop(0)] = named(word)
    state["variables"] = "".join(variables)
    state["files"] = [named(name) for name in files if name not in used]
    return state


def in_sections(recipes):
    """The recipes in the sections of their index."""
    by_id = {recipe["id"]: recipe for recipe in recipes}
    sections = []
    for line in (ROOT / "ops/README.md").read_text().splitlines():
        if line.startswith("## "):
            sections.append({"title": line[3:], "examples": []})
        elif found := re.search(r"\]\(([a-z0-9-]+)\) \|", line):
            sections[-1]["examples"].append(by_id.pop(f"ops/{found[1]}"))
    assert not by_id, f"ops/README.md lacks {list(by_id)}"
    return sections


# -- The cases -----------------------------------------------------------------------------


def archive(path):
    """The files of a case; its comment has the name ''."""
    files, name = {"": ""}, ""
    for line in path.read_text().splitlines(keepends=True):
        if found := re.fullmatch(r"-- (.+) --\n", line):
            name = found[1]
            files[name] = ""
        else:
            files[name] += line
    return {
        name.removesuffix(" (escaped)"): unescaped(text) if name.endswith(" (escaped)") else text
        for name, text in files.items()
    }


def unescaped(text):
    """The text of a file whose name says `(escaped)`."""
    known = {b"r": b"\r", b"\\": b"\\"}
    byte = lambda found: known.get(found[1]) or bytes([int(found[1][1:], 16)])
    joined = text.encode().replace(b"\\\n", b"")
    return re.sub(rb"\\(x[0-9a-fA-F]{2}|r|\\)", byte, joined).decode()


def cases(folder):
    """The cases of a folder as examples."""
    examples = []
    for path in sorted((ROOT / "fixtures" / folder).glob("*.txtar")):
        files = archive(path)
        if files.get("args"):
            continue
        expected = {"base.yml", "ops.yml", "out.yml", "error.txt", ""}
        rest = {name: text for name, text in files.items() if name not in expected and " -> " not in name}
        examples.append(
            {
                "id": f"{folder}/{path.stem}",
                "title": titled(path.stem.removeprefix("page-")),
                "notes": [prose(files[""])] if files[""].strip() else [],
                "play": state(files["base.yml"], files.get("ops.yml"), rest),
                **({"after": {"": files["out.yml"]}} if "out.yml" in files else {"fails": True}),
            }
        )
    return examples


# Cases of the command line that show more of patches, by the first word of their names.
COMMANDS = {
    "patch": "Other languages of patches",
    "ops": "More ops",
    "oneliner": "Arguments of the command line",
    "anchors": "Anchors follow, or refuse",
    "stream": "Documents of a stream",
}
OPTIONS = VERBS | {"-o", "--merge", "-l", "-v", "--where", "--anchors", "--all-documents", "-i"}


def commands():
    """The cases of the main job whose options the playground has."""
    groups = {word: [] for word in COMMANDS}
    for path in sorted((ROOT / "fixtures/cli").glob("*.txtar")):
        group = groups.get(path.stem.split("-")[0])
        if group is None:
            continue
        files = archive(path)
        command = files["cmd"].strip()
        words = shlex.split(command)[1:]
        options = {word for word in words if word.startswith("-") and word != "-"}
        if words[0] not in files or not options <= OPTIONS or words.count("--where") > 1 or any(" -> " in name for name in files):
            continue
        results = {"", "cmd", "code", "stdout", "stderr"}
        inputs = {
            name: text
            for name, text in files.items()
            if name not in results and not name.startswith("after/")
        }
        try:
            play = of_command(command, inputs)
        except (KeyError, StopIteration):
            continue
        result = files.get(f"after/{words[0]}") or files.get("stdout")
        succeeds = files.get("code", "0\n") == "0\n"
        if succeeds and result is None or "base" not in play:
            continue
        group.append(
            {
                "id": f"cli/{path.stem}",
                "title": titled(path.stem),
                "notes": [prose(files[""])] if files[""].strip() else [],
                "command": command,
                "play": play,
                **({"after": {"": result}} if succeeds else {"fails": True}),
            }
        )
    return [{"title": COMMANDS[word], "examples": group} for word, group in groups.items() if group]


def state(base, ops=None, files=(), options=()):
    """The state of the playground for a document and an ops-file."""
    return {
        "mode": "patch",
        "base": {"name": "base.yml", "text": base},
        "patches": [] if ops is None else [{"name": "ops.yml", "text": ops, "as": "patch"}],
        "files": [{"name": name, "text": text} for name, text in dict(files).items()],
        "variables": "",
        "options": dict(options),
    }


def titled(name):
    return re.sub(r"\b[Jj]son\b", "JSON", capital(name.replace("-", " ")))


def capital(text):
    return text[:1].upper() + text[1:]


def by_topic(examples):
    """The examples by the topics in topics.json: the first topic whose pattern fits a name."""
    topics = json.loads((DOCS / "topics.json").read_text())
    groups = [{"title": title, "examples": []} for title in topics]
    for example in examples:
        name = example["id"].split("/")[1]
        at = next(i for i, pattern in enumerate(topics.values()) if re.match(pattern, name))
        groups[at]["examples"].append(example)
    return [group for group in groups if group["examples"]]


def rows(path):
    """The lines of a table: comments, and columns."""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            yield line[1:].strip(), None
        elif line.strip():
            yield None, line


def overrides():
    """What an own value becomes over an inherited one, from fixtures/merge/rules.txt."""
    groups = []
    for comment, line in rows(ROOT / "fixtures/merge/rules.txt"):
        if line is None:
            groups.append({"title": capital(comment), "rows": []})
            continue
        own, inherited, result = [cell.strip() for cell in line.split(" | ")][:3]
        base = "base: {}\n" if inherited == "-" else f"base: {{value: {inherited}}}\n"
        text = f"{base}web: {{+/base: , value: {own}}}\n"
        groups[-1]["rows"].append({"cells": [own, inherited, result], "play": state(text)})
    return [group for group in groups if group["rows"]]


def directives():
    """What directives make of a document, from fixtures/directive/cases.txt."""
    groups, files = [], []
    for comment, line in rows(ROOT / "fixtures/directive/cases.txt"):
        if line is None:
            groups.append({"title": capital(comment), "rows": []})
        elif line.startswith("@"):
            name, _, text = line[1:].partition(" ")
            files.append((name, text.strip().replace("\\n", "\n") + "\n"))
        else:
            base, result = [cell.strip() for cell in line.rsplit(" | ", 1)]
            base = base.replace("\\n", "\n")
            used = [file for file in files if file[0].split("/")[-1] in base or "include" in base]
            play = state(f"{base}\n", None, used)
            groups[-1]["rows"].append({"cells": [base, result], "play": play})
    return [group for group in groups if group["rows"]]


def museum():
    """Public faults of other editors, from fixtures/museum."""
    shapes = {}
    for path in sorted((ROOT / "fixtures/museum").glob("*.txtar")):
        files = archive(path)
        options = museum_options(files.get("args", ""))
        if options is None:
            continue
        story, *facts = files[""].strip().split("\n")
        facts = dict(fact.split(": ", 1) for fact in facts)
        if "edited" in files:
            play = {**state(files["before"]), "mode": "put", "other": {"name": "edited.json", "text": files["edited"]}}
        else:
            play = state(files["before"], files.get("patch"), (), options)
            play["patches"][0]["name"] = "patch.json"
        shapes.setdefault(facts["shape"], []).append(
            {
                "id": f"museum/{path.stem}",
                "title": titled(path.stem),
                "notes": [prose(story), f"<b>The rule:</b> {prose(facts['rule'])}"],
                "address": facts["address"],
                "play": play,
                **({"after": {"": files["after"]}} if "after" in files else {"fails": True}),
            }
        )
    return [{"title": titled(shape), "examples": examples} for shape, examples in sorted(shapes.items())]


def museum_options(text):
    """The options of a case; None for those that the page does not have."""
    words = shlex.split(text)
    pairs = dict(zip(words[::2], words[1::2]))
    if not pairs.keys() <= {"--anchors", "--where"}:
        return None
    return {name[2:]: value for name, value in pairs.items()}


# -- The rules of check --------------------------------------------------------------------

# The documents that the ops on a page are for; other pages show documents.
BASES = json.loads((ROOT / "fixtures/check/bases.json").read_text())
DOCUMENTS = {"ambiguous-scalar", "duplicate-key", "unreadable"}


def checks():
    """The pages of the rules of `check`, with their bad and good examples."""
    pages = []
    for path in sorted((ROOT / "src/check/rules").glob("*.md")):
        name, text = path.stem, path.read_text().split("\n\n", 1)[1]
        bad, _, good = text.partition("\nGood")
        examples = [
            {"title": title, "play": play}
            for title, part in (("The bad example", bad), ("The good one", good))
            if (play := check_state(name, part))
        ]
        # Live examples stand for those in the text.
        shown = text.partition("\nBad")[0] if len(examples) == 2 else text
        pages.append({"id": f"check/{name}", "title": name, "body": markdown(shown), "plays": examples})
    return pages


def check_state(name, text):
    """The state for the examples in a text; None for those of the command line."""
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.S)
    if blocks and name in DOCUMENTS:
        return state(blocks[0])
    if not blocks or name not in BASES:
        return None
    play = state(BASES[name])
    for number, block in enumerate(blocks):
        named = re.match(r"# (\S+\.yml)\n", block)
        name = named[1] if named else f"ops{number or ''}.yml"
        play["patches"].append({"name": name, "text": block, "as": "patch"})
    return play


def comparison():
    path = DOCS / "comparison.json"
    return json.loads(path.read_text()) if path.exists() else None


def speed():
    """The plot of `cargo bench`, where there is one."""
    plot = DOCS / "cost.svg"
    if not plot.exists():
        return ""
    source = base64.b64encode(plot.read_bytes()).decode()
    text = "Processor time of interpolate and others, by the size of the document"
    return (
        '<section id="speed"><h2>Speed</h2><p>Measured by <code>cargo bench</code>, all in one run.</p>'
        f'<img class="plot" alt="{text}" src="data:image/svg+xml;base64,{source}"></section>'
    )


# -- Text ----------------------------------------------------------------------------------


def prose(text):
    """A paragraph: `code`, [links](to) other pages without their address, and nothing else."""
    text = html.escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`` ?(.+?) ?``", r"<code>\1</code>", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)


def markdown(text):
    """Paragraphs and fences."""
    parts = re.split(r"```yaml\n(.*?)```", text, flags=re.S)
    out = []
    for number, part in enumerate(parts):
        if number % 2:
            out.append(f"<pre><code>{html.escape(part, quote=False)}</code></pre>")
        else:
            out += [f"<p>{prose(block)}</p>" for block in part.split("\n\n") if block.strip()]
    return "".join(out)


if __name__ == "__main__":
    main()
