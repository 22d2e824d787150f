"""The files with which other programs run this one, tried by their published protocols."""

import os
import re

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
    plugin = read("packaging/helm/plugin.yaml").to_data()
    assert (plugin["apiVersion"], plugin["type"]) == ("v1", "postrenderer/v1")
    assert plugin["runtime"] == "subprocess"
    assert re.fullmatch(r"[\w-]+", plugin["name"]) and plugin["version"]
    (platform,) = plugin["runtimeConfig"]["platformCommand"]
    (tmp_path / "ops.yml").write_text(SCALE)
    command = [platform["command"], *platform["args"]]
    assert run(*command, "-o", "ops.yml", input=MANIFESTS) == SCALED
    assert run(*command, "-o", "ops.yml", input="kind: Service\n", code=1) == ""


def test_helm_lets_no_chart_read_a_file(run, tmp_path, hostile):
    (platform,) = read("packaging/helm/plugin.yaml").to_data()["runtimeConfig"]["platformCommand"]
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
    plugin = read("packaging/argocd/plugin.yaml").to_data()
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
    command = read("packaging/argocd/plugin.yaml").to_data()["spec"]["generate"]["command"]
    (tmp_path / "manifests.yaml").write_text(hostile)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "scale.yaml").write_text(SCALE)
    assert run(*command) == hostile.replace("replicas: 1", "replicas: 3")


def test_pre_commit_runs_the_hooks(run, tmp_path):
    """pre-commit runs `entry`, then the arguments of the user, then the files."""
    hooks = {hook["id"]: hook.to_data() for hook in read(".pre-commit-hooks.yaml")}
    assert all(hook["language"] == "python" for hook in hooks.values())
    (tmp_path / "good.yml").write_text("a: 1\n")
    (tmp_path / "twice.yml").write_text("a: 1\na: 2\n")
    (tmp_path / "ops.yml").write_text("- {type: replace, path: /a, value: 2}\n")
    check = hooks["interpolate-check"]["entry"].split()
    run(*check, "--strict", "good.yml")
    run(*check, "--strict", "good.yml", "twice.yml", code=1)
    unchanged = hooks["interpolate-unchanged"]["entry"].split()
    run(*unchanged, "good.yml", "-o", "ops.yml", code=1)
    (tmp_path / "good.yml").write_text("a: 2\n")
    run(*unchanged, "good.yml", "-o", "ops.yml")


def test_the_action_runs_the_program(run, tmp_path):
    """The runner puts the inputs into the environment of each step."""
    action = read("action.yml")
    install, use = action["runs"]["steps"].to_data()
    bin = tmp_path / "interpolate" / "bin"
    bin.mkdir(parents=True)
    # The steps are those of the action; only pip, which would ask PyPI, is another one.
    (bin / "pip").write_text('#!/bin/sh\necho "$@" >asked\n')
    (bin / "pip").chmod(0o755)
    program = next(p for p in map(lambda d: os.path.join(d, "interpolate"), os.environ["PATH"].split(":")) if os.path.exists(p))
    (bin / "interpolate").symlink_to(program)
    (tmp_path / "no-venv" ).mkdir()
    (tmp_path / "no-venv" / "python3").write_text("#!/bin/sh\n")
    (tmp_path / "no-venv" / "python3").chmod(0o755)
    surroundings = {
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_PATH": str(tmp_path / "path"),
        "PATH": f"{tmp_path / 'no-venv'}:{os.environ['PATH']}",
    }
    package = action["inputs"]["package"]["default"]
    run("bash", "-ec", install["run"], PACKAGE=package, VERSION="0.1.0", **surroundings)
    assert (tmp_path / "asked").read_text() == f"install --quiet {package}==0.1.0\n"
    assert (tmp_path / "path").read_text() == f"{bin}\n"
    (tmp_path / "a.yml").write_text("a: 1   # one\n")
    arguments = "a.yml --set 'a=two words $(touch run)' -i"
    run("bash", "-ec", use["run"], ARGS=arguments, **surroundings)
    assert interpolate.load((tmp_path / "a.yml").read_text())["a"] == "two words $(touch run)"
    assert not (tmp_path / "run").exists()
    run("bash", "-ec", use["run"], ARGS="a.yml --rm b", code=123, **surroundings)


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


def test_all_packages_have_one_name(run):
    run(ROOT / "packaging/rename", "--check")
