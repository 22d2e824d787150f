#!/usr/bin/env python3
"""Measures what tools do to one file, and writes comparison.json.

    python3 docs/compare.py FILE NAME ADDRESS

FILE is the values.yaml of a Helm chart with `server.replicaCount` and `server.retention`; each
tool sets both. It works on a copy in a temporary folder. Tools that are not on the path are named in
the notes, and so are those that fail. The time is that of the processor, the best of some runs.
"""

import difflib
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

RUNS = 5

FILTER = '.server.replicaCount = 3 | .server.retention = "30d"'

# What tools need beside FILE, which is values.yaml there.
FILES = {
    "ops.yml": """\
- type: replace
  path: /server/replicaCount
  value: 3
- type: replace
  path: /server/retention
  value: "30d"
""",
    "ruamel-edit.py": """\
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
""",
    "overlay.yml": """\
#@ load("@ytt:overlay", "overlay")
#@overlay/match by=overlay.all
---
server:
  replicaCount: 3
  retention: "30d"
""",
    # kustomize edits resources only, and values.yaml is none.
    "kustomization.yaml": """\
resources: [resource.yaml]
patches:
- target: {kind: Values}
  patch: |
    - {op: replace, path: /server/replicaCount, value: 3}
    - {op: replace, path: /server/retention, value: 30d}
""",
}
RESOURCE = "apiVersion: example.org/v1\nkind: Values\nmetadata:\n  name: values\n"

# The name, the command that tells the version, what the version must say, and the command that edits.
TOOLS = [
    ("interpolate", "interpolate --version", "", ["interpolate", "FILE", "-o", "ops.yml"]),
    ("jaq", "jaq --version", "", ["jaq", "--from", "yaml", "--to", "yaml", FILTER, "FILE"]),
    ("gojq", "gojq --version", "", ["gojq", "--yaml-input", "--yaml-output", FILTER, "FILE"]),
    # Two programs have the name `yq`; the one that Debian packs does not know its version.
    ("yq (kislyuk), -y", "dpkg-query -W -f '${Version}\\n' yq 2>/dev/null; yq --version", r"^yq \d", ["yq", "-y", FILTER, "FILE"]),
    ("yq (mikefarah)", "yq --version", "mikefarah", ["yq", FILTER, "FILE"]),
    ("yaqpy, the language of mikefarah's yq", "yaqpy --version", "", ["yaqpy", FILTER, "FILE"]),
    (
        "ruamel.yaml, round trip",
        'python3 -c "import ruamel.yaml; print(ruamel.yaml.__version__)"',
        "",
        ["python3", "ruamel-edit.py", "FILE"],
    ),
    ("kustomize", "kustomize version", "", ["kustomize", "build", "."]),
    ("ytt", "ytt version", "", ["ytt", "-f", "FILE", "-f", "overlay.yml"]),
    ("bosh", "bosh --version", "", ["bosh", "interpolate", "FILE", "-o", "ops.yml"]),
]


def main():
    file, name, address = sys.argv[1:]
    before = Path(file).read_text(encoding="utf-8")
    measured, missing, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for made, text in {"values.yaml": before, "resource.yaml": RESOURCE + before, **FILES}.items():
            Path(folder, made).write_text(text, encoding="utf-8")
        for tool, asked, wanted, command in TOOLS:
            version = version_of(command[0], asked, wanted)
            if version is None:
                missing.append(tool)
                continue
            # Its own fields of the resource are no change.
            given = RESOURCE + before if tool == "kustomize" else before
            try:
                measured.append({"name": tool, "version": version, **measure(command, folder, given)})
            except RuntimeError as error:
                failed.append(tool)
                print(f"{tool}: {error}", file=sys.stderr)
    lines = before.count("\n")
    comments = sum(map(bool, map(comment, before.splitlines())))
    notes = [
        "The time is that of the processor for one run, start of the program included, the best of "
        f"{RUNS}. For jaq, gojq and yq a file of YAML is data in another spelling: they are not made to keep its text.",
        missing and f"Not at hand, and so not measured: {', '.join(missing)}.",
        failed and f"Failed: {', '.join(failed)}.",
    ]
    facts = {
        "text": [
            f'Each tool sets two values, <code>server.replicaCount</code> and <code>server.retention</code>, in <a href="{address}">{name}</a>: '
            f"{lines} lines, {comments} of them with comments. Two lines have to differ.",
        ],
        "tools": measured,
        "notes": [note for note in notes if note],
    }
    path = Path(__file__).resolve().parent / "comparison.json"
    path.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def version_of(program, command, wanted):
    """Returns the version of a program; None if it is missing, or another program has its name."""
    if not shutil.which(program):
        return None
    done = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8")
    told = done.stdout + done.stderr
    found = re.search(r"\d+(\.\d+)+", told)
    return found[0] if done.returncode == 0 and found and re.search(wanted, told, re.M) else None


def measure(command, folder, before):
    """Runs an edit, and returns its facts. Raises RuntimeError if it fails."""
    argv = ["values.yaml" if word == "FILE" else word for word in command]
    runs = []
    for _ in range(RUNS):
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(argv, cwd=folder, capture_output=True, encoding="utf-8")
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
    after = done.stdout
    return {
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
