"""What only Python shows: dicts and lists, exceptions, plain data."""

import json
import pathlib
import subprocess
import sys
import threading

import pytest

import interpolate

TEXT = """\
# The shop.
name: shop   # the name
azs: [z1, z2]
jobs:
- name: web   # public
  port: 80
- name: db
  port: 5432
labels: {app/name: a, x=y: b, 80: c, yes?: d}
"""


@pytest.fixture
def doc():
    return interpolate.load(TEXT, name="shop.yml")


def test_a_mapping_is_like_a_dict(doc):
    assert len(doc) == 4
    assert list(doc) == list(doc.keys()) == ["name", "azs", "jobs", "labels"]
    assert "name" in doc and "nome" not in doc
    labels = [("app/name", "a"), ("x=y", "b"), (80, "c"), ("yes?", "d")]
    assert list(doc["labels"].items()) == labels
    assert doc["labels"][80] == "c" and 80 in doc["labels"]
    assert doc["labels"] == {"app/name": "a", "x=y": "b", 80: "c", "yes?": "d"}
    assert list(doc["labels"].values()) == ["a", "b", "c", "d"]
    assert doc["azs"] != ["z1"]


def test_a_list_is_like_a_list(doc):
    jobs = doc["jobs"]
    assert len(jobs) == 2 and jobs[-1]["name"] == "db"
    assert [job["port"] for job in jobs] == [80, 5432]
    assert "z2" in doc["azs"] and "z3" not in doc["azs"]
    assert jobs[0].path == "/jobs/0"


def test_edits_keep_the_text(doc):
    doc["name"] = "store"
    doc["jobs"][0]["port"] = 8080
    doc["jobs"][1]["tls"] = True
    doc["azs"].append("z3")
    doc["azs"].insert(-99, "z0")
    doc["azs"].extend(["z4", "z5"])
    doc["labels"]["x=y"] = "B"
    doc["labels"][80] = "C"
    del doc["labels"]["app/name"]
    del doc["azs"][1]
    assert doc.dump() == """\
# The shop.
name: store   # the name
azs: [z0, z2, z3, z4, z5]
jobs:
- name: web   # public
  port: 8080
- name: db
  port: 5432
  tls: true
labels: {x=y: B, 80: C, yes?: d}
"""


def test_an_iteration_may_edit(doc):
    for job in doc["jobs"]:
        job["port"] += 1
    for key in doc:
        del doc[key]
    assert doc.data == {}


def test_values_of_any_type():
    value = {"a": [1, -(2**100), 0.5, None, True, "yes", b"\x00\xff"], "b": {}, "c": (1, "2")}
    doc = interpolate.load("{}\n")
    doc["value"] = value
    assert doc["value"] == {**value, "c": [1, "2"]}
    again = interpolate.load(doc.dump()).data["value"]
    assert again == {**value, "c": [1, "2"]}
    doc["copy"] = doc["value"]["a"]
    assert doc["copy"] == value["a"]


def test_keys_of_any_type():
    data = interpolate.load("1: a\n1.5: b\ntrue: c\nnull: d\n[1, 2]: e\n").data
    assert list(data.items()) == [(1, "a"), (1.5, "b"), (True, "c"), (None, "d"), ((1, 2), "e")] or (
        # In Python, 1 and True are one key.
        data == {1: "c", 1.5: "b", None: "d", (1, 2): "e"}
    )


KEYS = """\
80: integer
"80": text
null: nothing
true: yes it is
1.5: float
"None": N
"True": T
"1.5": f
[a, b]: list
"""


@pytest.mark.parametrize(
    "key, value",
    [
        (80, "integer"),
        ("80", "text"),
        (None, "nothing"),
        ("None", "N"),
        (True, "yes it is"),
        ("True", "T"),
        (1.5, "float"),
        ("1.5", "f"),
        (("a", "b"), "list"),
    ],
)
def test_a_key_has_a_type(key, value):
    doc = interpolate.load(KEYS)
    assert doc[key] == value and key in doc
    assert dict(doc.items())[key] == value
    assert list(doc.data) == list(doc)


@pytest.mark.parametrize("key", [None, True, 80, 1.5, ("a", "b"), b"80"])
def test_a_key_of_another_type_is_missing(key):
    text = '"null": 1\n"true": 1\n"80": 1\n"1.5": 1\n'
    doc = interpolate.load(text)
    assert key not in doc
    with pytest.raises(KeyError, match="there is no key"):
        doc[key]
    with pytest.raises(interpolate.NotFound):
        del doc[key]
    assert doc.dump() == text


@pytest.mark.parametrize("key", [None, True, 80, 1.5])
def test_a_key_with_the_text_of_another_one_is_refused(key):
    text = '"null": 1\n"true": 1\n"80": 1\n"1.5": 1\n'
    doc = interpolate.load(text)
    for edit in (lambda: doc.update({"a": 1, key: 5}), lambda: doc.__setitem__(key, 5)):
        with pytest.raises(interpolate.Error, match="another type"):
            edit()
    assert doc.dump() == text


