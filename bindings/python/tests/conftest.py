"""The root of the project, whose recipes and cases are run here, too."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
