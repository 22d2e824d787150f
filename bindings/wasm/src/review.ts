/** An op, and what becomes of it on another document. */
export interface RebasedOp {
  place: Place | null;
  path: string;
  status: "same" | "changed" | "follows" | "moved" | "gone";
  /** The path that it needs on the other document. */
  to: string | null;
  /** True if nobody has to look at it. */
  sure: boolean;
  isDone: boolean;
  why: string;
}

/** Returns what is likely wrong with a document and patches for it. */
export function check(base: Text, ops: Patch | Patch[], options?: Options): Problem[];

/** Tells what becomes of each op on the next version of its document. */
export function rebase(
  old: Text,
  new_: Text,
  ops: Patch | Patch[],
  options?: Options,
): {
  ops: RebasedOp[];
  /** The new texts of the ops-files with an op that is surely mended. */
  files: Record<string, string>;
};
