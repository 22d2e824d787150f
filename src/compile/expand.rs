//! What a directive names → the same with its own directives expanded, at the place where
//! it lands.

use std::rc::Rc;

use super::branch::{Branch, DirectiveId};
use super::import::Loaded;
use super::link::{Linker, Need, Stop};
use super::lookup::{Layer, Located};
use super::place::{PlaceId, Places};
use crate::apply;
use crate::node::{Kind, Node, Seat};
use crate::patch::{Base, Edit, Import, Merge, Op, Origin, Path, Source, Step};
use crate::pointer::{Pointer, Token};

/// What a mapping that is looked at again counts for, in bytes, and each step to a site.
const LOOK: u64 = 128;
const STEP: u64 = 64;
/// What a node counts for at least.
const NODE: u64 = 16;

/// Something with its directives expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    pub(super) node: Node,
    /// How many bytes it may be printed with.
    size: u64,
    /// Whether it would be another one elsewhere.
    relative: bool,
}

impl Expanded {
    /// Something without directives.
    pub(super) fn itself(node: Node) -> Expanded {
        Expanded { node, size: 0, relative: false }
    }
}

/// A mapping with directives, and where it lands.
struct Site {
    node: Node,
    place: PlaceId,
    branch: Rc<Branch>,
}

impl Linker<'_> {
    /// The merges of the document itself.
    pub(super) fn merges(&mut self) -> Result<Vec<Op>, Stop> {
        let top = Layer { node: self.root, own: false };
        Ok(self.ops(top, Places::ROOT)?.0)
    }

    /// Expands the directives in `layer`, which lands at `place`.
    pub(super) fn expand(&mut self, layer: Layer, place: PlaceId) -> Result<(), Stop> {
        let (ops, mut expanded) = self.ops(layer, place)?;
        expanded.node = self.apply(layer.node, &ops);
        let matters = expanded.relative.then_some(place);
        self.keep(layer, matters, expanded);
        Ok(())
    }

    /// Remembers what became of `layer`.
    pub(super) fn keep(
        &mut self,
        layer: Layer,
        place: Option<PlaceId>,
        expanded: Expanded,
    ) {
        self.expanded.insert((layer.node, layer.own, place), expanded);
    }

    /// What became of `layer` at `place`, if that is known.
    pub(super) fn expansion(&self, layer: Layer, place: PlaceId) -> Option<Expanded> {
        let Layer { node, own } = layer;
        if !self.is_marked(node) {
            let size = self.size(node);
            return Some(Expanded { size, ..Expanded::itself(node) });
        }
        let anywhere = self.expanded.get(&(node, own, None));
        anywhere.or_else(|| self.expanded.get(&(node, own, Some(place)))).copied()
    }

    /// How many bytes a written node takes up, here or as a node.
    fn size(&self, node: Node) -> u64 {
        let Node::Clean(file, i) = self.document.follow(node) else { return NODE };
        let arena = self.document.arena(file);
        let span = arena.span(i);
        u64::from(span.end - span.start).max(NODE * u64::from(arena.next(i) - i))
    }

    /// Applies merges to a node by itself.
    fn apply(&mut self, node: Node, ops: &[Op]) -> Node {
        self.document.set_at(Seat::Root(self.at), node, None);
        self.wrong.extend(apply::expand(
            ops,
            &mut self.document,
            self.at,
            &mut self.room,
        ));
        self.document.roots()[self.at]
    }

    /// The merges in `layer`, in the order they are applied.
    fn ops(&mut self, top: Layer, place: PlaceId) -> Result<(Vec<Op>, Expanded), Stop> {
        let sites = self.sites(top.node, place);
        self.check_limit()?;
        let mut whole = Expanded::itself(top.node);
        whole.size = self.size(top.node);
        let (mut imports, mut needs) = (Vec::new(), Vec::new());
        for site in &sites {
            if site.branch.alone {
                whole.size = whole.size.saturating_sub(self.size(site.node));
            }
            for &id in &site.branch.directives {
                let own = top.own && site.place == place;
                match if own { Ok(None) } else { self.import(id, site.place) } {
                    Ok(found) => {
                        let relative = self.directives[id].is_relative();
                        whole.relative |= relative || found.is_some_and(|it| it.relative);
                        whole.size += found.map_or(0, |it| it.size);
                        imports.push(self.link(id, found));
                    }
                    Err(more) => needs.extend(more),
                }
            }
        }
        if !needs.is_empty() {
            return Err(Stop::Needs(needs));
        }
        self.charge(whole.size);
        self.check_limit()?;
        let skip = self.places.path(place).len();
        let ops = sites.into_iter().rev().zip(0..).map(|(site, number)| {
            let count = site.branch.directives.len();
            let imports = imports.split_off(imports.len() - count);
            let path = self.places.path(site.place).split_off(skip);
            self.op(&site, path, imports, number)
        });
        Ok((ops.collect(), whole))
    }

    /// The mappings with directives in `node`, in the order they stand.
    fn sites(&mut self, node: Node, place: PlaceId) -> Vec<Site> {
        let home = self.is_root(node);
        let (mut sites, mut todo) = (Vec::new(), vec![(node, place, 0)]);
        while let Some((node, place, depth)) = todo.pop() {
            let node = self.document.follow(node);
            if self.branches.contains_key(&node) {
                self.charge(LOOK);
            }
            let branch = self.branch(node);
            for &(step, child) in branch.children.iter().rev() {
                todo.push((child, self.places.child(place, step), depth + 1));
            }
            let relative = |&id: &DirectiveId| self.directives[id].is_relative();
            if home && branch.directives.iter().any(relative) {
                self.homes.entry(node).or_insert(place);
            }
            if !branch.directives.is_empty() || branch.name.is_some() {
                self.charge(STEP * depth);
                sites.push(Site { node, place, branch });
            }
            if self.check_limit().is_err() {
                break;
            }
        }
        sites
    }

    /// What a directive imports into the mapping that lands at `place`.
    fn import(
        &mut self,
        id: DirectiveId,
        place: PlaceId,
    ) -> Result<Option<Expanded>, Vec<Need>> {
        let layers = match self.locate(id, place).map_err(|need| vec![need])? {
            Located::Found(layers) => layers,
            Located::Wrong => return Ok(None),
            Located::Skipped => {
                let node = self.document.new_mapping(&[], None);
                return Ok(Some(Expanded::itself(node)));
            }
            Located::Missing(missing) => {
                self.report(id, &missing);
                return Ok(None);
            }
        };
        if self.directives[id].source.raw {
            let node = layers.first().map(|layer| self.document.follow(layer.node));
            let size = node.map_or(0, |node| self.size(node));
            return Ok(node.map(|node| Expanded { size, ..Expanded::itself(node) }));
        }
        let (mut expanded, mut needs) = (Vec::new(), Vec::new());
        for layer in layers {
            let layer = Layer { node: self.document.follow(layer.node), ..layer };
            match self.expansion(layer, place) {
                Some(one) => expanded.push(one),
                None => needs.push(Need::Expand(layer, place, id)),
            }
        }
        if needs.is_empty() { Ok(self.join(id, &expanded)) } else { Err(needs) }
    }

    /// What several layers are together, the strongest first.
    fn join(&mut self, id: DirectiveId, layers: &[Expanded]) -> Option<Expanded> {
        let (&first, rest) = layers.split_first()?;
        let mapping = |it: &&Expanded| self.document.kind(it.node) == Kind::Mapping;
        let weaker: Vec<Expanded> = if mapping(&&first) {
            rest.iter().take_while(mapping).copied().collect()
        } else {
            Vec::new()
        };
        if weaker.is_empty() {
            return Some(first);
        }
        let imports = weaker.iter().rev().map(|&it| self.link(id, Some(it))).collect();
        let merge = Merge { site: Path::new(), imports, lists: self.rules.lists };
        let origin = self.origin(id, 0);
        let op = Op { at: Pointer::default(), edit: Edit::Merge(merge), origin };
        let node = self.apply(first.node, &[op]);
        let size = layers.iter().map(|it| it.size).sum();
        let relative = layers.iter().any(|it| it.relative);
        Some(Expanded { node, size, relative })
    }

    fn link(&self, id: DirectiveId, found: Option<Expanded>) -> Import {
        let directive = &self.directives[id];
        let base = match (&directive.source.base, self.loads.get(&id)) {
            (Base::File(_, name), Some(Ok(Loaded::File(file, _)))) => {
                Base::File(Some(*file), name.clone())
            }
            (base, _) => base.clone(),
        };
        let source = Source { base, ..directive.source.clone() };
        Import { key: directive.key, source, found: found.map(|it| it.node) }
    }

    fn op(&self, site: &Site, path: Path, imports: Vec<Import>, number: u32) -> Op {
        let tokens: Vec<Token> = path.iter().map(|step| self.token(step)).collect();
        let at = Pointer { required: tokens.len(), tokens };
        let origin = match site.branch.directives.first() {
            Some(&id) => self.origin(id, number),
            None => {
                let span = self.document.place_of(site.node);
                Origin { span, path: span, number }
            }
        };
        let merge = Merge { site: path, imports, lists: self.rules.lists };
        Op { at, edit: Edit::Merge(merge), origin }
    }

    fn origin(&self, id: DirectiveId, number: u32) -> Origin {
        let span = self.directives[id].span;
        Origin { span, path: span, number }
    }

    fn token(&self, step: &Step) -> Token {
        match *step {
            Step::Index(at) => Token::Index(at.into(), Vec::new()),
            Step::Key(key) => Token::Key(self.document.text_of(key).into_owned()),
        }
    }
}
