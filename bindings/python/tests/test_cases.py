"""The recipes of ops/ and the cases of fixtures/museum, through the module."""

import importlib.util
import re
import shlex

import pytest
from conftest import ROOT

import interpolate

MUSEUM = ROOT / "fixtures" / "museum"


def recipes():
    """The recipes that do nothing but apply files of ops to the first document."""
    for folder in sorted(ROOT.glob("ops/*/")):
        words = shlex.split((folder / "cmd").read_text())[1:] if (folder / "cmd").exists() else []
        if len(words) >= 3 and (folder / words[0]).is_file() and not (folder / "code").exists():
            rest = [word for word in words[1:] if word != "-i"]
            if rest[::2] == ["-o"] * (len(rest) // 2) and len(rest) % 2 == 0:
                yield pytest.param(folder, words[0], rest[1::2], id=folder.name)


@pytest.mark.parametrize("folder, base, ops", list(recipes()))
def test_recipe(folder, base, ops):
    document = interpolate.load((folder / base).read_text(), name=base)
    for name in ops:
        document.patch((folder / name).read_text(), name=name)
    after = folder / "after" / base
    expected = after if after.exists() else folder / "stdout"
    assert document.dump() == expected.read_text()


def test_there_are_recipes():
    assert len(list(recipes())) > 15


def museum():
    """The cases for an editor of plain data, read by the runner of the museum."""
    specification = importlib.util.spec_from_file_location("museum", MUSEUM.parent / "run.py")
    runner = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(runner)
    for path in sorted(MUSEUM.glob("*.txtar")):
        case = runner.read(path)
        text = re.search(r"^-- patch --\n(.*?)(?=^-- )", path.read_text(), re.M | re.S)
        case["text"] = text and text[1]
        if not case["args"] and ("patch" in case or "edited" in case):
            yield pytest.param(case, id=case["name"])


def answer(case):
    document = interpolate.load(case["before"])
    if "error" in case and case["text"]:
        # The lines of the text are part of what is expected.
        document.patch(case["text"], name="patch")
    elif "patch" in case:
        document.patch(case["patch"], name="patch")
    else:
        document.put(case["edited"])
    return document.dump()


@pytest.mark.parametrize("case", list(museum()))
def test_museum(case):
    if "error" in case:
        with pytest.raises(interpolate.Error) as raised:
            answer(case)
        assert case["error"].strip() in raised.value.rendered
    else:
        assert answer(case) == case["after"]