def test_a_new_key_keeps_its_type():
    doc = interpolate.load("ports: {80: http}   # open\n")
    doc["ports"][443] = "https"
    doc["ports"].update({None: [1], 1.5: "x", True: {"a": 1}})
    new = {443: "https", None: [1], 1.5: "x", True: {"a": 1}}
    assert doc["ports"] == {80: "http", **new}
    assert interpolate.load(doc.dump()).data == doc.data
    assert doc.dump().startswith("ports: {80: http, 443: https, ")


def test_a_text_is_no_other_key():
    text = "80: integer\nnull: nothing\ntrue: 1\n"
    doc = interpolate.load(text)
    for key in ("80", "null", "true", "None", "True"):
        assert key not in doc
        with pytest.raises(KeyError):
            doc[key]
    with pytest.raises(interpolate.Error, match="another type"):
        doc["80"] = 1
    doc[80], doc[None] = 1, 2
    del doc[True]
    assert doc.dump() == "80: 1\nnull: 2\n"


def test_equal_keys_of_two_types():
    doc = interpolate.load("1: integer\ntrue: boolean\n")
    assert (doc[1], doc[True], doc[1.0]) == ("integer", "boolean", "boolean")
    assert interpolate.load("1: one\n")[True] == "one"


def test_an_entry_that_no_pointer_names_is_only_read():
    doc = interpolate.load('80: {a: 1}\n81: x\n"80": {b: 2}\n"81": y\n')
    assert doc["80"] == {"b": 2} and (doc[81], doc["81"]) == ("x", "y")
    for edit in (lambda: doc[80], lambda: doc.__setitem__(81, 1), lambda: doc.__delitem__(81)):
        with pytest.raises(interpolate.Error, match="another type"):
            edit()
    doc["81"] = "z"
    assert doc.dump() == '80: {a: 1}\n81: x\n"80": {b: 2}\n"81": z\n'


def test_a_key_must_be_hashable(doc):
    with pytest.raises(TypeError, match="unhashable"):
        doc[[1]]


@pytest.mark.parametrize(
    "value, error", [(object(), TypeError), ({1, 2}, TypeError), (2**200, OverflowError)]
)
def test_other_values_are_refused(doc, value, error):
    with pytest.raises(error):
        doc["name"] = value
    assert doc.dump() == TEXT


def test_endless_values_are_refused(doc):
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError):
        doc["name"] = endless
    assert doc.dump() == TEXT


def test_paths(doc):
    for path in ("/jobs/name=db/port", "jobs[name=db].port", "$.jobs[1].port", "jobs[-1].port"):
        assert doc.at(path) == doc.at(path, None) == 5432
        assert [place.path for place in doc.explain(path)] == ["/jobs/1/port"]
    assert doc.at("/jobs/name=dc/port", None) is None
    assert doc.at("/jobs/name=dc/port", default=1) == 1
    assert doc.at("/jobs/-1").data == {"name": "db", "port": 5432}
    assert doc["jobs"].at("[0].name") == doc["jobs"].at("/0/name") == "web"
    assert doc.at("").data == doc.data
    assert doc.select("$.jobs[?@.port > 100].name") == ["db"]
    doc.set("/env?/proxy", "p")
    doc.set("env.home.dir", "d")
    doc.set("$.jobs[*].tls", True)
    doc.delete("/jobs/name=web")
    doc.delete("jobs[0].tls")
    doc.delete("/nothing?")
    assert doc["env"] == {"proxy": "p", "home": {"dir": "d"}}
    assert doc["jobs"] == [{"name": "db", "port": 5432}]


@pytest.mark.parametrize("path", ["/jobs/name=dc/a", "jobs[name=dc]", "$.jobs[7]", "jobs[7].name"])
def test_a_path_that_leads_nowhere(doc, path):
    for lookup in (doc.at, doc.delete, lambda path: doc.set(path + ".a.b", 1)):
        with pytest.raises(interpolate.NotFound):
            lookup(path)
    assert doc.at(path, None) is None
    assert doc.dump() == TEXT


def test_a_path_that_is_wrong_has_no_default(doc):
    for path in ("jobs[", "$.jobs[", "$.jobs[*]", "/jobs/-1:wrong"):
        with pytest.raises(interpolate.Error) as raised:
            doc.at(path, None)
        assert not isinstance(raised.value, interpolate.NotFound)


def test_get_takes_a_key(doc):
    assert doc.get("name") == "shop" and doc.get("/name") is None
    assert doc["labels"].get("app/name") == "a" and doc["labels"].get(80) == "c"
    assert doc.get("jobs[0]", 5) == 5
    with pytest.raises(AttributeError):
        doc["azs"].get(0)


def test_an_error_has_places(doc):
    with pytest.raises(interpolate.Error) as raised:
        doc.patch("- {type: remove, path: /jobs/name=dc}\n", name="ops.yml")
    error = raised.value
    assert [str(place) for place in error.places] == ["ops.yml:1:29", "shop.yml:4:1"]
    assert error.places[0].line == 1 and error.places[0].note
    assert error.message and error.message in str(error)
    assert "ops.yml:1:29" in error.rendered
    assert error.problems[0].places == error.places
    with pytest.raises(interpolate.Error, match="1 \\| a: \\[b") as raised:
        try:
            interpolate.load("a: [b\n")
        except interpolate.Error as syntax:
            raise interpolate.Error(syntax.rendered) from syntax


