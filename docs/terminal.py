#!/usr/bin/env python3
"""Draws docs/terminal.svg: a terminal with the real output of commands in ops/.

    python3 docs/terminal.py [--check] [PATH OF interpolate]

With --check, the file is not written: it fails if the file would change.
"""

import html
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAWN = ROOT / "docs/terminal.svg"
# The folder of a recipe and a command line, which is shown as it is.
COMMANDS = [
    (
        "container-image",
        "interpolate shop.yaml --where kind=Deployment,name=web \\\n"
        "    --set 'spec.template.spec.containers[name=web].image=shop/web:1.10.0' --diff",
    ),
    ("explain", "interpolate explain deployment.yaml -o scale.yaml -o site.yaml /spec/replicas"),
]
COLOURS = {"31": "#f47067", "32": "#8ddb8c", "36": "#6cb6ff", "1": "#ffffff"}
WIDTH, LINE, LEFT, TOP = 760, 19, 18, 44


def main():
    words = sys.argv[1:]
    is_check = words[:1] == ["--check"]
    program = pathlib.Path((words[is_check:] or [ROOT / "target/release/interpolate"])[0]).resolve()
    drawn = drawing(program)
    if not is_check:
        DRAWN.write_text(drawn, encoding="utf-8")
    elif DRAWN.read_text(encoding="utf-8") != drawn:
        sys.exit("docs/terminal.svg is not what the program prints: run docs/terminal.py")


def drawing(program):
    """Returns the drawing of all commands with what they print."""
    lines = []
    for folder, command in COMMANDS:
        first, *more = command.split("\n")
        lines += [f"\x1b[32m$\x1b[0m {first}", *more]
        lines += [*output(program, folder, command).rstrip("\n").split("\n"), ""]
    height = TOP + LINE * len(lines)
    text = "\n".join(
        f'<text x="{LEFT}" y="{TOP + LINE * i}" xml:space="preserve">{"".join(spans(line))}</text>'
        for i, line in enumerate(lines)
    )
    dots = "".join(f'<circle cx="{LEFT + 4 + 18 * i}" cy="16" r="5" fill="#57606a"/>' for i in range(3))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" \
font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<rect width="{WIDTH}" height="{height}" rx="8" fill="#22272e"/>
{dots}
{text}
</svg>
"""


def output(program, folder, command):
    """Returns what a command prints, in colour where it has some."""
    words = [str(program), *shlex.split(command.replace("\\\n", " "))[1:]]
    if words[-1] == "--diff":
        words += ["--color", "always"]
    done = subprocess.run(words, cwd=ROOT / "ops" / folder, capture_output=True, encoding="utf-8")
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def spans(line):
    """Returns the parts of a line with their colours."""
    colour = "#d0d7de"
    for part in re.split(r"(\x1b\[\d*m)", line):
        code = re.fullmatch(r"\x1b\[(\d*)m", part)
        if code:
            colour = COLOURS.get(code[1], "#d0d7de")
        elif part:
            yield f'<tspan fill="{colour}">{html.escape(part)}</tspan>'


if __name__ == "__main__":
    main()
