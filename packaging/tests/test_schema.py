"""The schema of ops-files against the program."""

import itertools
import json
import re
import sys

import jsonschema
import pytest
from conftest import ROOT

import interpolate

sys.path.insert(0, str(ROOT / "fixtures"))
import archive

SCHEMA = json.loads((ROOT / "schemas" / "ops-file.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def is_ops_file(text):
    data = interpolate.load(text).data
    return isinstance(data, list) and all(isinstance(op, dict) and "type" in op for op in data)


def recipes():
    for path in sorted(ROOT.glob("ops/*/*.y*ml")):
        text = path.read_text()
        if is_ops_file(text):
            yield pytest.param(text, id=f"{path.parent.name}/{path.name}")


def cases():
    """Those of fixtures/patch that succeed."""
    for path in sorted(ROOT.glob("fixtures/patch/*.txtar")):
        files = archive.texts(path)[1]
        if "out.yml" in files and is_ops_file(files.get("ops.yml", "")):
            yield pytest.param(files["ops.yml"], id=path.stem)


@pytest.mark.parametrize("text", [*recipes(), *cases()])
def test_ops_files_are_valid(text):
    VALIDATOR.validate(interpolate.load(text).data)


def test_there_are_ops_files():
    assert len(list(recipes())) > 10 and len(list(cases())) > 10
    VALIDATOR.check_schema(SCHEMA)


WRONG = [
    "{type: remove, path: /a}",
    "[{type: remov, path: /a}]",
    "[{type: remove}]",
    "[{path: /a, value: 1}]",
    "[{type: replace, path: /a}]",
    "[{type: remove, path: /a, value: 1}]",
    "[{type: remove, path: /a, comment: x}]",
    "[{type: test, path: /a}]",
    "[{type: test, path: /a, value: 1, comment: x}]",
    "[{type: copy, path: /b}]",
    "[{type: copy, path: /b, from: /a, value: 1}]",
    "[{type: move, path: /b, from: /a, unless: exists}]",
    "[{type: merge, path: /a, value: 1}]",
    "[{type: merge, path: /a}]",
    "[{type: insert, path: /l, value: 1, unless: equal}]",
    "[{type: insert, path: /l, value: 1, form: /a}]",
    "[{type: replace, path: /a, value: 1, unless: exists}]",
    "[{type: replace, path: /a, value: 1, optional: maybe}]",
    "[{type: replace, path: /a, value: 1, anchors: follows}]",
    "[{type: replace, path: a, value: 1}]",
]


@pytest.mark.parametrize("text", WRONG)
def test_wrong_ones_are_not(text):
    assert not VALIDATOR.is_valid(interpolate.load(text).data)
    with pytest.raises(interpolate.Error):
        interpolate.load("{a: 1, l: []}\n").patch(text)


# Where ops of each type succeed.
DOCUMENT = """\
a: 1
l: [1]
m:
  x: 1
"""
OWN = {
    "replace": {"path": "/a"},
    "remove": {"path": "/a"},
    "test": {"path": "/a"},
    "copy": {"path": "/b", "from": "/a"},
    "move": {"path": "/b", "from": "/a"},
    "merge": {"path": "/m", "value": {"y": 2}},
    "insert": {"path": "/l", "value": 2},
}
MORE = {
    "from": "/m",
    "value": 1,
    "absent": True,
    "error": "why",
    "where": "kind=A",
    "optional": True,
    "anchors": "copy",
    "comment": "x",
    "comment_above": "x",
    "unless": "exists",
}
PATHS = {
    "copy": ["/b", "/l", "/l/-", "/l/0", "/l/0?", "/l/0:prev", "/l/0:after", "/l/x=1:before", "/l/x=1", "$.l", "$"],
    "move": ["$.l"],
    "insert": ["$.l", "/l/-"],
}


def generated():
    """Ops of each type with up to three more fields, or without one of its own."""
    for kind, own in OWN.items():
        for count in range(4):
            for names in itertools.combinations(MORE, count):
                yield {"type": kind, **{name: MORE[name] for name in names}, **own}
        for path, unless in itertools.product(PATHS.get(kind, []), [{}, {"unless": "exists"}]):
            yield {"type": kind, **own, "path": path, **unless}
        for name in own:
            yield {"type": kind, **{key: value for key, value in own.items() if key != name}}


def refusal(op):
    """Why the program refuses the op itself, whatever the document is; None if it does not."""
    try:
        interpolate.load(DOCUMENT).patch(json.dumps([op]))
    except interpolate.Error as error:
        refused = re.match(r"operation \[0\]|Building ops: |Deserializing ", error.message)
        return error.message if refused else None


# What bosh's ops ignore.
IGNORED = {"replace": ["from", "absent"], "remove": ["from", "absent"], "test": ["from"]}


def test_generated_ops():
    """The schema refuses what the program refuses, and fields that would have no effect."""
    accepted = 0
    for op in generated():
        is_valid, why = VALIDATOR.is_valid([op]), refusal(op)
        ignored = [name for name in IGNORED.get(op["type"], []) if name in op]
        assert is_valid == (why is None and not ignored), (op, why)
        accepted += is_valid
    assert accepted > 200
