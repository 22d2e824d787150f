/**
 * Replaces the Jinja templates and Unfurl expressions of a document by their values.
 */
export function evaluate(base: Text, options?: Options): string;
