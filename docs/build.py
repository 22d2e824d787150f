#!/usr/bin/env python3
"""Builds the page: docs/site/index.html, one file that needs no server and no network.

    python3 docs/build.py [--engine]

The engine comes from bindings/wasm; it is built if it is missing or older than its sources, or with
--engine. All else comes from the cookbook (ops/), the cases (fixtures/), the pages of the rules of `check`, the
names of the rules in rules.json, the facts in comparison.json and, if there is one, the plot cost.svg.
"""

import base64
import gzip
import html
import json
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT / "fixtures"))

import archive
import command_line

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
    if "--engine" in sys.argv or is_old(engine / "interpolate.js"):
        built = subprocess.run([WASM / "build.sh", "full"])
        if built.returncode:
            sys.exit("the page has a live engine, which could not be built")
    recipes = [recipe(folder) for folder in sorted((ROOT / "ops").iterdir()) if folder.is_dir()]
    data = {
        "recipes": in_sections(recipes),
        "patch": by_topic(patches()) + commands(PATCHES),
        "scalars": [scalars(), spellings()],
        "variables": commands(VARIABLES),
        "merge": [{"title": "", "examples": patches("merge")}],
        "directives": directives(),
        "overrides": overrides(),
        "save": [{"title": "", "examples": saves()}, *commands(SAVES)],
        "diff": [{"title": "", "examples": diffs()}, *commands(DIFFS)],
        "versions": commands(VERSIONS),
        "museum": museum(),
        "checks": checks(),
        "comparison": comparison(),
    }
    lists = [group for name in LISTS for group in data[name]]
    page = (DOCS / "page/index.html").read_text(encoding="utf-8")
    parts = {
        "style": (DOCS / "page/style.css").read_text(encoding="utf-8"),
        "recipes": str(len(recipes)),
        "museum": str(sum(len(group["examples"]) for group in data["museum"])),
        "cases": str(sum(len(group["examples"]) for group in lists)),
        "speed": speed(),
        "data": as_script(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
        "wasm": packed((engine / "interpolate_bg.wasm").read_bytes()),
        "script": "\n".join(
            [(engine / "interpolate.js").read_text(encoding="utf-8")]
            + [(DOCS / "page" / name).read_text(encoding="utf-8") for name in SCRIPTS]
        ).replace("</script", "<\\/script"),
    }
    page = re.sub(r"@([a-z]+)@", lambda found: parts[found[1]], page)
    SITE.mkdir(exist_ok=True)
    (SITE / "index.html").write_text(page, encoding="utf-8")
    print(f"docs/site/index.html: {len(page.encode()) / 1e6:.1f} MB")


def is_old(made):
    """True if a built file is missing, or a source of the engine is newer."""
    if not made.exists():
        return True
    sources = [ROOT / "Cargo.toml", WASM / "Cargo.toml", WASM / "build.sh"]
    sources += [*(ROOT / "src").rglob("*"), *(WASM / "src").rglob("*")]
    return max(source.stat().st_mtime for source in sources) > made.stat().st_mtime


def packed(data):
    """The bytes compressed, as text. No time in them: equal input gives an equal page."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def as_script(text):
    """JSON that cannot end the element that it stands in."""
    return text.replace("<", "\\u003c")


# -- The cookbook --------------------------------------------------------------------------


def recipe(folder):
    """A folder of the cookbook, with the state of the playground that opens it."""
    title, when, why = (folder / "README.md").read_text(encoding="utf-8").strip().split("\n\n", 2)
    output = {"README.md", "cmd", "stdout", "stderr", "code"}
    files = {
        file.name: file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name not in output
    }
    shown = lambda name: (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
    command = shown("cmd").strip()
    after = folder / "after"
    return {
        "id": f"ops/{folder.name}",
        "title": prose(title.removeprefix("# ")),
        "notes": [prose(when), prose(why)],
        "command": command,
        "output": shown("stdout") + shown("stderr"),
        "after": {file.name: file.read_text(encoding="utf-8") for file in sorted(after.iterdir())} if after.exists() else {},
        "play": of_command(command, files),
    }


MODES = {"diff": "diff", "merge": "merge", "save": "put", "rebase": "rebase"}
ROLES = {
    "patch": ["base"],
    "diff": ["base", "other"],
    "merge": ["base", "other", "third"],
    "put": ["base", "other"],
    "rebase": ["base", "other"],
}
# Options that choose what is printed or written, and change no result.
OF_THE_OUTPUT = ("-i", "--diff", "--exit-code", "--explain-save", "--fix", "--strict", "--var-errs", "--var-errs-unused")


class NotOnThePage(Exception):
    """A command line that the playground has no way to show."""


def of_command(line, files):
    """The state of the playground for a command line."""
    command, pairs = command_line.read(line)
    if command not in ("", "check", "explain", "plan", *MODES):
        raise NotOnThePage(command)
    mode = MODES.get(command, "patch")
    roles, used = list(ROLES[mode]), set()

    def named(name):
        used.add(name)
        if name not in files:
            raise NotOnThePage(f"the file {name}")
        return {"name": name, "text": files[name]}

    state = {"mode": mode, "patches": [], "files": [], "variables": "", "options": {}}
    for option, value in pairs:
        if option in ("-o", "--merge"):
            state["patches"].append({**named(value), "as": "merge" if option == "--merge" else "patch"})
        elif option == "" and roles:
            state[roles.pop(0)] = named(value)
        elif option == "" and command != "explain":
            raise NotOnThePage(f"several documents: {value}")
        elif option == "-l":
            state["variables"] += named(value)["text"]
        elif option and option not in OF_THE_OUTPUT:
            set_option(state, option, value)
    if why := hindrance(state, roles):
        raise NotOnThePage(why)
    state["files"] = [named(name) for name in files if name not in used]
    return state


def hindrance(state, missing):
    """Why the playground cannot show a state; None if it can."""
    mode = state["mode"]
    if missing:
        return "a document is missing"
    if mode == "put" and (state["patches"] or state["variables"]):
        return "a save with ops-files or variables"
    if mode in ("diff", "merge") and is_stream(state):
        return "a stream"
    texts = [re.sub("^ *#.*$", "", state[role]["text"], flags=re.M) for role in ROLES[mode]]
    if mode != "patch" and not all(text.strip() for text in texts):
        return "an empty file, which may be that of a command that failed"
    if mode == "diff" and re.search(r'(^|[{,])\s*"?\+\W', "\n".join(texts), re.M):
        return "a comparison of expansions"
    if state["options"].keys() >= {"where", "evaluate"}:
        return "templates in some documents of a stream"
    return None


def is_stream(state):
    """True if one of the documents is several."""
    texts = (state[role]["text"] for role in ROLES[state["mode"]])
    return any(re.search("^---", text, re.M) for text in texts)


def set_option(state, option, value):
    """Puts an option of the command line into a state."""
    if option in command_line.ARGUMENTS:
        last = state["patches"][-1:]
        if not last or last[0]["as"] != "arguments":
            state["patches"].append({"name": "command line", "text": "", "as": "arguments"})
        state["patches"][-1]["text"] += f"{option} {value}\n"
    elif option == "-v":
        name, _, text = value.partition("=")
        if text.startswith("!"):
            raise NotOnThePage("a tag of a variable, which a file of variables would read")
        # Nothing behind `=` is an empty text, not null.
        state["variables"] += f"{name}: {text}\n" if text else f'{name}: ""\n'
    elif option in ("--where", "--anchors") and option[2:] not in state["options"]:
        state["options"][option[2:]] = value
    elif option == "--schema":
        state["options"]["dialect"] = "" if value == "core" else value
    elif option == "--all-documents":
        state["options"]["allDocuments"] = True
    elif option == "--eval" and not value and state["mode"] == "patch":
        state["options"]["evaluate"] = True
    else:
        raise NotOnThePage(option)


def in_sections(recipes):
    """The recipes in the sections of their index."""
    by_id = {recipe["id"]: recipe for recipe in recipes}
    sections = []
    for line in (ROOT / "ops/README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            sections.append({"title": line[3:], "examples": []})
        elif found := re.search(r"\]\(([a-z0-9-]+)\) \|", line):
            sections[-1]["examples"].append(by_id.pop(f"ops/{found[1]}"))
    assert not by_id, f"ops/README.md lacks {list(by_id)}"
    return sections


# -- The cases -----------------------------------------------------------------------------


# The lists of cases in the section of rules.
LISTS = ("patch", "variables", "merge", "save", "diff", "versions")


def read(path):
    """The files of a case; its comment has the name ''."""
    comment, files = archive.texts(path)
    return {"": comment, **files}


def is_text(path):
    """False for a case with bytes that are no UTF-8."""
    try:
        return bool(read(path))
    except UnicodeDecodeError:
        return False


def example(path, files, play, after=None, **more):
    """An example; without a result, it fails. Its name is the first sentence of its comment."""
    title, _, more_text = re.sub(r"(?<=[.!?]) (?=[A-Z`<])", "\n", " ".join(files[""].split())).partition("\n")
    return {
        "id": f"{path.parent.name}/{path.stem}",
        "title": prose(title.removesuffix(".")) if title else titled(path.stem),
        "notes": [prose(more_text)] if more_text else [],
        "play": play,
        **more,
        **({"fails": True} if after is None else {"after": {"": after}}),
    }


def others(files, *known):
    """The files of a case beside those with a meaning."""
    return {name: text for name, text in files.items() if name and name not in known}


def archives(folder):
    return sorted((ROOT / "fixtures" / folder).glob("*.txtar"))


def patches(folder="patch"):
    """The cases of fixtures/patch and fixtures/merge."""
    examples = []
    for path in archives(folder):
        files = read(path)
        if not files.get("args"):
            more = others(files, "base.yml", "ops.yml", "out.yml", "error.txt")
            play = state(files["base.yml"], files.get("ops.yml"), more)
            examples.append(example(path, files, play, files.get("out.yml")))
    return examples


def saves():
    """The cases of fixtures/save whose options the playground has."""
    examples = []
    for path in archives("save"):
        files = read(path)
        more = others(files, "source.yml", "edited.yml", "options", "out.yml", "note.txt")
        options = " ".join(files.get("options", "").split())
        inputs = {name: files[name] for name in ("source.yml", "edited.yml")} | more
        if (play := shown(f"interpolate save source.yml edited.yml {options}", inputs)) is not None:
            examples.append(example(path, files, play, files.get("out.yml")))
    return examples


def diffs():
    """The cases of fixtures/diff."""
    examples = []
    for path in archives("diff"):
        files = read(path)
        dialect = " --schema go" if path.stem.endswith("-go") else ""
        inputs = {name: files[name] for name in ("old.yml", "new.yml")}
        play = shown(f"interpolate diff old.yml new.yml{dialect}", inputs)
        if play is not None:
            examples.append(example(path, files, play, files["ops.yml"]))
    return examples


def shown(line, files):
    """The state for a command line; None if the playground cannot show it."""
    try:
        return of_command(line, files)
    except NotOnThePage:
        return None


# Cases of the command line, by the first words of their names.
PATCHES = {
    "patch": "Other languages of patches",
    "ops": "More ops",
    "oneliner": "Arguments of the command line",
    "anchors": "Anchors follow, or refuse",
    "stream": "Documents of a stream",
    "schema": "Dialects",
}
VARIABLES = {"var": "", "vars": "Files of variables"}
SAVES = {"save": "More of saving"}
DIFFS = {"diff": "More comparisons", "command-diff": "Streams and dialects"}
VERSIONS = {"merge": ""}


def commands(titles):
    """The cases of the command line whose options the playground has."""
    groups = {words: [] for words in titles}
    for path in archives("cli"):
        words = next((words for words in titles if path.stem.startswith(f"{words}-")), None)
        if words is None or archive.links(path) or not is_text(path):
            continue
        files = read(path)
        # Other formats, messages of bosh, and wrong command lines are not on the page.
        line, code = files["cmd"].strip(), files.get("code", "0\n").strip()
        command = line.split()[1]
        play = shown(line, inputs(files)) if code != "2" and command not in ("check", "explain", "plan") else None
        # The page saves all documents of a stream, and leaves an unknown variable as it is.
        if play is None or play["mode"] == "put" and is_stream(play) or "--var-errs" in line:
            continue
        result = files.get(f"after/{play['base']['name']}") or files.get("stdout")
        # A difference and a conflict have a code, and a result.
        succeeds = code == "0" or play["mode"] in ("diff", "merge") and result is not None
        if not succeeds or result is not None and "--diff" not in line:
            after = result if succeeds else None
            groups[words].append(example(path, files, play, after, command=line))
    return [{"title": titles[words], "examples": group} for words, group in groups.items() if group]


def inputs(files):
    """The files of a case of the command line that are its input."""
    results = ("cmd", "code", "env", "stdin", "stdout", "stderr")
    return {name: text for name, text in others(files, *results).items() if not name.startswith("after/")}


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
    topics = json.loads((DOCS / "topics.json").read_text(encoding="utf-8"))
    groups = [{"title": title, "examples": []} for title in topics]
    for example in examples:
        name = example["id"].split("/")[1]
        at = next(i for i, pattern in enumerate(topics.values()) if re.match(pattern, name))
        groups[at]["examples"].append(example)
    return [group for group in groups if group["examples"]]


def rows(path):
    """The lines of a table: comments, and columns."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            yield line[1:].strip(), None
        elif line.strip():
            yield None, line


DIALECTS = {"core": "", "go": "go", "yaml-1.1": "yaml-1.1"}


def table(name):
    """The cases of a table in JSON, a line each."""
    return map(json.loads, (ROOT / "fixtures" / name).read_text(encoding="utf-8").strip().split("\n"))


def scalars():
    """What a plain scalar means in each dialect: it equals the spelled-out value."""
    found = []
    for case in table("scalar/mean.jsonl"):
        text = case["in"]
        means = [meaning(case[dialect]) for dialect in DIALECTS]
        if "\n" in text:
            continue
        # The dialect that differs most from what people expect.
        at = max((i for i in range(3) if means[i][1]), key=lambda i: means[i] != means[0], default=0)
        spelled = means[at][1] or "''"
        # The tag of a text is data, and stays; that of bytes goes with their spelling.
        if text.startswith("!") and not text.startswith("!!binary") and spelled.startswith('"'):
            spelled = f"{text.split()[0]} {spelled}"
        other = {"name": "spelled-out.yml", "text": f"value: {spelled}\n"}
        play = {**state(f"value: {text}\n"), "mode": "diff", "other": other}
        play["options"] = {"dialect": [*DIALECTS.values()][at]}
        after = {"after": "[]\n"} if means[at][1] else {}
        found.append({"cells": [text, *(cell for cell, _ in means)], "play": play, **after})
    names = ["Scalar", "YAML 1.2", "Go's YAML", "YAML 1.1"]
    return {"title": "What a scalar means", "names": names, "rows": found}


def meaning(value):
    """A value as people read it, and as YAML that means it in every dialect; '' for an error."""
    if not isinstance(value, dict):
        text = json.dumps(value, ensure_ascii=False)
        return text, text
    ((kind, text),) = value.items()
    if kind == "error":
        return "an error", ""
    if kind == "binary":
        return f"the bytes {text}", f"!!binary {text}"
    return text, f"!!{kind} {text}"


def spellings():
    """How a text is written where YAML would read something else."""
    found = []
    for case in table("scalar/spell.jsonl"):
        # The quotes that a printer prefers are no option of the playground, which makes blocks of lines.
        if "quote" in case or "\n" in case["text"]:
            continue
        ops = [{"op": "replace", "path": path, "value": case["text"]} for path in ("/block", "/flow/0")]
        play = state("block: x\nflow: [x]\n", json.dumps(ops, ensure_ascii=False))
        play["patches"][0]["name"] = "patch.json"
        after = f"block: {case['block']}\nflow: [{case['flow']}]\n"
        found.append({"cells": [case["text"], case["block"], case["flow"]], "play": play, "after": after})
    return {"title": "How a text is written", "names": ["Text", "In a block", "In brackets"], "rows": found}


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
    for path in archives("museum"):
        files = read(path)
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
    _, pairs = command_line.read(f"interpolate {text}")
    if not {option for option, _ in pairs} <= {"--anchors", "--where"}:
        return None
    return {option[2:]: value for option, value in pairs}


# -- The rules of check --------------------------------------------------------------------

# The documents that the ops on a page are for; other pages show documents.
BASES = json.loads((ROOT / "fixtures/check/bases.json").read_text(encoding="utf-8"))
DOCUMENTS = {"ambiguous-scalar", "duplicate-key", "unreadable"}


def checks():
    """The pages of the rules of `check`, with their bad and good examples."""
    titles = json.loads((DOCS / "rules.json").read_text(encoding="utf-8"))
    pages = []
    for path in sorted((ROOT / "src/check/rules").glob("*.md")):
        name, text = path.stem, path.read_text(encoding="utf-8").split("\n\n", 1)[1]
        bad, _, good = text.partition("\nGood")
        examples = [
            {"title": title, "play": play}
            for title, part in (("The bad example", bad), ("The good one", good))
            if (play := check_state(name, part))
        ]
        # Live examples stand for those in the text.
        shown = text.partition("\nBad")[0] if len(examples) == 2 else text
        title = titles.pop(name)
        page = {"id": f"check/{name}", "title": title, "rule": name, "body": markdown(shown), "plays": examples}
        # Rules about files beside the document have no place in the playground.
        pages.append({**page, "runs": [] if examples else [run_of(name)]})
    assert not titles, f"rules.json has names of no rule: {list(titles)}"
    return pages


def run_of(rule):
    """The shortest case of the command line that finds a rule."""
    found = []
    for path in archives("cli"):
        if path.stem.startswith("check-") and is_text(path):
            files = read(path)
            if f"[{rule}]" in files.get("stdout", "") and "--format" not in files["cmd"]:
                found.append(files)
    files = min(found, key=lambda files: len(files["stdout"]))
    return {"command": files["cmd"].strip(), "files": inputs(files), "output": files["stdout"]}


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
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


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
