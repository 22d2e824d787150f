//! Links the merge directives of a document: a document comes in, a patch of merges that
//! hold what they import goes out.
//!
//! Directives are resolved by need. A need that lacks others puts them on a stack and is
//! tried again after them, so that nothing recurses; a need that is on the stack already,
//! begun but not met, is a cycle.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use memchr::memchr2;

use super::directive::{Directive, Rules};
use super::file::{IncludedFiles, Loaded};
use super::index::{Branch, DirectiveId, DirectiveIndex, Names, Referent, RouteSegment};
use super::link_error::{add_anchor, add_reached, cycle_error, limit_error, shown};
use super::places::{Need, NodePlaces, PlaceId, Topic};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Kind, NodeId, Path, Seat, Slots, Step, Tree};
use crate::patch::{Base, Edit, Import, Link, Merge, Op, Origin, Patch, Source};
use crate::pointer::{Pointer, Token};
use crate::source::{FileId, Sources, Span, World};
use crate::target::Target;
use crate::{apply, merge};

// Work that makes no bytes is charged against the limit on the expansion, too. Otherwise
// directives that are looked up in every place where an alias repeats them would take
// time that is quadratic in the text. The costs are about the bytes that the work reads.

/// The cost of visiting a mapping again, and of following the directives of one.
const VISIT_COST: u64 = 128;
const FOLLOW_COST: u64 = 64;
/// The cost of each step from the root of an expansion to a site.
const STEP_COST: u64 = 64;
/// The least size of a node: `[1,1]` takes two bytes a node, and more in memory.
const NODE_SIZE: u64 = 16;

/// Compiles the merge directives of one document of the stream, and the files they
/// include, to a patch of merges.
///
/// # Errors
/// One diagnostic for each directive that is malformed or leads nowhere, for each cycle,
/// and for each file that cannot be read.
pub fn directives(
    document: &Tree,
    root: usize,
    sources: &mut Sources,
    world: &dyn World,
    rules: &Rules,
) -> Result<Patch, Diagnostics> {
    let Some(&node) = document.roots().get(root) else { return Ok(Patch::default()) };
    if !may_have_directives(document, root, node) {
        return Ok(Patch::default());
    }
    let mut index = DirectiveIndex::default();
    index.add(document.base());
    let mut linker = Linker {
        document: document.clone(),
        at: root,
        root: node,
        rules,
        files: IncludedFiles::new(sources, world, rules),
        index,
        loads: HashMap::new(),
        loaded_all: false,
        places: NodePlaces::default(),
        homes: HashMap::new(),
        located: HashMap::new(),
        expanded: HashMap::new(),
        reported: HashSet::new(),
        links: Vec::new(),
        linked: HashSet::new(),
        active: HashSet::new(),
        ops: None,
        errors: Vec::new(),
        spent: 0,
        budget: apply::entry_budget(rules.expansion.0),
    };
    let marked = linker.index.is_marked(&linker.document, node);
    let ops = if marked { linker.run()? } else { Vec::new() };
    Ok(linker.patch(ops))
}

/// Returns true if the text of a document has what directives and their escapes begin with.
fn has_sign(text: &str) -> bool {
    memchr2(b'+', b'\\', text.as_bytes()).is_some()
}

fn may_have_directives(document: &Tree, root: usize, node: NodeId) -> bool {
    let base = document.base();
    match (node, base.sections().get(root)) {
        // The text around it is not read: a stream may have many documents.
        (NodeId::Clean(..), Some(section)) => {
            let text = &base.text()[section.start as usize..section.end as usize];
            has_sign(text)
                && (merge::may_have_whiteouts(text)
                    || DirectiveIndex::marks(base, section))
        }
        // Parts of it may have been written elsewhere.
        _ => has_sign(base.text()),
    }
}

