"""Nodes as the collections of Python: what a dict and a list do, and what the text keeps."""

import copy
import datetime
import io
import pathlib
import pickle
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

import pytest

import interpolate

TEXT = """\
# The shop.
name: "shop"   # the name
# All jobs.
jobs:
# public
- name: web   # w
  port: 80
# the database
- name: db
  port: 5432
- name: aux   # a
azs: [z2, z3, z1]   # zones
base: &base {x: 1, l: [1]}
web: {<<: *base, y: 2}
"""


@pytest.fixture
def doc():
    return interpolate.load(TEXT, name="shop.yml")


def lines(doc, start, end):
    return doc.dump().splitlines()[start:end]


def test_classes(doc):
    jobs = doc["jobs"]
    for mapping in (doc, jobs[0]):
        assert isinstance(mapping, MutableMapping) and isinstance(mapping, interpolate.MappingNode)
        assert not isinstance(mapping, Sequence)
        assert not hasattr(mapping, "append")
    for items in (jobs, interpolate.load("- 1\n")):
        assert isinstance(items, MutableSequence) and isinstance(items, interpolate.ListNode)
        assert not isinstance(items, Mapping)
        assert not hasattr(items, "keys")
    assert isinstance(doc, interpolate.MappingDocument) and isinstance(doc, interpolate.Document)
    assert isinstance(interpolate.load("- 1\n"), interpolate.ListDocument)
    scalar = interpolate.load("text\n")
    assert type(scalar) is interpolate.Document and scalar.data == "text"
    scalar.put({"a": 1})
    assert isinstance(scalar.at(""), MutableMapping)


def test_classes_are_made_by_load():
    for cls in (interpolate.Document, interpolate.MappingDocument, interpolate.ListDocument):
        for arguments in ((), ("a: 1",), (interpolate.load("a: {}")["a"],)):
            with pytest.raises(TypeError):
                cls(*arguments)
    for cls in (interpolate.Node, interpolate.MappingNode, interpolate.ListNode):
        with pytest.raises(TypeError):
            cls()


def test_a_mapping_without_a_text():
    for text in ("", "# nothing\n", "null\n"):
        doc = interpolate.load(text)
        assert isinstance(doc, MutableMapping)
        assert (len(doc), list(doc), doc.get("a"), "a" in doc) == (0, [], None, False)
        doc.update(a=1, b=2)
        assert doc == {"a": 1, "b": 2}
    doc = interpolate.load("# nothing\n")
    doc["a"] = {"b": 1}
    assert doc.dump() == "# nothing\na:\n  b: 1\n"


def test_get_setdefault_and_pop(doc):
    job = doc["jobs"][1]
    assert job.get("port") == 5432 and job.get("tls") is None and job.get("tls", 0) == 0
    assert job.setdefault("port", 1) == 5432
    job.setdefault("env", {})["A"] = "b"
    assert job.setdefault("none") is None and job["none"] is None
    assert job.pop("env") == {"A": "b"} and type(doc.pop("azs")) is list
    assert job.pop("env", None) is None
    with pytest.raises(KeyError):
        job.pop("env")
    assert job.popitem() == ("none", None)
    assert list(job) == ["name", "port"] and list(reversed(job)) == ["port", "name"]
    job.clear()
    assert job == {} and not job
    with pytest.raises(KeyError, match="empty"):
        job.popitem()


def test_update(doc):
    doc["web"].update({"y": 3, "z": [1]}, q=None)
    doc["web"].update([("r", 1)])
    doc["web"] |= {"s": {"t": 1}}
    assert doc["web"] == {"y": 3, "x": 1, "l": [1], "z": [1], "q": None, "r": 1, "s": {"t": 1}}
    assert doc["base"] == {"x": 1, "l": [1]}
    for wrong in (5, [1], {"a": 1, "b": object()}):
        with pytest.raises((TypeError, ValueError)):
            doc.update(wrong)
    assert "a" not in doc
    doc["copy"] = doc["jobs"][0]
    assert doc["copy"] == doc["jobs"][0] and doc["copy"].path == "/copy"


def test_views(doc):
    web = doc["web"]
    assert web.keys() & {"x", "z"} == {"x"} and web.keys() >= {"y", "l"}
    assert dict(web) == {**web} == dict(web.items()) == web.data
    assert len(web.values()) == 3 and ("x", 1) in web.items()
    for key in doc.keys():
        del doc[key]
    assert doc.dump().endswith("{}\n")


