"""What is written about the module: docstrings, stubs and the README."""

import doctest
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import interpolate

FOLDER = pathlib.Path(__file__).resolve().parents[1]

USE = """\
import pathlib
from collections.abc import MutableMapping, MutableSequence

import interpolate

doc = interpolate.load(pathlib.Path("a.yml"))
doc["web"]["port"] = 80
doc.update(a=1)
doc |= {"b": 2}
tag: str = doc.at("image.tag", None) or "latest"
name: object = doc.get("name", 5)


def edit(mapping: MutableMapping[str, int], items: MutableSequence[int]) -> None: ...


other = interpolate.load(b"- 1")
assert isinstance(other, interpolate.ListDocument)
edit(doc, other)
other.sort(key=lambda item: int(item), reverse=True)
other += [1]
text: str = other.dump()
merged = interpolate.merge(doc, doc, {"a": 1}).document["x"]
"""

# Names for annotations, and what maturin and PyO3 make.
UNSTUBBED = """\
interpolate.__all__
interpolate.Scalar
interpolate.Source
interpolate.Text
interpolate.Document.__new__
interpolate.interpolate
"""


def documented():
    """The objects of the module and their members, by name."""
    for name, value in vars(interpolate).items():
        if not name.startswith("_") and not inspect.ismodule(value):
            yield name, value
        if inspect.isclass(value):
            for member, inner in vars(value).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", inner


@pytest.mark.parametrize("name, value", list(documented()), ids=lambda it: it if isinstance(it, str) else "")
def test_docstring(name, value):
    assert inspect.getdoc(value)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner()
    test = parser.get_doctest(value.__doc__, {"interpolate": interpolate}, name, None, None)
    printed = []
    assert runner.run(test, out=printed.append).failed == 0, "".join(printed)


def test_there_are_examples():
    parser = doctest.DocTestParser()
    texts = [value.__doc__ or "" for _, value in documented()]
    assert sum(bool(parser.get_examples(text)) for text in texts) > 12


def test_the_stubs_name_what_there_is():
    package = pathlib.Path(interpolate.__file__).parent
    assert (package / "py.typed").exists()
    stubs = (package / "__init__.pyi").read_text()
    classes = [value for value in vars(interpolate).values() if inspect.isclass(value)]
    assert len(classes) > 12
    for cls in classes:
        if issubclass(cls, Exception):
            continue
        body = re.search(rf"class {cls.__name__}\b.*?(?=\n(?:@final\n)?(?:class|def) |\Z)", stubs, re.S)[0]
        stubbed = set(re.findall(r"^    def (\w+)|^    (\w+):", body, re.M))
        stubbed = {first or second for first, second in stubbed}
        here = {name for name in vars(cls) if not name.startswith("_")}
        assert {name for name in stubbed if not name.startswith("_")} == here, cls


def test_the_stubs_are_those_of_the_module(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "unstubbed").write_text(UNSTUBBED)
    arguments = ["-m", "mypy.stubtest", "interpolate", "--allowlist", "unstubbed", "--ignore-disjoint-bases"]
    run = subprocess.run([sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_programs_have_types(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "use.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_readme_runs():
    blocks = re.findall(r"^```python\n(.*?)^```", (FOLDER / "README.md").read_text(), re.M | re.S)
    assert len(blocks) == 3
    for block in blocks:
        expected = "".join(f"{line}\n" for line in re.findall(r"^# (.*)$", block, re.M))
        run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True)
        assert (run.returncode, run.stdout) == (0, expected), run.stderr


def test_the_example_of_the_repository_runs():
    text = (FOLDER.parents[1] / "README.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    names = {"interpolate": interpolate, "text": "web: {replicas: 1}\n", "edited": {"web": {"replicas": 2}}}
    exec(block, names)
    assert names["doc"].dump() == "web: {replicas: 2}\n"
