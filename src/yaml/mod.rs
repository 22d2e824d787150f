//! Text ⇄ tree: reading a text into an arena, printing a document.