struct Linker<'a> {
    /// The document, in which expansions are opened.
    document: Tree,
    at: usize,
    root: NodeId,
    rules: &'a Rules,
    files: IncludedFiles<'a>,
    index: DirectiveIndex,
    /// The file of each include that was read, or the error.
    loads: HashMap<DirectiveId, Result<Loaded, Box<Diagnostic>>>,
    loaded_all: bool,
    places: NodePlaces,
    /// The places at which mappings with relative directives were written.
    homes: HashMap<NodeId, PlaceId>,
    located: HashMap<(DirectiveId, PlaceId), Located>,
    /// The expansions, by node and [`Referent::own`], and by place only if that matters.
    expanded: HashMap<(NodeId, bool, Option<PlaceId>), Expanded>,
    reported: HashSet<DirectiveId>,
    /// The directives with their referents, in the order in which they were followed.
    links: Vec<Link>,
    linked: HashSet<Link>,
    /// The topics of the needs on the stack that were begun.
    active: HashSet<Topic>,
    ops: Option<Vec<Op>>,
    errors: Vec<Diagnostic>,
    /// The size of all expansions so far, in bytes.
    spent: u64,
    /// Number of entries that merging may still read.
    budget: usize,
}

/// The reason why a need is not met yet.
enum LinkStop {
    /// Other needs have to be met first.
    Needs(Vec<Need>),
    Limit,
}

/// A mapping with directives, and the place where it lands.
struct LandedSite {
    node: NodeId,
    place: PlaceId,
    branch: Rc<Branch>,
}

/// The path to what a directive refers to.
#[derive(Clone, Debug)]
struct Route {
    from: Referent,
    place: PlaceId,
    segments: Vec<RouteSegment>,
    /// Number of segments that must exist in any case: the pointer into an included file.
    required: usize,
}

