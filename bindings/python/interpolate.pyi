"""Edits YAML and keeps every byte that it was not asked to change."""

import os
from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    MutableSequence,
    ValuesView,
)
from typing import Any, Literal, Protocol, SupportsIndex, TypeVar, Union, final, overload

__version__: str

_Default = TypeVar("_Default")
_Mapping = TypeVar("_Mapping", bound="MappingNode")
_List = TypeVar("_List", bound="ListNode")

class _File(Protocol):
    def read(self) -> Union[str, bytes]: ...

Scalar = Union[None, bool, int, float, str, bytes]
"""A scalar of a document as plain data."""

Text = Union[str, bytes, bytearray, os.PathLike[Any], _File]
"""A text, or a file with one. A str is a text, never the name of a file."""

Source = Union[Text, "Document", Mapping[Any, Any], list[Any]]
"""A text, a document, or plain data."""

class Error(Exception):
    """Everything that went wrong in an operation, which then changed nothing."""

    message: str
    """The message of the first problem."""
    places: list[Place]
    """The places of all problems, the most important one first."""
    problems: list[Problem]
    rendered: str
    """The problems with the lines of the texts."""

class NotFound(Error, KeyError, IndexError):
    """A key, an item or a place that does not exist, or does not any more."""

@final
class Place:
    """A place in a text; prints as `base.yml:3:9`."""

    name: str
    line: int
    column: int
    note: str

@final
class Problem:
    """One error or note; prints with its places and hints."""

    message: str
    places: list[Place]
    hints: list[str]

class Node:
    """A mapping or a list of a document: a `MappingNode` or a `ListNode`.

    A node is a view: it shows each edit of its content, also as an item of a list that is
    sorted. Once it is removed or replaced, each use raises `NotFound`. Scalars are plain data.
    """

    @property
    def data(self) -> Any:
        """The value as plain dicts, lists and scalars: a copy, for `json.dumps` and others."""
    @property
    def path(self) -> str:
        """The path, which `at` of the document understands: `/jobs/0/name`."""
    @overload
    def at(self, path: str) -> Any:
        """What stands at `/jobs/name=web`, `jobs[0].name` or a JSONPath; raises `NotFound`."""
    @overload
    def at(self, path: str, default: _Default) -> Union[Any, _Default]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __copy__(self) -> Any: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> Any: ...

class MappingNode(Node, MutableMapping[Any, Any]):
    """A mapping of a document. A key has a type, as in a dict: `doc[80]` is not `doc["80"]`."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __delitem__(self, key: Any, /) -> None: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def __or__(self, other: Any, /) -> Any: ...
    def __ror__(self, other: Any, /) -> Any: ...
    def __ior__(self: _Mapping, other: Any, /) -> _Mapping: ...  # type: ignore[misc]
    def keys(self) -> KeysView[Any]: ...
    def values(self) -> ValuesView[Any]: ...
    def items(self) -> ItemsView[Any, Any]: ...
    @overload
    def get(self, key: Any) -> Any:
        """The value of a key, or None: a key, never a path."""
    @overload
    def get(self, key: Any, default: _Default) -> Union[Any, _Default]: ...
    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which gets the value `default` if it is missing."""
    @overload
    def pop(self, key: Any) -> Any:
        """Removes a key and returns its value as plain data."""
    @overload
    def pop(self, key: Any, default: _Default) -> Union[Any, _Default]: ...
    def popitem(self) -> tuple[Any, Any]:
        """Removes the last entry."""
    def update(self, *others: Any, **entries: Any) -> None:
        """Sets the entries of a mapping, of pairs and of keywords: all, or none."""
    def clear(self) -> None: ...

