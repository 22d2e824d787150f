"""The suite of fixtures/ for any program."""

import sys

import pytest
from conftest import ROOT

SUITE = [sys.executable, ROOT / "fixtures/run.py"]
ADAPTER = [sys.executable, ROOT / "fixtures/museum/adapters/interpolate.py"]


def counts(printed):
    """Returns the last row of the table: right, wrong, refused, cannot express."""
    return [int(cell) for cell in printed.splitlines()[-1].strip("| ").split(" | ")[1:]]


def test_our_program_is_right(run):
    right, *others = counts(run(*SUITE, "--area", "merge", *ADAPTER))
    assert right > 20 and others == [0, 0, 0]


@pytest.mark.parametrize("area", ["museum", "patch", "merge", "diff"])
def test_each_area_has_cases(run, area):
    assert len(run(*SUITE, "--area", area, "--list").splitlines()) > 20


def test_another_program_is_judged(run):
    """One that repeats the document is right where nothing changes, and refuses nothing."""
    echo = "import json, sys; print(json.load(sys.stdin)['before'], end='')"
    right, wrong, refused, cannot = counts(run(*SUITE, "--area", "merge", sys.executable, "-c", echo))
    assert wrong > right and (refused, cannot) == (0, 0)
    cannot = "import sys; sys.exit(3)"
    assert counts(run(*SUITE, "--area", "merge", sys.executable, "-c", cannot))[:3] == [0, 0, 0]
