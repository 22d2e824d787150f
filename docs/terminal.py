"""Draws docs/terminal.svg: a terminal with the real output of commands in ops/.

    python3 docs/terminal.py [PATH OF interpolate]
"""

import html
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
PROGRAM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/interpolate").resolve()
# The folder of a recipe and a command line, which is shown as it is.
COMMANDS = [
    ("container-image", "interpolate shop.yaml --where kind=Deployment,name=web \\\n"
     "    --set 'spec.template.spec.containers[name=web].image=shop/web:1.10.0' --diff"),
    ("explain", "interpolate explain manifest.yml -o scale.yml -o site.yml \\\n"
     "    /instance_groups/name=web/instances"),
]
COLOURS = {"31": "#f47067", "32": "#8ddb8c", "36": "#6cb6ff", "1": "#ffffff"}
WIDTH, LINE, LEFT, TOP = 760, 19, 18, 44


def output(folder, command):
    words = command.replace("interpolate", f"'{PROGRAM}'", 1)
    if words.endswith("--diff"):
        words += " --color always"
    done = subprocess.run(words, shell=True, cwd=ROOT / "ops" / folder, capture_output=True, text=True)
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


lines = []
for folder, command in COMMANDS:
    lines += [f"\x1b[32m$\x1b[0m {line}" if not i else line for i, line in enumerate(command.split("\n"))]
    lines += output(folder, command).rstrip("\n").split("\n") + [""]
height = TOP + LINE * len(lines)
text = "\n".join(
    f'<text x="{LEFT}" y="{TOP + LINE * i}" xml:space="preserve">{"".join(spans(line))}</text>'
    for i, line in enumerate(lines))
dots = "".join(f'<circle cx="{LEFT + 4 + 18 * i}" cy="16" r="5" fill="#57606a"/>' for i in range(3))
(ROOT / "docs/terminal.svg").write_text(f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" \
font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<rect width="{WIDTH}" height="{height}" rx="8" fill="#22272e"/>
{dots}
{text}
</svg>
""")
