//! A directive and the place it lands at → the nodes it names. What is written along the
//! pointer counts; only where that leads nowhere, what lies behind directives on the way.

use std::collections::HashSet;

use super::branch::{DirectiveId, Token};
use super::import::Loaded;
use super::link::{Linker, Need};
use super::place::{PlaceId, Places};
use crate::node::Node;
use crate::patch::{Base, Step};

/// Something a directive names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) node: Node,
    /// Without what the directives of this very mapping import.
    pub(super) own: bool,
}

/// Where a directive leads.
#[derive(Clone, Debug)]
pub(super) enum Located {
    /// To these, the strongest first.
    Found(Vec<Layer>),
    /// To nothing that is wanted.
    Skipped,
    /// To nothing.
    Missing(Missing),
    /// To an error that was told.
    Wrong,
}

/// How far a pointer led.
#[derive(Clone, Debug, Default)]
pub(super) struct Missing {
    /// The last node on the way, and how it would go on from there.
    pub(super) reached: Option<(Node, Token)>,
    /// The step that led there.
    pub(super) step: Option<Step>,
    /// It may not be missing, whatever the key says.
    pub(super) required: bool,
}

/// The way to what a directive names.
#[derive(Clone, Debug)]
struct Way {
    from: Layer,
    place: PlaceId,
    tokens: Vec<Token>,
    /// So many tokens have to lead somewhere.
    required: usize,
}

impl Linker<'_> {
    /// What a directive names, whose mapping lands at `place`.
    ///
    /// # Errors
    /// What has to be known first.
    pub(super) fn locate(
        &mut self,
        id: DirectiveId,
        place: PlaceId,
    ) -> Result<Located, Need> {
        let place = self.place_that_matters(id, place);
        if let Some(located) = self.located.get(&(id, place)) {
            return Ok(located.clone());
        }
        let need = Need::Locate(id, place);
        let located = match self.way(id, place) {
            Ok(way) => match self.written(&way) {
                Ok(node) => found(node),
                // On the way to what it names stands the directive itself.
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

    /// Looks behind the directives on the way to what a directive names.
    ///
    /// # Errors
    /// What has to be known first.
    pub(super) fn locate_behind(
        &mut self,
        id: DirectiveId,
        place: PlaceId,
    ) -> Result<(), Vec<Need>> {
        let mut ways: Vec<Way> = self.way(id, place).into_iter().collect();
        ways.extend(self.way_home(id));
        let mut located = Located::Missing(Missing::default());
        for way in ways {
            let missing = match self.behind(&way)? {
                Ok(layers) => {
                    located = Located::Found(layers);
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

    /// Of a directive that is not relative all landing places are one.
    fn place_that_matters(&self, id: DirectiveId, place: PlaceId) -> PlaceId {
        if self.directives[id].is_relative() { place } else { Places::ROOT }
    }

    fn way(&mut self, id: DirectiveId, place: PlaceId) -> Result<Way, Located> {
        let directive = &self.directives[id];
        let file = directive.span.file;
        let source = &directive.source;
        let required = directive.include.as_ref().map_or(0, |it| it.fragment.len());
        let base = source.base.clone();
        let tokens = source.pointer.iter().cloned().map(Token::Text);
        let mut way = Way {
            from: Layer { node: self.root, own: false },
            place: Places::ROOT,
            tokens: tokens.collect(),
            required,
        };
        let unnamed = || Located::Missing(Missing::default());
        match base {
            Base::Root => {}
            Base::Parent(dots) => {
                let path = self.places.path(self.places.above(place, dots - 1));
                way.tokens.splice(0..0, path.into_iter().map(Token::Step));
            }
            Base::Anchor(name) => {
                way.from = self.anchor(&name, file).ok_or_else(unnamed)?;
                if way.from.own {
                    let key = self.directives[id].key;
                    way.from.node = self.before(way.from.node, key);
                }
                way.place = place;
            }
            Base::File(_, name) => {
                let (file, node) = match self.loaded(id) {
                    Ok(Loaded::File(file, node)) => (file, node),
                    Ok(Loaded::Skipped) => return Err(Located::Skipped),
                    Err(diagnostic) => {
                        let fresh = self.reported.insert(id);
                        self.wrong.extend(fresh.then_some(*diagnostic));
                        return Err(Located::Wrong);
                    }
                };
                if way.tokens.is_empty() && self.document.is_null(node) {
                    return Err(Located::Skipped);
                }
                way.from = match name {
                    Some(name) => self.anchor_in(&name, file).ok_or_else(unnamed)?,
                    None => Layer { node, own: false },
                };
                way.place = place;
            }
        }
        Ok(way)
    }

    /// The way of a relative directive from where it was written.
    fn way_home(&mut self, id: DirectiveId) -> Option<Way> {
        let directive = &self.directives[id];
        if !directive.is_relative() {
            return None;
        }
        let home = *self.homes.get(&directive.holder)?;
        self.way(id, home).ok()
    }

    /// What is written where the way leads.
    fn written(&mut self, way: &Way) -> Result<Layer, Missing> {
        let (mut layer, mut step) = (way.from, None);
        for (depth, token) in way.tokens.iter().enumerate() {
            let Some((next, node)) = self.child(layer.node, token) else {
                return Err(Missing {
                    reached: Some((layer.node, token.clone())),
                    step,
                    required: depth < way.required,
                });
            };
            (layer, step) = (Layer { node, own: false }, Some(next));
        }
        Ok(layer)
    }

    /// What stands where the way leads, directives included.
    fn behind(&mut self, way: &Way) -> Result<Result<Vec<Layer>, Missing>, Vec<Need>> {
        let written = match self.written(way) {
            Ok(layer) => return Ok(Ok(vec![layer])),
            Err(missing) => missing,
        };
        let (mut layers, mut place) = (vec![way.from], way.place);
        for (depth, token) in way.tokens.iter().enumerate() {
            let (mut next, mut step) = (Vec::new(), None);
            for layer in self.close(layers, place)? {
                if let Some((at, node)) = self.child(layer.node, token) {
                    step = step.or(Some(at));
                    next.push(Layer { node, own: false });
                }
            }
            let Some(step) = step else {
                let deeper = Missing { required: depth < way.required, ..written };
                return Ok(Err(deeper));
            };
            place = self.places.child(place, step);
            layers = next;
        }
        Ok(Ok(layers))
    }

    /// The layers and what their directives name, the strongest first.
    fn close(
        &mut self,
        layers: Vec<Layer>,
        place: PlaceId,
    ) -> Result<Vec<Layer>, Vec<Need>> {
        let mut todo: Vec<Layer> = layers.into_iter().rev().collect();
        let (mut met, mut closed, mut needs) = (HashSet::new(), Vec::new(), Vec::new());
        while let Some(layer) = todo.pop() {
            let node = self.document.follow(layer.node);
            if !met.insert(node) {
                continue;
            }
            self.charge(64);
            closed.push(layer);
            if layer.own {
                continue;
            }
            for &id in &self.branch(node).directives {
                let raw = self.directives[id].source.raw;
                match self.locate(id, place) {
                    Ok(Located::Found(found)) => {
                        let layer = |it: Layer| Layer { own: it.own || raw, ..it };
                        todo.extend(found.into_iter().rev().map(layer));
                    }
                    Ok(_) => {}
                    Err(need) => needs.push(need),
                }
            }
        }
        if needs.is_empty() { Ok(closed) } else { Err(needs) }
    }
}

fn found(layer: Layer) -> Located {
    Located::Found(vec![layer])
}