class ListNode(Node, MutableSequence[Any]):
    """A list of a document. Comments go with their items."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __delitem__(self, key: Any, /) -> None: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __iadd__(self: _List, values: Iterable[Any], /) -> _List: ...  # type: ignore[misc, override]
    def append(self, value: Any) -> None: ...
    def insert(self, index: SupportsIndex, value: Any) -> None: ...
    def extend(self, values: Iterable[Any]) -> None:
        """Appends all items, or none if one of them is refused."""
    def pop(self, index: SupportsIndex = -1) -> Any:
        """Removes an item and returns it as plain data."""
    def remove(self, value: Any) -> None:
        """Removes the first item that equals a value; ValueError if there is none."""
    def index(self, value: Any, start: int = 0, stop: int = ..., /) -> int: ...
    def count(self, value: Any) -> int: ...
    def reverse(self) -> None: ...
    def sort(
        self, *, key: Union[Callable[[Any], Any], None] = None, reverse: bool = False
    ) -> None:
        """Sorts as `list.sort` does. `key` gets nodes and scalars, without it they are data."""
    def clear(self) -> None: ...

class Document(Node):
    """A text in YAML or JSON, and the edits laid over it: the root of its first document.

    `load` makes a `MappingDocument` or a `ListDocument`; of a single scalar it makes neither.
    """

    def select(self, query: str) -> list[Any]:
        """All that a JSONPath query selects."""
    def set(self, path: str, value: Any) -> None:
        """Sets what stands at a path. `?` makes what is missing, `/env?/proxy`; `env.proxy` does, too."""
    def delete(self, path: str) -> None:
        """Removes what stands at a path. With `?` at its end it may be missing."""
    def patch(
        self, ops: Union[Text, list[Any], Mapping[str, Any]], *, name: Union[str, None] = None
    ) -> None:
        """Applies an ops-file, a JSON Patch or an OpenAPI Overlay."""
    def expand(self) -> None:
        """Applies the merge directives of the document."""
    def fill(self, values: dict[str, Any]) -> None:
        """Replaces the `((names))` that have a value."""
    def put(
        self,
        data: Source,
        *,
        values: Union[dict[str, Any], None] = None,
        evaluate: bool = False,
    ) -> list[Problem]:
        """Puts edited data back into the text, and keeps comments, order and spelling.

        Merge directives stay, and so do `((names))` that still have their value in `values`,
        and templates if `evaluate` is true. Returns notes about what could not be kept.
        """
    def dump(self) -> str:
        """The text: what no edit changed keeps its bytes."""
    def explain(self, path: str) -> list[PlaceHistory]:
        """Who made the values at a path what they are."""
    def __copy__(self) -> Document: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> Document: ...

class MappingDocument(Document, MappingNode):
    """A document that is a mapping, or empty."""

    def __copy__(self) -> MappingDocument: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> MappingDocument: ...

class ListDocument(Document, ListNode):
    """A document that is a list."""

    def __copy__(self) -> ListDocument: ...
    def __deepcopy__(self, memo: dict[Any, Any], /) -> ListDocument: ...

@final
class PlaceHistory:
    """The history of one place."""

    path: str
    value: Union[str, None]
    events: list[Event]

@final
class Event:
    """Something put a value at a place, changed it or removed it. Values are JSON."""

    by: Literal["text", "op", "directive", "variable", "template"]
    action: Literal["read", "put", "changed", "moved", "removed"]
    place: Union[Place, None]
    source: Union[str, None]
    names: list[str]
    before: Union[str, None]
    after: Union[str, None]

@final
class Conflict:
    """A place that both sides of a merge changed differently; prints as `/jobs/name=web`."""

    document: Union[str, None]
    """Of a stream: which document, as `where` of an op selects it."""
    path: str
    """Empty for the whole document."""

@final
class Merge:
    """The result of `merge`."""

    # Any, since the text tells if it is also a list.
    document: Union[MappingDocument, Any]
    conflicts: list[Conflict]
    marked: str

def load(
    source: Text,
    *,
    name: Union[str, None] = None,
    dialect: Union[Literal["core", "go", "yaml-1.1"], None] = None,
) -> Union[MappingDocument, Any]:
    """Parses a text; `name` is its name in messages, by default that of the file.

    The text tells if it is a `MappingDocument`, a `ListDocument` or a plain `Document`.
    """

def diff(old: Source, new: Source) -> str:
    """Returns the ops-file that turns one document into another."""

def merge(base: Source, ours: Source, theirs: Source) -> Merge:
    """Merges two versions by meaning: `ours` with what `theirs` changed since `base`."""