def test_a_merge_key_is_read_and_edits_are_own(doc):
    web = doc["web"]
    assert "x" in web and "<<" not in web and len(web) == 3
    web["l"].append(2)
    del web["x"]
    assert web == {"y": 2, "l": [1, 2]} and doc["base"] == {"x": 1, "l": [1]}


def test_slices(doc):
    azs = doc["azs"]
    assert azs[1:] == ["z3", "z1"] and azs[::-1] == ["z1", "z3", "z2"] and azs[-1] == "z1"
    assert [job["name"] for job in doc["jobs"][:2]] == ["web", "db"]
    azs[1:2] = ["a", "b"]
    assert azs == ["z2", "a", "b", "z1"]
    azs[::2] = ["c", "d"]
    assert azs == ["c", "a", "d", "z1"]
    with pytest.raises(ValueError, match="extended slice of size 2"):
        azs[::2] = [1]
    del azs[::3]
    assert azs == ["a", "d"]
    azs[5:] = (letter for letter in "pq")
    azs[:0] = ["s"]
    assert lines(doc, 11, 12) == ["azs: [s, a, d, p, q]   # zones"]
    del azs[:]
    assert azs == [] and lines(doc, 11, 12) == ["azs: []   # zones"]


def test_a_list_that_is_filtered_keeps_comments(doc):
    jobs = doc["jobs"]
    jobs[:] = [job for job in jobs if job["name"] != "web"]
    assert lines(doc, 3, 8) == [
        "jobs:",
        "# the database",
        "- name: db",
        "  port: 5432",
        "- name: aux   # a",
    ]
    jobs[:] = reversed(jobs)
    assert lines(doc, 4, 6) == ["- name: aux   # a", "# the database"]


def test_sort_takes_comments_along(doc):
    doc["jobs"].sort(key=lambda job: job["name"])
    assert lines(doc, 3, 11) == [
        "jobs:",
        "- name: aux   # a",
        "# the database",
        "- name: db",
        "  port: 5432",
        "# public",
        "- name: web   # w",
        "  port: 80",
    ]
    doc["jobs"].reverse()
    assert doc.dump() == TEXT
    doc["azs"].sort()
    assert doc["azs"] == ["z1", "z2", "z3"]
    doc["azs"].sort(key=str, reverse=True)
    assert lines(doc, 11, 12) == ["azs: [z3, z2, z1]   # zones"]
    with pytest.raises(TypeError):
        doc["jobs"].sort()
    with pytest.raises(KeyError):
        doc["jobs"].sort(key=lambda job: job["port"])


def test_a_sort_is_stable():
    doc = interpolate.load("".join(f"- [{number % 3}, {number}]\n" for number in range(50)))
    data = doc.data
    for reverse in (False, True):
        doc.sort(key=lambda item: item[0], reverse=reverse)
        data.sort(key=lambda item: item[0], reverse=reverse)
        assert doc == data
    doc.sort()
    assert doc == sorted(data)


def test_the_methods_of_a_list(doc):
    azs = doc["azs"]
    assert azs.index("z3") == 1 and azs.count("z1") == 1 and azs.index("z1", -1) == 2
    for wrong in (lambda: azs.index("z9"), lambda: azs.remove("z9"), lambda: azs.index("z2", 1)):
        with pytest.raises(ValueError):
            wrong()
    azs.remove("z3")
    azs += ("z4", "z5")
    assert azs.pop() == "z5" and azs.pop(0) == "z2"
    azs.insert(-1, "y")
    azs.insert(99, {"a": [1]})
    assert azs == ["z1", "y", "z4", {"a": [1]}]
    assert list(reversed(azs))[0] == {"a": [1]}
    doc["jobs"].remove({"name": "aux"})
    assert len(doc["jobs"]) == 2
    assert doc["jobs"].pop() == {"name": "db", "port": 5432}
    azs.clear()
    for missing in (lambda: azs.pop(), lambda: azs[0], lambda: azs[-1], lambda: azs[10**30], lambda: azs.pop(3)):
        with pytest.raises(IndexError, match="out of range"):
            missing()
    for wrong in (lambda: azs["a"], lambda: azs[None], lambda: azs.__setitem__(1.0, 1)):
        with pytest.raises(TypeError, match="list indices are integers or slices"):
            wrong()
    with pytest.raises(TypeError):
        azs.extend(5)
    with pytest.raises(TypeError):
        azs.extend([1, object()])
    assert azs == []