impl Linker<'_> {
    fn run(&mut self) -> Result<Vec<Op>, Diagnostics> {
        let mut stack = vec![Need::Root];
        while let Some(&need) = stack.last() {
            if self.is_met(&need) {
                stack.pop();
                self.active.remove(&self.topic(&need));
                continue;
            }
            self.active.insert(self.topic(&need));
            match self.attempt(need) {
                Ok(()) => {}
                Err(LinkStop::Limit) => {
                    self.errors.push(*self.exceeded(&stack));
                    break;
                }
                Err(LinkStop::Needs(needs)) => self.push(needs, &mut stack),
            }
        }
        let mut errors = std::mem::take(&mut self.index.errors);
        errors.append(&mut self.errors);
        errors
            .sort_by_key(|it| it.labels.first().map(|it| (it.span.file, it.span.start)));
        errors.dedup();
        Diagnostics(errors).or(self.ops.take().unwrap_or_default())
    }

    fn attempt(&mut self, need: Need) -> Result<(), LinkStop> {
        match need {
            Need::Root => {
                let root = Referent { node: self.root, own: false };
                self.ops = Some(self.merge_ops(root, NodePlaces::ROOT)?.0);
                Ok(())
            }
            Need::Expand(referent, place, _) => self.expand(referent, place),
            Need::Locate(id, place) => {
                self.locate_behind(id, place).map_err(LinkStop::Needs)?;
                self.check_limit()
            }
        }
    }

    fn push(&mut self, needs: Vec<Need>, stack: &mut Vec<Need>) {
        for need in needs.into_iter().rev() {
            match need {
                Need::Expand(referent, ..) if self.is_active(&need) => {
                    if !self.is_met(&need) {
                        self.errors.push(*self.cycle(stack, &need));
                        // Unexpanded it counts as met, so that linking goes on and finds
                        // further errors.
                        self.keep(referent, None, Expanded::itself(referent.node));
                    }
                }
                _ => stack.push(need),
            }
        }
    }

    fn topic(&self, need: &Need) -> Topic {
        match *need {
            Need::Root => Topic::Expand(self.root, false),
            Need::Expand(referent, ..) => Topic::Expand(referent.node, referent.own),
            Need::Locate(id, place) => Topic::Locate(id, place),
        }
    }

    /// Returns true if another need depends on this topic.
    fn is_active(&self, need: &Need) -> bool {
        self.active.contains(&self.topic(need))
    }

    fn is_met(&self, need: &Need) -> bool {
        match *need {
            Need::Root => self.ops.is_some(),
            Need::Expand(referent, place, _) => self.expansion(referent, place).is_some(),
            Need::Locate(id, place) => self.located.contains_key(&(id, place)),
        }
    }

    /// Returns the file of an include, and reads it the first time.
    fn loaded(&mut self, id: DirectiveId) -> Result<Loaded, Box<Diagnostic>> {
        if let Some(loaded) = self.loads.get(&id) {
            return loaded.clone();
        }
        let Directive { include, span, .. } = self.index.directive(id).clone();
        let include = include.unwrap_or_default();
        let known = self.files.arenas.len();
        let loaded = self.files.load(&include, span.file);
        let loaded = loaded.map_err(|error| {
            let text = if error.labels.is_empty() { "" } else { "included here" };
            error.label(span, text)
        });
        for arena in &self.files.arenas[known..] {
            self.document.add_arena(arena);
            self.index.add(arena);
        }
        self.loads.insert(id, loaded.clone());
        loaded
    }

    fn charge(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes);
    }

    fn check_limit(&self) -> Result<(), LinkStop> {
        if self.spent > self.rules.expansion.0 as u64 {
            Err(LinkStop::Limit)
        } else {
            Ok(())
        }
    }

    fn patch(self, mut ops: Vec<Op>) -> Patch {
        let arenas = self.files.arenas.iter().map(|arena| &**arena);
        if arenas
            .chain([self.document.base()])
            .any(|it| merge::may_have_whiteouts(it.text()))
        {
            let start = Span { file: self.document.file(), start: 0, end: 0 };
            let number = ops.len() as u32;
            let origin = Some(Origin { span: start, path: start, from: None, number });
            ops.push(Op::new(Target::default(), Edit::RemoveWhiteouts, origin));
        }
        let limit = Some(self.rules.expansion.0);
        let mut arenas = self.files.arenas.to_vec();
        arenas.push(self.document.shared_base().clone());
        let opened = self.document.into_opened();
        Patch { ops, arenas, opened, limit, links: self.links, ..Patch::default() }
    }

    /// Returns the referents of a directive whose mapping lands at `place`: what is
    /// written along its pointer, or else what lies behind directives on the way.
    fn locate(&mut self, id: DirectiveId, place: PlaceId) -> Result<Located, Need> {
        // To a directive that is not relative all places are one.
        let is_relative = self.index.directive(id).is_relative();
        let place = if is_relative { place } else { NodePlaces::ROOT };
        if let Some(located) = self.located.get(&(id, place)) {
            return Ok(located.clone());
        }
        let need = Need::Locate(id, place);
        let located = match self.route(id, place) {
            Ok(route) => match self.written(&route) {
                Ok(referent) => Located::Found(vec![referent]),
                // The directive itself stands on the way to its referent.
                Err(missing) if self.is_active(&need) => {
                    return Ok(Located::Missing(missing));
                }
                Err(_) => return Err(need),
            },
            Err(located) => located,
        };
        self.located.insert((id, place), located.clone());
        Ok(located)
    }

    /// Looks behind the directives on the way to the referents of a directive.
    fn locate_behind(
        &mut self,
        id: DirectiveId,
        place: PlaceId,
    ) -> Result<(), Vec<Need>> {
        let mut routes: Vec<Route> = self.route(id, place).into_iter().collect();
        routes.extend(self.home_route(id));
        let mut located = Located::Missing(Missing::default());
        for route in routes {
            let missing = match self.behind(&route)? {
                Ok(referents) => {
                    located = Located::Found(referents);
                    break;
                }
                Err(missing) => missing,
            };
            if let Located::Missing(first) = &located
                && first.reached.is_none()
            {
                located = Located::Missing(missing);
            }
        }
        self.located.insert((id, place), located);
        Ok(())
    }

    /// Returns the route to the target of a directive, or the target if it needs none.
    fn route(&mut self, id: DirectiveId, place: PlaceId) -> Result<Route, Located> {
        let directive = self.index.directive(id);
        let file = directive.span.file;
        let source = &directive.source;
        let required = directive.include.as_ref().map_or(0, |it| it.fragment.len());
        let base = source.base.clone();
        let segments = source.pointer.iter().cloned().map(RouteSegment::Text);
        let mut route = Route {
            from: Referent { node: self.root, own: false },
            place: NodePlaces::ROOT,
            segments: segments.collect(),
            required,
        };
        let unnamed = Located::Missing(Missing::default());
        match base {
            Base::Root => {}
            Base::Parent(dots) => {
                let path = self.places.path(self.places.above(place, dots - 1));
                route.segments.splice(0..0, path.into_iter().map(RouteSegment::Step));
            }
            Base::Anchor(name) => {
                route.from = self.anchor(&name, file).ok_or(unnamed)?;
                if route.from.own {
                    let key = self.index.directive(id).key;
                    route.from.node = self.entries_before(route.from.node, key);
                }
                route.place = place;
            }
            Base::File(_, name) => {
                let (file, node) = match self.loaded(id) {
                    Ok(Some(loaded)) => loaded,
                    Ok(None) => return Err(Located::Skipped),
                    Err(diagnostic) => {
                        let fresh = self.reported.insert(id);
                        self.errors.extend(fresh.then_some(*diagnostic));
                        return Err(Located::Failed);
                    }
                };
                if route.segments.is_empty() && self.document.is_null(node) {
                    return Err(Located::Skipped);
                }
                route.from = match name {
                    Some(name) => self.anchor_in(&name, file).ok_or(unnamed)?,
                    None => Referent { node, own: false },
                };
                route.place = place;
            }
        }
        Ok(route)
    }

    /// The route of a relative directive from the place where it was written.
    fn home_route(&mut self, id: DirectiveId) -> Option<Route> {
        let directive = self.index.directive(id);
        if !directive.is_relative() {
            return None;
        }
        self.route(id, *self.homes.get(&directive.holder)?).ok()
    }

    /// Follows a route through what is written.
    fn written(&mut self, route: &Route) -> Result<Referent, Missing> {
        let mut referent = route.from;
        let mut step = None;
        for (depth, segment) in route.segments.iter().enumerate() {
            let child = self.index.child(&self.document, referent.node, segment);
            let Some((next, node)) = child else {
                return Err(Missing {
                    reached: Some((referent.node, segment.clone())),
                    step,
                    required: depth < route.required,
                });
            };
            (referent, step) = (Referent { node, own: false }, Some(next));
        }
        Ok(referent)
    }

    /// Follows a route through what is written and what directives on the way import.
    fn behind(
        &mut self,
        route: &Route,
    ) -> Result<Result<Vec<Referent>, Missing>, Vec<Need>> {
        let written = match self.written(route) {
            Ok(referent) => return Ok(Ok(vec![referent])),
            Err(missing) => missing,
        };
        let mut referents = vec![route.from];
        let mut place = route.place;
        for (depth, segment) in route.segments.iter().enumerate() {
            let mut next = Vec::new();
            let mut step = None;
            for referent in self.close(referents, place)? {
                let child = self.index.child(&self.document, referent.node, segment);
                if let Some((at, node)) = child {
                    step = step.or(Some(at));
                    next.push(Referent { node, own: false });
                }
            }
            let Some(step) = step else {
                return Ok(Err(Missing { required: depth < route.required, ..written }));
            };
            place = self.places.child(place, step);
            referents = next;
        }
        Ok(Ok(referents))
    }

    /// Returns nodes with everything their directives refer to, the strongest first.
    fn close(
        &mut self,
        referents: Vec<Referent>,
        place: PlaceId,
    ) -> Result<Vec<Referent>, Vec<Need>> {
        let mut todo: Vec<Referent> = referents.into_iter().rev().collect();
        let mut seen = HashSet::new();
        let mut closed = Vec::new();
        let mut needs = Vec::new();
        while let Some(referent) = todo.pop() {
            let node = self.document.follow(referent.node);
            if !seen.insert(node) {
                continue;
            }
            self.charge(FOLLOW_COST);
            closed.push(referent);
            if referent.own {
                continue;
            }
            for &id in &self.branch(node).directives {
                let raw = self.index.directive(id).source.raw;
                match self.locate(id, place) {
                    Ok(Located::Found(found)) => {
                        let raw = |it: Referent| Referent { own: it.own || raw, ..it };
                        todo.extend(found.into_iter().rev().map(raw));
                    }
                    Ok(_) => {}
                    Err(need) => needs.push(need),
                }
            }
        }
        if needs.is_empty() { Ok(closed) } else { Err(needs) }
    }

    /// Returns the referent of a name: in `file`, else in the document, else in any file.
    fn anchor(&mut self, name: &str, file: FileId) -> Option<Referent> {
        let document = self.document.file();
        let near = self.anchor_in(name, file);
        near.or_else(|| self.anchor_in(name, document)).or_else(|| {
            self.load_all();
            let files = self.files.arenas.iter().map(|arena| arena.file());
            let files: Vec<FileId> = files.collect();
            files.into_iter().find_map(|file| self.anchor_in(name, file))
        })
    }

    fn anchor_in(&mut self, name: &str, file: FileId) -> Option<Referent> {
        self.names(file).get(name).copied()
    }

    fn names(&mut self, file: FileId) -> Names {
        self.index.names(&self.document, file, self.root_of(file))
    }

    /// Returns the entries before `key` of a mapping named by `+&` that contains `key`: a
    /// directive sees what precedes it. Any other mapping as it is.
    fn entries_before(&mut self, named: NodeId, key: NodeId) -> NodeId {
        let (NodeId::Clean(file, from), NodeId::Clean(other, at)) = (named, key) else {
            return named;
        };
        let arena = self.document.arena(file);
        if file != other || !(from..arena.next(from)).contains(&at) {
            return named;
        }
        let slots = self.document.slots(named).into_owned().into_iter();
        let before = slots.take_while(|slot| match slot.value {
            NodeId::Clean(_, value) => arena.next(value) <= at,
            NodeId::Opened(_) => false,
        });
        let plain = before.filter(|slot| {
            slot.key.is_some_and(|key| !self.index.is_marked(&self.document, key))
        });
        let slots = Slots::new(plain.collect());
        let id = self.document.new_collection_like(named, Kind::Mapping);
        self.document.set_children(id, slots);
        NodeId::Opened(id)
    }

    fn root_of(&self, file: FileId) -> NodeId {
        if file == self.document.file() {
            self.root
        } else {
            NodeId::Clean(file, self.document.arena(file).sections()[0].root)
        }
    }

    fn is_root(&self, node: NodeId) -> bool {
        matches!(node, NodeId::Clean(file, _) if node == self.root_of(file))
    }

    fn load_all(&mut self) {
        if std::mem::replace(&mut self.loaded_all, true) {
            return;
        }
        let mut next = 0;
        let mut todo = vec![self.root];
        loop {
            while let Some(node) = todo.pop() {
                let branch = self.branch(node);
                for &id in &branch.directives {
                    // An error is kept in `loads`, and reported only if the include
                    // itself is needed.
                    self.loaded(id).ok();
                }
                todo.extend(branch.children.iter().rev().map(|&(_, child)| child));
            }
            let Some(arena) = self.files.arenas.get(next) else { break };
            todo.push(self.root_of(arena.file()));
            next += 1;
        }
    }

    /// Expands the directives in a node that lands at `place`.
    fn expand(&mut self, referent: Referent, place: PlaceId) -> Result<(), LinkStop> {
        let (ops, mut expanded) = self.merge_ops(referent, place)?;
        expanded.node = self.merge_into(referent.node, &ops);
        self.keep(referent, expanded.relative.then_some(place), expanded);
        Ok(())
    }

    /// Keeps an expansion; `place` only if it matters.
    fn keep(&mut self, referent: Referent, place: Option<PlaceId>, expanded: Expanded) {
        self.expanded.insert((referent.node, referent.own, place), expanded);
    }

    /// Returns the expansion of a node at `place`, if it is known.
    fn expansion(&self, referent: Referent, place: PlaceId) -> Option<Expanded> {
        let Referent { node, own } = referent;
        if !self.index.is_marked(&self.document, node) {
            return Some(Expanded { size: self.size(node), ..Expanded::itself(node) });
        }
        let anywhere = self.expanded.get(&(node, own, None));
        anywhere.or_else(|| self.expanded.get(&(node, own, Some(place)))).copied()
    }

    /// Number of bytes of a written node, in the text or in memory, whichever is more.
    fn size(&self, node: NodeId) -> u64 {
        let NodeId::Clean(file, i) = self.document.follow(node) else { return NODE_SIZE };
        let arena = self.document.arena(file);
        let span = arena.span(i);
        u64::from(span.end - span.start).max(NODE_SIZE * u64::from(arena.next(i) - i))
    }

    fn merge_into(&mut self, node: NodeId, ops: &[Op]) -> NodeId {
        self.document.set_at(Seat::Root(self.at), node, None);
        let errors =
            apply::merge_all(ops, &mut self.document, self.at, 0, None, &mut self.budget);
        self.errors.extend(errors);
        self.document.roots()[self.at]
    }

    /// Returns the merges in a node that lands at `place`, in the order they are applied,
    /// and its size without its node.
    fn merge_ops(
        &mut self,
        top: Referent,
        place: PlaceId,
    ) -> Result<(Vec<Op>, Expanded), LinkStop> {
        let sites = self.sites(top.node, place);
        self.check_limit()?;
        let mut whole = Expanded::itself(top.node);
        whole.size = self.size(top.node);
        let mut imports = Vec::new();
        let mut needs = Vec::new();
        for site in &sites {
            if site.branch.is_alone {
                whole.size = whole.size.saturating_sub(self.size(site.node));
            }
            for &id in &site.branch.directives {
                let own = top.own && site.place == place;
                match if own { Ok(None) } else { self.import(id, site.place) } {
                    Ok(found) => {
                        let relative = self.index.directive(id).is_relative();
                        whole.relative |= relative || found.is_some_and(|it| it.relative);
                        whole.size += found.map_or(0, |it| it.size);
                        imports.push(self.link(id, found));
                    }
                    Err(more) => needs.extend(more),
                }
            }
        }
        if !needs.is_empty() {
            return Err(LinkStop::Needs(needs));
        }
        self.charge(whole.size);
        self.check_limit()?;
        let skip = self.places.path(place).len();
        // In reverse document order, so that a merge moves no site that is still to come.
        let ops = sites.into_iter().rev().zip(0..).map(|(site, number)| {
            let count = site.branch.directives.len();
            let imports = imports.split_off(imports.len() - count);
            let path = self.places.path(site.place).split_off(skip);
            self.merge_op(&site, path, imports, number)
        });
        Ok((ops.collect(), whole))
    }

    /// Returns the mappings with directives in `node`, in document order.
    fn sites(&mut self, node: NodeId, place: PlaceId) -> Vec<LandedSite> {
        let home = self.is_root(node);
        let mut sites = Vec::new();
        let mut todo = vec![(node, place, 0)];
        while let Some((node, place, depth)) = todo.pop() {
            let node = self.document.follow(node);
            if self.index.branches.contains_key(&node) {
                self.charge(VISIT_COST);
            }
            let branch = self.branch(node);
            for &(step, child) in branch.children.iter().rev() {
                todo.push((child, self.places.child(place, step), depth + 1));
            }
            let mut directives = branch.directives.iter();
            if home && directives.any(|&id| self.index.directive(id).is_relative()) {
                self.homes.entry(node).or_insert(place);
            }
            if branch.is_site() {
                self.charge(STEP_COST * depth);
                sites.push(LandedSite { node, place, branch });
            }
            if self.check_limit().is_err() {
                break;
            }
        }
        sites
    }

    /// Returns the import of a directive into the mapping that lands at `place`.
    fn import(
        &mut self,
        id: DirectiveId,
        place: PlaceId,
    ) -> Result<Option<Expanded>, Vec<Need>> {
        let referents = match self.locate(id, place).map_err(|need| vec![need])? {
            Located::Found(referents) => referents,
            Located::Failed => return Ok(None),
            Located::Skipped => {
                return Ok(Some(Expanded::itself(self.document.new_mapping(&[], None))));
            }
            Located::Missing(missing) => {
                self.report(id, &missing);
                return Ok(None);
            }
        };
        self.note_links(id, &referents);
        if self.index.directive(id).source.raw {
            let first = referents.first();
            let node = first.map(|referent| self.document.follow(referent.node));
            let size = node.map_or(0, |node| self.size(node));
            return Ok(node.map(|node| Expanded { size, ..Expanded::itself(node) }));
        }
        let mut expanded = Vec::new();
        let mut needs = Vec::new();
        for referent in referents {
            let referent =
                Referent { node: self.document.follow(referent.node), ..referent };
            match self.expansion(referent, place) {
                Some(one) => expanded.push(one),
                None => needs.push(Need::Expand(referent, place, id)),
            }
        }
        if needs.is_empty() { Ok(self.join(id, &expanded)) } else { Err(needs) }
    }

    /// Notes what a directive refers to.
    fn note_links(&mut self, id: DirectiveId, referents: &[Referent]) {
        let directive = self.index.directive(id);
        let written = |node: NodeId| match self.document.follow(node) {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.document.origin(id),
        };
        let (Some(holder), Some(key)) =
            (written(directive.holder), written(directive.key))
        else {
            return;
        };
        for referent in referents.iter().filter_map(|it| written(it.node)) {
            let link = Link { holder, key, referent };
            if self.linked.insert(link) {
                self.links.push(link);
            }
        }
    }

    /// Merges several expansions, the strongest first, into one.
    fn join(&mut self, id: DirectiveId, layers: &[Expanded]) -> Option<Expanded> {
        let first = *layers.first()?;
        let mappings = layers.iter().copied();
        let mappings =
            mappings.take_while(|it| self.document.kind(it.node) == Kind::Mapping);
        let weaker: Vec<Expanded> = mappings.skip(1).collect();
        if weaker.is_empty() {
            return Some(first);
        }
        let imports = weaker.iter().rev().map(|&it| self.link(id, Some(it))).collect();
        let merge = Merge { site: Path::new(), imports, lists: self.rules.lists };
        let origin = Some(self.origin(id, 0));
        let op = Op::new(Target::default(), Edit::Merge(merge), origin);
        let node = self.merge_into(first.node, &[op]);
        let size = layers.iter().map(|it| it.size).sum();
        let relative = layers.iter().any(|it| it.relative);
        Some(Expanded { node, size, relative })
    }

    fn link(&self, id: DirectiveId, found: Option<Expanded>) -> Import {
        let directive = self.index.directive(id);
        let base = match (&directive.source.base, self.loads.get(&id)) {
            (Base::File(_, name), Some(Ok(Some((file, _))))) => {
                Base::File(Some(*file), name.clone())
            }
            (base, _) => base.clone(),
        };
        let source = Source { base, ..directive.source.clone() };
        Import { key: directive.key, source, found: found.map(|it| it.node) }
    }

    fn merge_op(
        &self,
        site: &LandedSite,
        path: Path,
        imports: Vec<Import>,
        number: u32,
    ) -> Op {
        let tokens: Vec<Token> = path.iter().map(|step| self.token(step)).collect();
        let at = Pointer { required: tokens.len(), tokens };
        let origin = match site.branch.directives.first() {
            Some(&id) => self.origin(id, number),
            None => {
                let span = self.document.first_line_of(site.node);
                Origin { span, path: span, from: None, number }
            }
        };
        let merge = Merge { site: path, imports, lists: self.rules.lists };
        Op::new(at, Edit::Merge(merge), Some(origin))
    }

    fn origin(&self, id: DirectiveId, number: u32) -> Origin {
        let span = self.index.directive(id).span;
        Origin { span, path: span, from: None, number }
    }

    fn token(&self, step: &Step) -> Token {
        match *step {
            Step::Index(at) => Token::Index(at.into(), Vec::new()),
            Step::Key(key) => Token::Key(self.document.text_of(key).into_owned()),
        }
    }

    /// Reports a directive that leads to nothing, once, unless it may.
    fn report(&mut self, id: DirectiveId, missing: &Missing) {
        let directive = self.index.directive(id).clone();
        let forgiven = directive.source.optional && !missing.required;
        if forgiven || !self.reported.insert(id) {
            return;
        }
        let message = format!("missing include: '{}'", shown(&self.document, &directive));
        let diagnostic = Diagnostic::error(message).at(directive.span);
        let diagnostic = match (&missing.reached, &directive.source.base) {
            (Some((node, segment)), _) => add_reached(
                diagnostic,
                &self.document,
                self.root,
                *node,
                segment,
                missing.step,
            ),
            (None, Base::Anchor(anchor) | Base::File(_, Some(anchor))) => {
                let names = self.names(directive.span.file);
                add_anchor(diagnostic, anchor, names.keys().map(|name| &**name).collect())
            }
            (None, Base::Root | Base::Parent(_) | Base::File(_, None)) => diagnostic,
        };
        let is_bare = directive.include.is_none() && diagnostic.hints.is_empty();
        let hint = "a key that begins with `+` imports what it names: nothing here";
        self.errors.push(*diagnostic.hints(is_bare.then_some(hint)));
    }

    fn cycle(&self, stack: &[Need], need: &Need) -> Box<Diagnostic> {
        let topic = self.topic(need);
        let start = stack.iter().rposition(|it| self.topic(it) == topic).unwrap_or(0);
        let behind = stack.iter().skip(start + 1).filter(|it| self.is_active(it));
        let mut chain: Vec<DirectiveId> =
            behind.chain([need]).filter_map(Need::directive).collect();
        chain.dedup();
        let chain: Vec<_> = chain.iter().map(|&id| self.index.directive(id)).collect();
        cycle_error(&self.document, &chain)
    }

    /// Returns the error that the directives expand to too much, at the innermost need.
    fn exceeded(&self, stack: &[Need]) -> Box<Diagnostic> {
        let innermost = stack.iter().rev().find_map(Need::directive);
        let directive = innermost.map(|id| self.index.directive(id));
        let directive = directive.or_else(|| self.index.directives.last());
        limit_error(self.rules.expansion.0, directive)
    }

    fn branch(&mut self, node: NodeId) -> Rc<Branch> {
        self.index.branch(&self.document, node)
    }
}

/// A node with its directives expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    pub node: NodeId,
    /// Number of bytes it may be printed with.
    pub size: u64,
    /// True if it would differ at another place.
    pub relative: bool,
}

impl Expanded {
    /// Returns the expansion of a node without directives.
    pub(super) fn itself(node: NodeId) -> Expanded {
        Expanded { node, size: 0, relative: false }
    }
}

/// The target of a directive.
#[derive(Clone, Debug)]
pub(super) enum Located {
    /// Its referents, the strongest first.
    Found(Vec<Referent>),
    /// Nothing, and that is no error.
    Skipped,
    Missing(Missing),
    /// Nothing, because of an error that was reported.
    Failed,
}

/// The point at which the pointer of a directive ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Missing {
    /// The last node that exists, and the segment that is missing there.
    pub reached: Option<(NodeId, RouteSegment)>,
    /// The step to that node.
    pub step: Option<Step>,
    /// True if it is an error even for an optional directive.
    pub required: bool,
}
