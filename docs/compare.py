#!/usr/bin/env python3
"""Measures what tools do to one file, and writes comparison.json.

    python3 docs/compare.py FILE NAME ADDRESS

FILE is the values.yaml of a Helm chart with `server.replicaCount` and `server.retention`; each
tool sets both. Tools that are not on the path are left out, and named in the notes. The time is
that of the processor, the best of some runs.
"""

import difflib
import json
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

RUNS = 5

FILTER = '.server.replicaCount = 3 | .server.retention = "30d"'

OPS = """\
- type: replace
  path: /server/replicaCount
  value: 3
- type: replace
  path: /server/retention
  value: "30d"
"""

RUAMEL = """\
import sys
from ruamel.yaml import YAML
yaml = YAML()
yaml.preserve_quotes = True
yaml.width = 10**6
yaml.indent(mapping=2, sequence=4, offset=2)
data = yaml.load(open(sys.argv[1]))
data["server"]["replicaCount"] = 3
data["server"]["retention"] = "30d"
yaml.dump(data, sys.stdout)
"""

# The name, the command that tells the version, and the command that edits.
TOOLS = [
    ("interpolate", ["interpolate", "--version"], ["interpolate", "FILE", "-o", "ops.yml"]),
    ("jaq", ["jaq", "--version"], ["jaq", "--from", "yaml", "--to", "yaml", FILTER, "FILE"]),
    ("gojq", ["gojq", "--version"], ["gojq", "--yaml-input", "--yaml-output", FILTER, "FILE"]),
    ("yq (kislyuk), -y", ["sh", "-c", "dpkg-query -W yq || yq --version"], ["yq", "-y", FILTER, "FILE"]),
    ("yq (mikefarah)", ["mikefarah-yq", "--version"], ["mikefarah-yq", FILTER, "FILE"]),
    ("yaqpy, the language of mikefarah's yq", ["yaqpy", "--version"], ["yaqpy", FILTER, "FILE"]),
    (
        "ruamel.yaml, round trip",
        ["python3", "-c", "import ruamel.yaml; print(ruamel.yaml.__version__)"],
        ["python3", "ruamel-edit.py", "FILE"],
    ),
    ("kustomize", ["kustomize", "version"], ["kustomize", "build", "."]),
    ("ytt", ["ytt", "version"], ["ytt", "-f", "FILE", "-f", "overlay.yml"]),
    ("bosh", ["bosh", "--version"], ["bosh", "interpolate", "FILE", "-o", "ops.yml"]),
]


def main():
    file, name, address = sys.argv[1:]
    folder = Path(file).resolve().parent
    (folder / "ops.yml").write_text(OPS)
    (folder / "ruamel-edit.py").write_text(RUAMEL)
    before = Path(file).read_text()
    measured, missing = [], []
    for tool, version, command in TOOLS:
        facts = measure(tool, version, command, Path(file), before) if shutil.which(command[0]) else None
        if facts:
            measured.append(facts)
        else:
            missing.append(tool)
    lines = before.count("\n")
    comments = sum(map(bool, map(comment, before.splitlines())))
    facts = {
        "text": [
            f'Each tool sets two values, <code>server.replicaCount</code> and <code>server.retention</code>, in <a href="{address}">{name}</a>: '
            f"{lines} lines, {comments} of them with comments. Two lines have to differ.",
        ],
        "tools": measured,
        "notes": [
            "The time is that of the processor for one run, start of the program included, the best of "
            f"{RUNS}. For jaq, gojq and yq a file of YAML is data in another spelling: they are not made to keep its text.",
            f"Not at hand, and so not measured: {', '.join(missing)}." if missing else "",
        ],
    }
    path = Path(__file__).resolve().parent / "comparison.json"
    path.write_text(json.dumps(facts, indent=2) + "\n")


def measure(tool, version, command, file, before):
    argv = [file.name if word == "FILE" else word for word in command]
    runs = []
    for _ in range(RUNS):
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(argv, cwd=file.parent, capture_output=True, text=True)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
        if done.returncode != 0:
            print(f"{tool}: {done.stderr}", file=sys.stderr)
            return None
    told = subprocess.run(version, capture_output=True, text=True)
    after = done.stdout
    return {
        "name": tool,
        "version": re.search(r"\d+(\.\d+)+", told.stdout + told.stderr)[0],
        "command": " ".join(f"'{word}'" if " " in word else word for word in argv),
        "lines": differing(before, after),
        "comments": lost(Counter(map(comment, before.splitlines())), Counter(map(comment, after.splitlines()))),
        "blanks": max(0, blank(before) - blank(after)),
        "milliseconds": round(min(runs) * 1000),
    }


def differing(before, after):
    """The number of lines of the old and the new text that are not in both."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


def comment(line):
    found = re.search(r"(?:^|\s)#(.*)$", line)
    return found[1].strip() if found else ""


def lost(before, after):
    return sum((before - after).values()) - max(0, before[""] - after[""])


def blank(text):
    return sum(not line.strip() for line in text.splitlines())


if __name__ == "__main__":
    main()
