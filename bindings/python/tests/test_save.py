"""The cases of fixtures/save with variables or templates, which `put` keeps."""

import sys

import pytest
from conftest import ROOT

import interpolate

sys.path.append(str(ROOT / "fixtures"))
import archive  # noqa: E402


def arguments(files):
    """Returns the arguments of `put` for the options of a case; nothing for other ones."""
    values, evaluate, words = {}, False, files.get("options", "").split()
    while words:
        word = words.pop(0)
        if word == "-v":
            name, value = words.pop(0).split("=", 1)
            values[name] = interpolate.load(f"value: {value}\n", dialect="go")["value"]
        elif word == "-l":
            values.update(interpolate.load(files[words.pop(0)], dialect="go"))
        elif word == "--eval":
            evaluate = True
        elif word != "--explain-save":
            return None
    return {"values": values, "evaluate": evaluate} if values or evaluate else None


def cases():
    for path in sorted((ROOT / "fixtures" / "save").glob("*.txtar")):
        _, files = archive.texts(path)
        given = arguments(files)
        if given is not None:
            yield pytest.param(files, given, id=path.stem)


@pytest.mark.parametrize("files, given", list(cases()))
def test_put(files, given):
    document = interpolate.load(files["source.yml"], name="source.yml")
    edited = interpolate.load(files["edited.yml"], name="edited.yml")
    if "out.yml" in files:
        document.put(edited, **given)
        assert document.dump() == files["out.yml"]
    else:
        with pytest.raises(interpolate.Error):
            document.put(edited, **given)


def test_there_are_cases():
    assert len(list(cases())) > 20
