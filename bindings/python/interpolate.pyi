"""Edits YAML and keeps every byte that it was not asked to change."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, Union, final

__version__: str

Scalar = Union[None, bool, int, float, str, bytes]
"""A scalar of a document as plain data."""

Source = Union[str, "Document", Mapping[Any, Any], list[Any]]
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
    """A key, an item or a place that does not exist."""

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
    """A mapping or a list of a document.

    It is a place: after an edit, it is whatever stands there then. Scalars are plain data.
    """

    @property
    def path(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __delitem__(self, key: Any) -> None: ...
    def __contains__(self, key: Any) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def keys(self) -> list[Any]: ...
    def values(self) -> list[Any]: ...
    def items(self) -> list[tuple[Any, Any]]: ...
    def append(self, value: Any) -> None: ...
    def insert(self, index: int, value: Any) -> None: ...
    def extend(self, values: Iterable[Any]) -> None: ...
    def to_data(self) -> Any:
        """The value as plain dicts, lists and scalars."""

@final
class Document(Node):
    """A text in YAML or JSON, and the edits laid over it: the root of its first document."""

    def get(self, path: str, default: Any = None) -> Any:
        """What stands at a path of an ops-file, such as `/jobs/name=web/azs/-1`."""
    def find(self, path: str) -> Any:
        """As `get`; an error tells where the path ends."""
    def select(self, query: str) -> list[Any]:
        """All that a JSONPath query selects."""
    def set(self, path: str, value: Any) -> None:
        """Sets what stands at a path. `?` makes what is missing: `/env?/proxy`."""
    def remove(self, path: str) -> None:
        """Removes what stands at a path. With `?` at its end it may be missing."""
    def patch(self, ops: Union[str, list[Any], Mapping[str, Any]], *, name: str = "ops") -> None:
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

    document: Document
    conflicts: list[Conflict]
    marked: str

def load(
    text: str,
    *,
    name: str = "document",
    dialect: Union[Literal["core", "go", "yaml-1.1"], None] = None,
) -> Document:
    """Parses a text; `name` is its name in messages."""

def diff(old: Source, new: Source) -> str:
    """Returns the ops-file that turns one document into another."""

def merge(base: Source, ours: Source, theirs: Source) -> Merge:
    """Merges two versions by meaning: `ours` with what `theirs` changed since `base`."""
