"""The files with which other programs run this one, tried by their published protocols."""

import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

import interpolate

MANIFESTS = """\
---
# Source: shop/service.yaml
kind: Service
metadata: {name: web}
---
# Source: shop/deployment.yaml
kind: Deployment
metadata: {name: web}   # public
spec: {replicas: 1}
"""
SCALE = "- {type: replace, path: /spec/replicas, value: 3, where: kind=Deployment}\n"
SCALED = MANIFESTS.replace("replicas: 1", "replicas: 3")
# A rendered manifest that would read a file of the machine, and a variable of its environment.
HOSTILE = """\
---
kind: ConfigMap
data: {+include: FILE, +?include: FILE}
---
kind: Deployment
metadata: {name: web, +/data: }
spec: {replicas: 1}
"""


@pytest.fixture
def hostile(tmp_path):
    """Manifests with directives, which no place may follow."""
    secret = tmp_path / "secret.yml"
    secret.write_text("password: hush\n")
    return HOSTILE.replace("FILE", str(secret))


def read(path):
    return interpolate.load((ROOT / path).read_text())


def test_helm_runs_the_post_renderer(run, tmp_path):
    """Helm gives the manifests on standard input, and adds --post-renderer-args."""
    plugin = read("packaging/helm/plugin.yaml").data
    assert (plugin["apiVersion"], plugin["type"]) == ("v1", "postrenderer/v1")
    assert plugin["runtime"] == "subprocess"
    assert re.fullmatch(r"[\w-]+", plugin["name"]) and plugin["version"]
    (platform,) = plugin["runtimeConfig"]["platformCommand"]
    (tmp_path / "ops.yml").write_text(SCALE)
    command = [platform["command"], *platform["args"]]
    assert run(*command, "-o", "ops.yml", input=MANIFESTS) == SCALED
    assert run(*command, "-o", "ops.yml", input="kind: Service\n", code=1) == ""


def test_helm_lets_no_chart_read_a_file(run, tmp_path, hostile):
    (platform,) = read("packaging/helm/plugin.yaml").data["runtimeConfig"]["platformCommand"]
    (tmp_path / "ops.yml").write_text(SCALE)
    command = [platform["command"], *platform["args"], "-o", "ops.yml"]
    assert run(*command, input=hostile) == hostile.replace("replicas: 1", "replicas: 3")


RESOURCES = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- kind: Deployment
  metadata:
    name: web   # public
    annotations: {internal.config.kubernetes.io/index: '0'}
  spec: {replicas: 1}
- kind: Service
  metadata: {name: web}