def test_a_node_follows_its_item(doc):
    web, db, aux = doc["jobs"]
    del doc["jobs"][0]
    assert (db["port"], db.path) == (5432, "/jobs/0")
    doc["jobs"].insert(0, {"name": "new"})
    doc["jobs"].reverse()
    aux["port"], db["port"] = 1, 2
    assert doc["jobs"] == [
        {"name": "aux", "port": 1},
        {"name": "db", "port": 2},
        {"name": "new"},
    ]
    doc.delete("/jobs/name=aux")
    assert db.path == "/jobs/0"
    for job in list(doc["jobs"]):
        if job["name"] == "db":
            doc["jobs"].remove(job)
    assert doc["jobs"] == [{"name": "new"}]
    for gone in (web, db, aux):
        for use in (len, list, str, lambda node: node.data, lambda node: node["name"]):
            with pytest.raises(interpolate.NotFound, match="no longer in the list at '/jobs'"):
                use(gone)
        with pytest.raises(interpolate.NotFound):
            gone["name"] = "x"
        assert repr(gone) == "<interpolate.MappingNode that has gone>"


def test_a_node_that_was_replaced_has_gone(doc):
    web, inner = doc["web"], doc["web"]["l"]
    web["l"] = [5]
    with pytest.raises(interpolate.NotFound, match="the value at '/web/l' has been replaced"):
        inner.append(1)
    for new in ({"new": 1}, [1], 5):
        web = doc["web"]
        doc["web"] = new
        for use in (len, str, lambda node: node.update(a=1), lambda node: node.data):
            with pytest.raises(interpolate.NotFound, match="the value at '/web' has been replaced"):
                use(web)
        doc["web"] = {"again": 1}
    web = doc["web"]
    web["more"] = 1
    web.clear()
    web["last"] = 1
    assert web == {"last": 1}
    del doc["web"]
    with pytest.raises(interpolate.NotFound):
        len(web)


def test_a_swap_is_never_a_silent_copy(doc):
    for node, first, second in ((doc, "base", "web"), (doc["jobs"], 0, 1)):
        before = node.data
        with pytest.raises(interpolate.NotFound, match="replaced|no longer"):
            node[first], node[second] = node[second], node[first]
        node[first] = before[first]
        node[first], node[second] = node[second].data, node[first].data
        assert node[first] == before[second] and node[second] == before[first]


def test_a_root_that_was_replaced():
    doc = interpolate.load("a: {b: 1}\n")
    doc.set("", [1])
    with pytest.raises(interpolate.NotFound, match="a list stands at '' now"):
        doc["a"]
    doc.at("").append(2)
    assert doc.data == [1, 2]


def test_a_new_text_is_read_by_its_places(doc):
    job = doc["jobs"][1]
    doc.put({**doc.data, "jobs": [{"name": "web"}, {"name": "sql"}]})
    assert job["name"] == "sql"
    job = doc["jobs"][1]
    del doc["jobs"][0]
    assert job["name"] == "sql"


def test_sums_are_plain(doc):
    assert doc["base"] | {"x": 2} == {"x": 2, "l": [1]} and {"x": 2} | doc["base"] == doc["base"].data
    assert type(doc["base"] | doc["web"]) is dict
    assert doc["azs"] + ["a"] == ["z2", "z3", "z1", "a"] and ["a"] + doc["azs"] == ["a", *doc["azs"]]
    assert doc.dump() == TEXT


def test_equality(doc):
    assert doc["azs"] == ["z2", "z3", "z1"] and doc["azs"] != ("z2", "z3", "z1")
    assert {"name": "aux"} == doc["jobs"][2] and doc["jobs"][2] in doc["jobs"]
    assert doc["base"] == interpolate.load("{l: [1], x: 1.0}")
    assert doc["base"] != 5
    for node in (doc, doc["azs"]):
        with pytest.raises(TypeError, match="unhashable"):
            hash(node)


def test_copies(doc):
    for function in (copy.copy, copy.deepcopy):
        other = function(doc)
        assert type(other) is type(doc) and other.dump() == TEXT
        other["name"] = "other"
        assert doc.dump() == TEXT
        assert type(function(doc["azs"])) is list and type(function(doc["base"])) is dict
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(doc)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(doc["azs"])


