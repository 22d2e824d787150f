//! A mapping with directives and what it is to expand to → which directives it keeps, and
//! how they are spelled.

use std::collections::HashSet;

use super::put::{Place, Put};
use super::site::{After, Imported};
use crate::arena::Index;
use crate::node::{Kind, Node, SlotId};
use crate::scalar::Scalar;

/// What became of a directive.
pub(super) enum Fate {
    /// What it gave was written out, and why.
    Gone(String),
    /// It is spelled another way.
    Renamed(String),
}

impl<'a> Put<'a, '_> {
    /// Says what a mapping with directives is to be.
    pub(super) fn site(&mut self, mut place: Place, i: Index) {
        let frame = self.push_frame(&place);
        let imports = self.imports(i, frame);
        let alone = self.source.base().entries(i).count() == imports.len();
        if let ([(key, after @ (After::Found(found) | After::Renamed(found, _)))], true) =
            (&imports[..], alone)
            && self.kind(*found) != Kind::Mapping
        {
            if !self.keep_value(&place, (*key, after), *found) {
                self.replace(&place);
            }
            return;
        }
        if self.kind(place.edited) != Kind::Mapping {
            return self.replace(&place);
        }
        let Some(id) = self.open(&place) else { return };
        let mut left = imports.len();
        for (key, after) in imports {
            match after {
                After::Found(found) | After::Renamed(found, _)
                    if self.kind(found) != Kind::Mapping =>
                {
                    self.drop_directive(id, key, "what it names is no mapping any more");
                    left -= 1;
                }
                After::Found(found) | After::Renamed(found, _)
                    if self.is_stuck(found, place.edited) =>
                {
                    self.drop_directive(id, key, "what it gives cannot be left out");
                    left -= 1;
                }
                After::Found(found) => self.compare.lay(&mut place.inherited, found),
                After::Renamed(found, pointer) => {
                    self.respell(id, key, &pointer);
                    self.compare.lay(&mut place.inherited, found);
                }
                After::Missing => {}
                After::Gone => self.make_optional(id, key),
                After::Taken => {
                    self.drop_directive(id, key, "what it names is gone");
                    left -= 1;
                }
            }
        }
        if left == 0 && place.inherited.is_empty() {
            self.drop_outs(id);
        }
        place.stirred |= self.sites.is_stirred(i);
        self.entries(id, place, frame);
    }

    /// Whether what is found has directives, taken raw, that are not wanted: no whiteout
    /// can be said of them.
    fn is_stuck(&mut self, found: Node, edited: Node) -> bool {
        let (mut todo, mut met) = (vec![(found, edited)], HashSet::new());
        while let Some((found, edited)) = todo.pop() {
            let mappings = [found, edited].map(|node| self.kind(node) == Kind::Mapping);
            if mappings != [true, true]
                || self.compare.same(found, edited)
                || !met.insert((found, edited))
            {
                continue;
            }
            let (found, edited) =
                (self.compare.entries(found), self.compare.entries(edited));
            for entry in &found.list {
                match edited.get(&entry.key) {
                    Some(edited) => todo.push((entry.value, edited)),
                    None if self.is_machinery(Some(entry.name)) => return true,
                    None => {}
                }
            }
        }
        false
    }

    /// Keeps a directive that stands for a value, or for a part of a list.
    fn keep_value(
        &mut self,
        place: &Place,
        (key, after): (Node, &After),
        found: Node,
    ) -> bool {
        if self.compare.same(found, place.edited) {
            if let (After::Renamed(_, pointer), Some(id)) = (after, self.open(place)) {
                self.respell(id, key, pointer);
            }
            return true;
        }
        let (part, all) = (self.items(found), self.items(place.edited));
        if *after != After::Found(found) || part.is_empty() || part.len() > all.len() {
            return false;
        }
        let same = |it: &mut Self, at: usize| {
            part.iter().zip(&all[at..]).all(|(&a, &b)| it.compare.same(a, b))
        };
        let Some(at) = (0..=all.len() - part.len()).find(|&at| same(self, at)) else {
            return false;
        };
        let list = self.out.new_sequence();
        let Node::Opened(id) = list else { return false };
        let before = all[..at].iter().map(|&item| Some(item));
        let after = all[at + part.len()..].iter().map(|&item| Some(item));
        for (position, item) in before.chain([None]).chain(after).enumerate() {
            let item = match item {
                Some(item) => self.value(item, None),
                None => place.source,
            };
            self.out.insert_item(id, position, item, None);
        }
        self.out.set_at(place.seat, list, None);
        true
    }

    fn items(&self, node: Node) -> Vec<Node> {
        self.compare.document.items(node)
    }

    /// What the directives of a site will import.
    pub(super) fn imports(&mut self, i: Index, frame: usize) -> Vec<(Node, After)> {
        let Some(site) = self.sites.get(i) else { return Vec::new() };
        let (source, roots) = ((self.source, self.root), self.roots);
        let after = |import: &Imported<'a>| {
            let here = (&self.frames[..], frame);
            let after = self.sites.after(import, source, here, self.compare, roots);
            (import.key, after)
        };
        site.imports.iter().map(after).collect()
    }

    fn drop_directive(&mut self, id: u32, key: Node, why: &str) {
        match self.directive(id, key) {
            Some(at) => self.out.remove_slot(id, at),
            None => self.out.expand_merge_keys(id),
        }
        self.notes.push((key, Fate::Gone(why.to_owned())));
    }

    /// Whiteouts go with the last of the directives that they were for.
    fn drop_outs(&mut self, id: u32) {
        let slots = self.out.children(id);
        let outs = slots.ids().filter(|&at| self.is_out(slots.get(at).value));
        for at in outs.collect::<Vec<_>>() {
            self.out.remove_slot(id, at);
        }
    }

    /// The keys of the directives of a mapping.
    pub(super) fn directives_of(&self, mapping: Node) -> Vec<Node> {
        let Node::Clean(_, i) = mapping else { return Vec::new() };
        let imports = self.sites.get(i).into_iter().flat_map(|site| &site.imports);
        imports.map(|import| import.key).collect()
    }

    /// The slot of a directive, unless it comes from `<<`.
    fn directive(&self, id: u32, key: Node) -> Option<SlotId> {
        let slots = self.out.children(id);
        slots.ids().find(|&at| slots.get(at).key == Some(key))
    }

    /// Lets a directive name what was renamed.
    pub(super) fn respell(&mut self, id: u32, key: Node, pointer: &[String]) {
        let text = self.text(key);
        let escape = |token: &String| token.replace('~', "~0").replace('/', "~1");
        let head = text.split('/').next().unwrap_or_default();
        let tokens = pointer
            .iter()
            .map(escape)
            .fold(head.to_owned(), |text, token| format!("{text}/{token}"));
        self.rename_directive(id, key, &tokens);
    }

    /// Lets a directive name what is gone, which it may then.
    fn make_optional(&mut self, id: u32, key: Node) {
        let text = self.text(key);
        self.rename_directive(id, key, &text.replacen('+', "+?", 1));
    }

    fn rename_directive(&mut self, id: u32, key: Node, text: &str) {
        let Some(at) = self.directive(id, key) else {
            return self.drop_directive(id, key, "what it names is gone");
        };
        let new = if self.is_quoted(key) {
            self.out.new_text_like(text, key)
        } else {
            self.out.new_text(text)
        };
        self.out.rename(id, at, new);
        self.notes.push((key, Fate::Renamed(text.to_owned())));
    }

    fn text(&self, key: Node) -> String {
        match self.source.scalar(key) {
            Scalar::String(text) => text.into_owned(),
            _ => String::new(),
        }
    }
}
