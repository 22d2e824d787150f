/** A text, or a text with its name in messages. */
export type Text = string | { name?: string; text: string };

/**
 * A patch. A text is an ops-file, a JSON Patch or an OpenAPI Overlay: its content tells
 * which. `as` reads it as a JSON Merge Patch, or as an argument of the command line, such as
 * `image.tag=1.10` of `set`.
 */
export type Patch =
  | string
  | {
      name?: string;
      text: string;
      as?: "patch" | "merge" | "set" | "set-string" | "append" | "rm" | "mv" | "cp";
    };

/** Options of all functions; each uses those that concern it. */
export interface Options {
  /** The meaning of plain scalars. Without it: YAML 1.2, or what a line `%YAML` says. */
  dialect?: "core" | "go" | "yaml-1.1";
  /** Refuses what YAML 1.2 forbids although common readers accept it. */
  strict?: boolean;
  /** Texts by path, which directives may include. */
  files?: Record<string, string>;
  /** False: merge directives are plain keys. */
  directives?: boolean;
  /** Values of `((names))`: texts of mappings. */
  variables?: Text | Text[];
  /** Patches all documents of a stream; without it the first one. */
  allDocuments?: boolean;
  /** Patches the documents that a selector chooses, such as `kind=Deployment`. */
  where?: string;
  /** What an edit of a node with an anchor does to its aliases. */
  anchors?: "copy" | "follow" | "refuse";
  /** Evaluates templates and expressions at the end; for the full engine. */
  evaluate?: boolean;
  /** The document of a stream that a path is about, from 0. */
  document?: number;
}

/** A place in a text; lines and columns begin at 1. */
export interface Place {
  /** The name of the text. */
  name: string;
  line: number;
  column: number;
  /** A note about the place. */
  note: string;
}

/** An error, a warning or a note. */
export interface Problem {
  severity: "error" | "warning" | "note";
  /** The rule of `check`. */
  rule: string | null;
  message: string;
  /** The most important place first. */
  places: Place[];
  hints: string[];
}

/** What all functions throw if a text is wrong. */
export interface InterpolateError extends Error {
  name: "InterpolateError";
  /** The places of all problems. */
  places: Place[];
  problems: Problem[];
  /** All problems with the lines of the texts, underlined. */
  rendered: string;
}

/** Something put a value at a place, changed it or removed it. */
export interface Event {
  by: "text" | "op" | "directive" | "variable" | "template";
  action: "read" | "put" | "changed" | "moved" | "removed";
  place: Place | null;
  /** The path of the value that was moved or copied. */
  from: string | null;
  /** The names of the variables. */
  names: string[];
  /** The value before, as JSON. */
  before: string | null;
  /** The value after, as JSON. */
  after: string | null;
}

/** The history of a place. */
export interface PlaceHistory {
  path: string;
  /** The value as JSON; null if it was removed. */
  value: string | null;
  /** The oldest first. */
  events: Event[];
}

/** A line of a result. */
export interface Line {
  text: string;
  document: number;
  /** The paths of the values on the line. */
  paths: string[];
  /** What made the line what it is. */
  origin: Event | null;
}

/** Applies patches to a document, and returns its text. */
export function patch(base: Text, ops: Patch | Patch[], options?: Options): string;

/** Returns the value at a path: `/jobs/name=web/azs/0`, `jobs[name=web].azs[0]` or a JSONPath. */
export function get(base: Text, path: string, options?: Options): any;

/** Applies patches, and returns the value at a path in each document that the options choose. */
export function getAll(
  base: Text,
  ops: Patch | Patch[],
  path: string,
  options?: Options,
): any[];

/** Returns the ops-file that turns one document into another. */
export function diff(old: Text, new_: Text, options?: Options): string;

/** Returns the histories of the places that a path leads to in the result. */
export function explain(
  base: Text,
  ops: Patch | Patch[],
  path: string,
  options?: Options,
): PlaceHistory[];

/** Returns the lines of the result, with the places that stand on each. */
export function lines(base: Text, ops: Patch | Patch[], options?: Options): Line[];

/**
 * Puts an edited copy, such as `JSON.stringify(data)`, back into the text of a document.
 * Variables stay if `options.variables` has the values that they were filled in with, and
 * templates with `options.evaluate`. `options.directives` and `options.allDocuments` count as
 * in `patch`; `options.where` is an error.
 */
export function put(
  base: Text,
  edited: Text,
  options?: Options,
): { text: string; notes: Problem[] };

/** Merges two versions by meaning: the text of `ours` with what `theirs` changed. */
export function merge(
  base: Text,
  ours: Text,
  theirs: Text,
  options?: Options,
): {
  /** With `ours` at all conflicts. */
  text: string;
  /** With the conflict markers of git. */
  marked: string;
  conflicts: { document: string | null; path: string }[];
};