def test_a_text_keeps_the_quotes_of_the_old_one(doc):
    doc["name"] = "store"
    assert lines(doc, 1, 2) == ['name: "store"   # the name']
    doc.set("name", "again")
    doc.update(name="last")
    assert lines(doc, 1, 2) == ['name: "last"   # the name']
    single = interpolate.load("- 'a'   # one\n- b\n")
    single[0], single[1] = "c", "d"
    assert single.dump() == "- 'c'   # one\n- d\n"


def test_dates_are_written_plain_and_read_as_texts():
    doc = interpolate.load("a: 2024-01-01   # day\nb: 1\n")
    doc["a"] = datetime.date(2024, 1, 2)
    doc["b"] = {"at": datetime.datetime(2024, 1, 2, 3, 4), "time": datetime.time(3, 4)}
    doc["c"] = "2024-01-02"
    assert doc.dump() == """\
a: 2024-01-02   # day
b:
  at: 2024-01-02T03:04:00
  time: '03:04:00'
c: '2024-01-02'
"""
    assert doc["a"] == doc["c"] == "2024-01-02"


def test_load_takes_files(tmp_path):
    path = tmp_path / "a.yml"
    path.write_bytes("a: é\n".encode())
    for source in (path, open(path, "rb"), open(path, encoding="utf-8"), path.read_bytes()):
        doc = interpolate.load(source)
        assert doc["a"] == "é" and doc.dump() == "a: é\n"
    assert interpolate.load(io.StringIO("a: 1\n"))["a"] == 1
    assert interpolate.load(bytearray(b"a: 1\n"))["a"] == 1
    assert interpolate.load("a: 1\n".encode("utf-16"))["a"] == 1
    path.write_text("a: [1\n")
    with pytest.raises(interpolate.Error) as raised:
        interpolate.load(path)
    assert raised.value.places[0].name == str(path)
    with pytest.raises(interpolate.Error) as raised:
        interpolate.load(path, name="other.yml")
    assert raised.value.places[0].name == "other.yml"
    with pytest.raises(FileNotFoundError):
        interpolate.load(tmp_path / "none.yml")
    for wrong in (None, 5, {"a": 1}, ["a"]):
        with pytest.raises(TypeError, match="str, bytes, a path or an open file"):
            interpolate.load(wrong)


def test_other_calls_take_files(tmp_path):
    paths = [tmp_path / name for name in ("old.yml", "new.yml", "ops.yml")]
    for path, text in zip(paths, ["a: 1\n", "a: 2\n", "- {type: replace, path: /b, value: 1}\n"]):
        path.write_text(text)
    old, new, ops = paths
    assert interpolate.diff(old, new) == "- type: replace\n  path: /a\n  value: 2\n"
    assert interpolate.merge(old, old, new).document == {"a": 2}
    doc = interpolate.load(old)
    doc.put(new)
    assert doc.dump() == "a: 2\n"
    with pytest.raises(interpolate.Error, match="ops.yml:1:"):
        doc.patch(ops)
    doc.patch(b"- {type: replace, path: /a, value: 3}\n")
    assert doc["a"] == 3


def test_an_edit_is_one_step_for_explain(doc):
    doc["azs"].sort()
    doc["azs"][:2] = ["a"]
    doc["web"].update(y=5)
    (history,) = doc.explain("web.y")
    assert [event.after for event in history.events] == ["2", "5"]
    (history,) = doc.explain("/azs/0")
    assert history.value == '"a"'


def test_patterns_match(doc):
    namespace = {"doc": doc}
    if not hasattr(dict, "__or__"):
        return
    code = "match doc:\n case {'azs': [first, *_]}: found = first\n"
    try:
        program = compile(code, "match", "exec")
    except SyntaxError:
        pytest.skip("this Python has no patterns")
    exec(program, namespace)
    assert namespace["found"] == "z2"


def test_an_equal_value_is_no_edit():
    text = "a: 0x10   # A\nb: &b 1.10\nc: *b\nd: ~\nl: [ 1.50,  {x: 0644} ]\n"
    doc = interpolate.load(text)
    doc.update(doc.data)
    doc["a"], doc["l"][1]["x"] = 16, 644
    doc["l"][:] = doc["l"].data
    doc["l"][0] = 1.5
    assert doc.dump() == text
    doc["a"] = 17
    assert doc.dump() == text.replace("0x10", "17")
