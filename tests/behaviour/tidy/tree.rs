//! The source files of the crate, their imports, and the cycles among them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::code::{Code, Use};

/// The files of `src/` by module path.
pub(crate) struct Tree {
    files: Vec<File>,
    /// The number of the file that holds a module, by its path: `["yaml", "print"]`.
    modules: BTreeMap<Vec<String>, usize>,
}

/// A source file.
pub(crate) struct File {
    /// Relative to the crate, with `/`.
    pub(crate) name: String,
    /// The whole text.
    pub(crate) text: String,
    /// The path of its module.
    pub(crate) module: Vec<String>,
    code: Code,
}

/// The end of a path of names.
enum Target {
    Module(Vec<String>),
    File(usize),
}

impl Tree {
    /// Returns the files below `src/`, which are read once.
    pub(crate) fn get() -> &'static Tree {
        static TREE: LazyLock<Tree> = LazyLock::new(Tree::read);
        &TREE
    }

    fn read() -> Tree {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![root.join("src")];
        let mut paths: Vec<PathBuf> = Vec::new();
        while let Some(path) = folders.pop() {
            if path.is_dir() {
                folders.extend(fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            } else if path.extension().is_some_and(|end| end == "rs") {
                paths.push(path);
            }
        }
        paths.sort();
        let files: Vec<File> = paths.iter().map(|path| File::read(root, path)).collect();
        let modules = files.iter().enumerate().map(|(at, f)| (f.module.clone(), at));
        let modules = modules.collect();
        Tree { files, modules }
    }

    /// Returns the files in the order of their names.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// Returns the groups of two and more files that import each other, each sorted.
    pub(crate) fn cycles(&self) -> Vec<Vec<&str>> {
        let imports: Vec<BTreeSet<usize>> =
            (0..self.files.len()).map(|at| self.imports(at)).collect();
        let reached: Vec<BTreeSet<usize>> =
            (0..self.files.len()).map(|at| reach(&imports, at)).collect();
        let mut cycles = Vec::new();
        for (at, from) in reached.iter().enumerate() {
            let both = |&to: &usize| reached[to].contains(&at);
            let cycle: Vec<usize> = from.iter().copied().filter(both).collect();
            if cycle.len() > 1 && cycle[0] == at {
                cycles.push(cycle.iter().map(|&at| &*self.files[at].name).collect());
            }
        }
        cycles
    }

    /// Returns the files that a file takes names from. A re-export is a signpost and no
    /// import, unless the file uses the name itself.
    pub(crate) fn imports(&self, at: usize) -> BTreeSet<usize> {
        let file = &self.files[at];
        let imports = file.code.uses.iter().filter(|import| {
            !import.is_reexport || file.code.words.contains(&import.alias)
        });
        let paths = imports.map(|import| &import.path).chain(&file.code.paths);
        paths
            .filter_map(|path| match self.resolve(&file.module, path, 0)? {
                Target::File(to) if to != at => Some(to),
                Target::File(_) | Target::Module(_) => None,
            })
            .collect()
    }

    /// Follows a path of names from a module to the file that defines its last item.
    fn resolve(&self, module: &[String], path: &[String], depth: u8) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match &**first {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module.split_last()?.1.to_vec(),
            _ => return self.member(module, path, depth),
        };
        self.member(&start, rest, depth)
    }

    /// Follows a path of names that starts at the members of a module.
    fn member(&self, module: &[String], path: &[String], depth: u8) -> Option<Target> {
        // Imports that name each other would be followed for ever.
        if depth > 20 {
            return None;
        }
        let Some((first, rest)) = path.split_first() else {
            return Some(Target::Module(module.to_vec()));
        };
        if first == "super" {
            return self.member(module.split_last()?.1, rest, depth);
        }
        let child: Vec<String> = module.iter().chain([first]).cloned().collect();
        if self.modules.contains_key(&child) {
            return self.member(&child, rest, depth);
        }
        let at = *self.modules.get(module)?;
        let code = &self.files[at].code;
        if code.items.contains(first) {
            return Some(Target::File(at));
        }
        let named = code.uses.iter().filter(|import| import.alias == *first);
        let globs = code.uses.iter().filter(|import| import.alias == "*");
        named.chain(globs).find_map(|import: &Use| {
            let target = self.resolve(module, &import.path, depth + 1)?;
            match target {
                Target::Module(found) if import.alias == "*" => {
                    self.member(&found, path, depth + 1)
                }
                Target::Module(found) => self.member(&found, rest, depth + 1),
                Target::File(at) => Some(Target::File(at)),
            }
        })
    }
}

impl File {
    fn read(root: &Path, path: &Path) -> File {
        let relative = path.strip_prefix(root).unwrap();
        let name = relative.to_string_lossy().replace('\\', "/");
        let parts = name.trim_start_matches("src/").trim_end_matches(".rs").split('/');
        let mut module: Vec<String> = parts.map(str::to_owned).collect();
        if matches!(module.last().map(|last| &**last), Some("mod" | "lib")) {
            module.pop();
        }
        let text = fs::read_to_string(path).unwrap();
        let code = Code::read(&text);
        File { name, text, module, code }
    }

    /// Returns the top-level module it belongs to; empty for `lib.rs`.
    pub(crate) fn room(&self) -> &str {
        self.module.first().map_or("", |first| first)
    }

    /// Returns the file without comments, text literals and unit tests.
    pub(crate) fn code(&self) -> &Code {
        &self.code
    }
}

/// Returns everything that can be reached from a file, itself included.
fn reach(imports: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(imports[at].iter().copied().filter(|&to| reached.insert(to)));
    }
    reached
}
