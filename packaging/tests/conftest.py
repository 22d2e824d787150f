"""The program on the path, and the root of the project. The wheel is installed."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def run(tmp_path):
    """Runs a command in an empty folder and returns what it prints."""

    def run(*command, input="", code=0, **environment):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=tmp_path,
            input=input,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