def test_what_is_missing_is_a_lookup_error(doc):
    for lookup in (lambda: doc["nome"], lambda: doc["azs"][9], lambda: doc.at("/jobs/name=wb")):
        for kind in (KeyError, IndexError, interpolate.Error, interpolate.NotFound):
            with pytest.raises(kind):
                lookup()
    with pytest.raises(interpolate.NotFound, match="did you mean 'name'"):
        doc["nome"]
    with pytest.raises(interpolate.NotFound):
        del doc["nome"]
    with pytest.raises(interpolate.NotFound):
        doc["azs"][2] = "z3"
    with pytest.raises(TypeError):
        doc["azs"]["z1"]
    gone = doc["jobs"][1]
    del doc["jobs"]
    with pytest.raises(interpolate.NotFound):
        len(gone)


def test_a_failed_patch_changes_nothing(doc):
    with pytest.raises(interpolate.Error):
        doc.patch([{"type": "remove", "path": "/name"}, {"type": "remove", "path": "/nome"}])
    assert doc.dump() == TEXT


def test_put_keeps_variables_and_templates():
    doc = interpolate.load("url: ((host)):80   # inside\nsum: '{{ 1 + 1 }}'\nn: 1\n")
    edited = {"url": "db:80", "sum": 2, "n": 2}
    assert doc.put(edited, values={"host": "db"}, evaluate=True) == []
    assert doc.dump() == "url: ((host)):80   # inside\nsum: '{{ 1 + 1 }}'\nn: 2\n"


def test_put_keeps_comments(doc):
    del doc["labels"]
    kept = doc.dump()
    data = json.loads(json.dumps(doc.data, sort_keys=True))
    assert doc.put(data) == []
    assert doc.dump() == kept
    data["jobs"][0]["port"] = 81
    doc.put(data)
    assert doc.dump() == kept.replace("port: 80", "port: 81")
    doc["name"] = "store"
    assert doc.dump().splitlines()[1] == "name: store   # the name"


def test_directives_and_variables():
    doc = interpolate.load("base: {a: 1}\nweb: {+/base: , url: ((host))}\n")
    data = {"base": {"a": 1}, "web": {"a": 5, "url": "((host))"}}
    doc.put(data)
    assert doc.dump() == "base: {a: 1}\nweb: {+/base: , url: ((host)), a: 5}\n"
    doc.expand()
    doc.fill({"host": "example.org"})
    assert doc["web"] == {"a": 5, "url": "example.org"}


def test_explain(doc):
    doc.patch("- {type: replace, path: /jobs/name=web/port, value: 81}\n", name="ops.yml")
    doc["jobs"][0]["port"] = 82
    (history,) = doc.explain("jobs[name=web].port")
    assert (history.path, history.value) == ("/jobs/0/port", "82")
    events = [(it.by, it.action, it.before, it.after) for it in history.events]
    assert events == [
        ("text", "read", None, "80"),
        ("op", "changed", "80", "81"),
        ("op", "changed", "81", "82"),
    ]
    assert str(history.events[1].place).startswith("ops.yml:1:")
    assert history.events[2].place is None


def test_diff_and_merge(doc):
    ops = interpolate.diff(TEXT, {**doc.data, "name": "store"})
    assert ops == "- type: replace\n  path: /name\n  value: store\n"
    doc.patch(ops)
    assert doc["name"] == "store"
    merged = interpolate.merge(TEXT, doc, TEXT.replace("[z1, z2]", "[z1]").replace(": shop ", ": mine "))
    assert [(it.document, it.path, str(it)) for it in merged.conflicts] == [
        (None, "/name", "/name")
    ]
    assert merged.document["azs"] == ["z1"]
    assert "<<<<<<<" in merged.marked


def test_dialects():
    assert interpolate.load("a: yes\n")["a"] == "yes"
    assert interpolate.load("a: yes\n", dialect="yaml-1.1")["a"] is True
    with pytest.raises(ValueError, match="core, go or yaml-1.1, not 'yaml-2'"):
        interpolate.load("a: yes\n", dialect="yaml-2")


def test_only_the_first_document_is_edited():
    doc = interpolate.load("a: 1\n---\na: 1 # two\n")
    doc["a"] = 2
    assert doc.dump() == "a: 2\n---\na: 1 # two\n"


def test_threads_edit_one_document():
    doc = interpolate.load("{}\n")

    def add(start):
        for number in range(start, start + 50):
            doc[f"k{number}"] = number

    threads = [threading.Thread(target=add, args=(start,)) for start in (0, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(doc) == 100


def test_the_program_is_on_the_path():
    program = pathlib.Path(sys.executable).parent / "interpolate"
    arguments = [program, "-", "--set", "name=store"]
    run = subprocess.run(arguments, input=TEXT, capture_output=True, text=True)
    assert run.stdout == TEXT.replace(": shop", ": store"), run.stderr