functionConfig:
"""


def test_kustomize_runs_the_function(run):
    """kustomize gives a ResourceList with the functionConfig on standard input."""
    config = (ROOT / "packaging/kustomize/scale.yaml").read_text()
    given = RESOURCES + re.sub("^", "  ", config, flags=re.M).rstrip(" ")
    function = ROOT / "packaging/kustomize/interpolate-krm"
    assert run(function, input=given) == given.replace("replicas: 1", "replicas: 3")
    wrong = given.replace("kind: Deployment", "kind: Job")
    assert run(function, input=wrong, code=1) == ""
    annotation = interpolate.load(config)["metadata"]["annotations"]["config.kubernetes.io/function"]
    assert interpolate.load(annotation)["exec"]["path"] == "./interpolate-krm"


def test_kustomize_lets_no_resource_read_a_file(run, tmp_path, hostile):
    """Neither one of the items, nor a value of an op."""
    function = ROOT / "packaging/kustomize/interpolate-krm"
    item, *_ = [part.strip("\n") for part in hostile.split("---")[1:]]
    value = f"{{+include: {tmp_path / 'secret.yml'}}}"
    ops = f"  ops:\n  - {{type: replace, path: /items/0/more?, value: {value}}}\n"
    given = "kind: ResourceList\nitems:\n- " + item.replace("\n", "\n  ") + "\nfunctionConfig:\n" + ops
    made = run(function, input=given)
    assert "hush" not in made and made.count("+include") == 3


def test_argo_cd_runs_the_plugin(run, tmp_path):
    """Argo CD runs `generate` in the folder of the application, and reads what it prints."""
    plugin = read("packaging/argocd/plugin.yaml").data
    assert plugin["kind"] == "ConfigManagementPlugin"
    (tmp_path / "manifests.yaml").write_text(MANIFESTS)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "scale.yaml").write_text(SCALE)
    glob = plugin["spec"]["discover"]["find"]["glob"]
    assert list(tmp_path.glob(glob))
    command = plugin["spec"]["generate"]["command"]
    assert run(*command) == SCALED
    (tmp_path / "ops" / "scale.yaml").rename(tmp_path / "ops" / "scale.yml")
    assert list(tmp_path.glob(glob))
    assert run(*command) == SCALED


def test_argo_cd_lets_no_manifest_read_a_file(run, tmp_path, hostile):
    command = read("packaging/argocd/plugin.yaml").data["spec"]["generate"]["command"]
    (tmp_path / "manifests.yaml").write_text(hostile)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "scale.yaml").write_text(SCALE)
    assert run(*command) == hostile.replace("replicas: 1", "replicas: 3")


def test_pre_commit_runs_the_hooks(run, tmp_path):
    """pre-commit runs `entry`, then the arguments of the user, then the files."""
    hooks = {hook["id"]: hook.data for hook in read(".pre-commit-hooks.yaml")}
    assert all(hook["language"] == "python" for hook in hooks.values())
    (tmp_path / "good.yml").write_text("a: 1\n")
    (tmp_path / "twice.yml").write_text("a: 1\na: 2\n")
    (tmp_path / "ops.yml").write_text("- {type: replace, path: /a, value: 2}\n")
    check = hooks["interpolate-check"]["entry"].split()
    # A warning alone fails, too.
    (tmp_path / "warned.yml").write_text("a: yes\n")
    run(*check, "good.yml")
    run(*check, "good.yml", "warned.yml", code=1)
    run(*check, "good.yml", "twice.yml", code=1)
    unchanged = hooks["interpolate-unchanged"]["entry"].split()
    run(*unchanged, "good.yml", "-o", "ops.yml", code=1)
    (tmp_path / "good.yml").write_text("a: 2\n")
    run(*unchanged, "good.yml", "-o", "ops.yml")


def wheel(folder, name, version, program):
    """Makes a wheel whose only file is a program."""
    stem = f"{name.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as packed:
        packed.writestr(f"{stem}.data/scripts/interpolate", f'#!/bin/sh\nexec "{program}" "$@"\n')
        packed.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        packed.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{about}/RECORD", "")


def test_the_action_runs_the_program(run, tmp_path):
    """The runner puts the inputs into the environment of each step, and what `install` adds to
    GITHUB_PATH on the path of the next one."""
    action = read("action.yml")
    install, use = action["runs"]["steps"].data
    package, version = (ROOT / "packaging/name").read_text().strip(), action["inputs"]["version"]["default"]
    assert action["inputs"]["package"]["default"] == ""
    # PyPI has one package here.
    wheel(tmp_path, package, version, shutil.which("interpolate"))
    python = [sys.executable, "-c"]
    surroundings = {"RUNNER_TEMP": str(tmp_path), "GITHUB_PATH": str(tmp_path / "path")}
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    assert {install["shell"], use["shell"]} == {"python"}
    run(*python, install["run"], PACKAGE="", VERSION=version, code=1, **surroundings, **pip)
    assert not (tmp_path / "path").exists() and not (tmp_path / "interpolate").exists()
    run(*python, install["run"], PACKAGE=package, VERSION=version, **surroundings, **pip)
    scripts = (tmp_path / "path").read_text().rstrip("\n")
    assert os.listdir(scripts).count("interpolate") == 1
    surroundings["PATH"] = os.pathsep.join([scripts, os.environ["PATH"]])

    def act(arguments, **more):
        return run(*python, use["run"], ARGS=arguments, **surroundings, **more)

    (tmp_path / "a.yml").write_text("a: 1   # one\n")
    act("a.yml\n--set 'a=two words $(touch run)' -i")
    assert interpolate.load((tmp_path / "a.yml").read_text())["a"] == "two words $(touch run)"
    assert not (tmp_path / "run").exists()
    assert act("- --set-string 'a=two\nlines'", input="a: 1\n") == "a: |-\n  two\n  lines\n"
    # The codes of the program: a fault, a file that would change, wrong usage.
    act("a.yml --rm b", code=1)
    act("a.yml --set a=1 --check", code=1)
    act("a.yml --no-such-option", code=2)


@pytest.mark.parametrize("wanted", [True, False])
def test_git_merges_and_compares(run, tmp_path, wanted):
    """The recipe of the manual: a merge and a diff driver of git."""
    settings = re.findall(r"^\$ (git config .*|echo .*attributes)$", (ROOT / "docs/manual.md").read_text(), re.M)
    assert len(settings) == 5
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    run("git", "init", "-q", "-b", "main", ".")
    for setting in settings if wanted else []:
        run("sh", "-c", setting)
    (tmp_path / "a.yml").write_text("image: shop:1\nreplicas: 1\n")
    run("git", "add", ".")
    run(*git, "commit", "-qm", "base")
    run("git", "checkout", "-qb", "theirs")
    (tmp_path / "a.yml").write_text("image: shop:2\nreplicas: 1\n")
    run(*git, "commit", "-qam", "image")
    run("git", "checkout", "-q", "main")
    (tmp_path / "a.yml").write_text("image: shop:1\nreplicas: 2\n")
    assert ("path: /replicas" in run("git", "diff")) == wanted
    run(*git, "commit", "-qam", "replicas")
    # By lines, neighbours conflict.
    run(*git, "merge", "-q", "theirs", code=0 if wanted else 1)
    text = (tmp_path / "a.yml").read_text()
    assert (text == "image: shop:2\nreplicas: 2\n") == wanted


VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def test_what_is_said_once_is_everywhere(run):
    run(ROOT / "packaging/stamp", "--check")


FACTS = ["maintainer", "name", "ready", "stamp"]


@pytest.fixture
def stamped(tmp_path):
    """Copies the files with the facts. Returns a function that runs `stamp` there."""
    stamp = ROOT / "packaging/stamp"
    files = subprocess.run([stamp, "--files"], capture_output=True, text=True, check=True).stdout.split()
    for file in [*files, "CHANGELOG.md", "Cargo.toml", *(f"packaging/{name}" for name in FACTS)]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return lambda *words: subprocess.run([tmp_path / "packaging/stamp", *words], capture_output=True).returncode


@pytest.mark.parametrize(
    "file, was, now",
    [
        ("packaging/name", "yaml-interpolate", "yaml-inter"),
        ("packaging/name", "yaml-interpolate", "yaml-interpolate-too"),
        ("packaging/maintainer", "maintainer@", "somebody@"),
        ("Cargo.toml", f'version = "{VERSION}"', 'version = "7.8.9"'),
        ("Cargo.toml", "publish = false", 'repository = "https://github.com/somebody/interpolate"'),
        ("pyproject.toml", f"=={VERSION}", "==7"),
        ("bindings/wasm/npm/package.json", '"yaml-interpolate"', '"yaml-interpolate2"'),
    ],
)
def test_a_fact_that_differs_is_found_and_written(stamped, tmp_path, file, was, now):
    text = (tmp_path / file).read_text()
    assert was in text and stamped("--check") == 0
    (tmp_path / file).write_text(text.replace(was, now, 1))
    assert stamped("--check") == 1
    assert stamped() == 0 and stamped("--check") == 0


def test_a_file_that_is_missing_is_no_success(stamped, tmp_path):
    (tmp_path / "action.yml").unlink()
    assert stamped("--check") == 1 and stamped() == 1


def test_a_release_needs_an_owner(stamped, tmp_path):
    """Neither the address nor the maintainer is known here."""

    def ready(tag):
        done = subprocess.run([tmp_path / "packaging/ready", tag], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    code, notes, why = ready(f"v{VERSION}")
    lacking = [line.partition(": ")[2].split()[0] for line in why.splitlines()]
    assert (code, notes, lacking) == (1, "", ["Cargo.toml", "packaging/maintainer"])
    (tmp_path / "packaging/maintainer").write_text("Somebody <somebody@example.com>\n")
    cargo = (tmp_path / "Cargo.toml").read_text()
    address = 'repository = "https://github.com/somebody/interpolate"'
    (tmp_path / "Cargo.toml").write_text(cargo.replace("publish = false", address))
    assert ready(f"v{VERSION}")[0] == 1
    assert stamped() == 0
    code, notes, why = ready(f"v{VERSION}")
    assert (code, why) == (0, "") and notes.startswith("### Added\n")
    assert ready("v7.8.9")[:2] == (1, "")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- All.\n")
    assert ready(f"v{VERSION}")[:2] == (1, "")
