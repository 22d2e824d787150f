"""The schema of ops-files accepts what the program accepts."""

import json
import re

import jsonschema
import pytest
from conftest import ROOT

import interpolate

SCHEMA = json.loads((ROOT / "schemas" / "ops-file.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def is_ops_file(text):
    data = interpolate.load(text).to_data()
    return isinstance(data, list) and all(isinstance(op, dict) and "type" in op for op in data)


def recipes():
    for path in sorted(ROOT.glob("ops/*/*.y*ml")):
        text = path.read_text()
        if is_ops_file(text):
            yield pytest.param(text, id=f"{path.parent.name}/{path.name}")


def cases():
    """Those of fixtures/patch that succeed."""
    for path in sorted(ROOT.glob("fixtures/patch/*.txtar")):
        text = path.read_text()
        files = dict(re.findall(r"^-- (\S+) --\n(.*?)(?=^-- |\Z)", text, re.M | re.S))
        if "out.yml" in files and is_ops_file(files.get("ops.yml", "")):
            yield pytest.param(files["ops.yml"], id=path.stem)


@pytest.mark.parametrize("text", [*recipes(), *cases()])
def test_ops_files_are_valid(text):
    VALIDATOR.validate(interpolate.load(text).to_data())


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
    assert not VALIDATOR.is_valid(interpolate.load(text).to_data())
    with pytest.raises(interpolate.Error):
        interpolate.load("{a: 1, l: []}\n").patch(text)
