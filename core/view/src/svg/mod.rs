//! Tiles and boards as SVG, drawn from tile data and the pictures that expansions bring.
//!
//! The land follows from how kinds of features are printed (see [`crate::text`]); symbols, points, figures and tokens
//! have their picture from a [`Gallery`], or a badge with their name. The same input always gives the same text.
//!
//! ```
//! use trencavel_rules::Ruleset;
//! use trencavel_view::art::Gallery;
//! use trencavel_view::svg::Artist;
//!
//! let (rules, gallery) = (Ruleset::default(), Gallery::default());
//! let sheet = Artist::new(&rules, &gallery).sheet("Nothing", &[], &[]);
//! assert!(sheet.svg().starts_with("<svg "));
//! ```

mod cells;
mod curve;
mod land;
mod letters;
mod look;
mod outline;
mod paper;
mod pieces;
mod plan;
mod sheet;
mod table;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use trencavel_rules::ids::{FeatureKindId, TileDefId};
use trencavel_rules::{Rotation, Ruleset, State, short};

use crate::art::Gallery;
use crate::shape::Shapes;
use cells::Room;
use curve::{Spot, number};
use plan::Plan;
pub use table::{Table, player_colours};

/// Units along a side of a tile.
pub const TILE: f64 = 100.0;
/// Picture points of a tile when nothing else is said.
pub const PIXELS: f64 = 96.0;

/// Draws what belongs to a ruleset.
pub struct Artist<'a> {
    rules: &'a Ruleset,
    gallery: &'a Gallery,
    shapes: Shapes,
    /// Plans that were needed before.
    plans: RefCell<BTreeMap<TileDefId, Rc<Plan>>>,
}

/// A drawing: shapes on a canvas, and what they use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Units from west to east.
    pub width: f64,
    /// Units from north to south.
    pub height: f64,
    /// Shapes that are used by name, by that name.
    defs: BTreeMap<String, String>,
    body: String,
}

impl Drawing {
    fn new(width: f64, height: f64) -> Self {
        Self { width, height, ..Self::default() }
    }

    /// The shapes that are used by name, by their names, which mean the same in every drawing of an [`Artist`].
    pub fn defs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.defs.iter().map(|(name, shape)| (name.as_str(), shape.as_str()))
    }

    /// What is drawn, without the shapes it uses.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The whole drawing as an SVG file; a tile is [`PIXELS`] wide in it.
    pub fn svg(&self) -> String {
        let scale = PIXELS / TILE;
        let (width, height) = (number(self.width), number(self.height));
        let (wide, high) = (number(self.width * scale), number(self.height * scale));
        let defs: String = self.defs.values().map(String::as_str).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{wide}\" height=\"{high}\">\n\
             <defs>\n{defs}</defs>\n{}</svg>\n",
            self.body
        )
    }
}

impl<'a> Artist<'a> {
    /// An artist for these rules, with these pictures.
    pub fn new(rules: &'a Ruleset, gallery: &'a Gallery) -> Self {
        Self { rules, gallery, shapes: Shapes::of(rules), plans: RefCell::default() }
    }

    /// The rules whose things are drawn.
    pub fn rules(&self) -> &'a Ruleset {
        self.rules
    }

    /// One tile.
    pub fn tile(&self, tile: TileDefId, rotation: Rotation) -> Drawing {
        let mut drawing = Drawing::new(TILE, TILE);
        self.put_tile(&mut drawing, tile, rotation, Spot::new(0.0, 0.0));
        drawing
    }

    /// One tile as it is printed: without the line around it.
    pub(crate) fn printed(&self, tile: TileDefId) -> Drawing {
        let mut drawing = Drawing::new(TILE, TILE);
        let plan = self.put_land(&mut drawing, tile, Rotation::R0, Spot::new(0.0, 0.0));
        self.put_pictures(&mut drawing, tile, &plan, Rotation::R0, Spot::new(0.0, 0.0));
        drawing
    }

    /// The land of a tile alone, as it goes on beyond the cut.
    pub(crate) fn bleed(&self, tile: TileDefId) -> Drawing {
        let mut drawing = Drawing::new(TILE, TILE);
        self.put_land(&mut drawing, tile, Rotation::R0, Spot::new(0.0, 0.0));
        drawing
    }

    /// The table: its tiles, figures and tokens, with the numbers of columns and rows on the margins.
    pub fn board(&self, state: &State) -> Drawing {
        pieces::board(self, state)
    }

    /// Tiles with their names and how many there are, then figures and symbols with theirs.
    pub fn sheet(&self, title: &str, tiles: &[TileDefId], names: &[String]) -> Drawing {
        sheet::draw(self, title, tiles, names)
    }

    /// Draws a tile whose north-west corner is here, and gives its plan.
    fn put_tile(&self, drawing: &mut Drawing, id: TileDefId, rotation: Rotation, at: Spot) -> Rc<Plan> {
        let name = escaped(short(&self.rules.tile(id).id));
        drawing.body += &format!("<g><title>{name}</title>");
        let plan = self.put_land(drawing, id, rotation, at);
        let (x, y) = (number(at.x), number(at.y));
        drawing.body +=
            &format!("<path d=\"M{x} {y}h100v100h-100z\" fill=\"none\" stroke=\"#4d4a3a\" stroke-width=\"0.8\"/>\n");
        self.put_pictures(drawing, id, &plan, rotation, at);
        drawing.body += "</g>\n";
        plan
    }

    /// Where everything lies on a tile as printed.
    fn plan(&self, id: TileDefId) -> Rc<Plan> {
        let mut plans = self.plans.borrow_mut();
        Rc::clone(plans.entry(id).or_insert_with(|| Rc::new(Plan::of(&self.shapes, self.rules.tile(id)))))
    }

    fn put_land(&self, drawing: &mut Drawing, id: TileDefId, rotation: Rotation, at: Spot) -> Rc<Plan> {
        let tile = self.rules.tile(id);
        let plan = self.plan(id);
        let name = format!("tile-{}", id.index());
        if !drawing.defs.contains_key(&name) {
            let land = land::draw(self, tile, &plan);
            drawing.defs.insert(name.clone(), format!("<g id=\"{name}\">\n{land}</g>\n"));
        }
        let turn = match rotation {
            Rotation::R0 => String::new(),
            turned => format!(" rotate({} 50 50)", 90 * turned.index()),
        };
        let (x, y) = (number(at.x), number(at.y));
        drawing.body += &format!("<use href=\"#{name}\" transform=\"translate({x} {y}){turn}\"/>\n");
        plan
    }

    fn put_pictures(&self, drawing: &mut Drawing, id: TileDefId, plan: &Plan, rotation: Rotation, at: Spot) {
        let tile = self.rules.tile(id);
        for (local, room) in &plan.points {
            let kind = tile.segments[*local].kind;
            self.picture(drawing, self.rules.feature_name(kind), turned(*room, rotation, at));
        }
        for (mark, room) in &plan.marks {
            self.picture(drawing, self.rules.mark_name(*mark), turned(*room, rotation, at));
        }
    }

    /// The picture of what has this full id, or a badge with its name.
    fn picture(&self, drawing: &mut Drawing, id: &str, room: Room) {
        match self.gallery.get(id) {
            Some(picture) => {
                let name = format!("art-{}", id.replace(':', "-"));
                let group = || picture.group(&name, look::player(None).0);
                drawing.defs.entry(name.clone()).or_insert_with(group);
                drawing.use_at(&name, room);
            }
            None => drawing.body += &badge(short(id), room),
        }
    }

    /// What lines of a kind are drawn with: the strokes of its picture, else the usual ones.
    fn strokes(&self, kind: FeatureKindId) -> look::Strokes {
        self.own_strokes(kind).unwrap_or_else(|| look::line(self.shapes.rank(kind)))
    }

    /// The strokes of a kind's own picture. Such lines meet without houses.
    fn own_strokes(&self, kind: FeatureKindId) -> Option<look::Strokes> {
        let picture = self.gallery.get(self.rules.feature_name(kind))?;
        Some(picture.strokes.clone()).filter(|strokes| !strokes.is_empty())
    }
}

impl Drawing {
    /// Uses a shape of 100 units around the origin, so large and here.
    fn use_at(&mut self, name: &str, room: Room) {
        let scale = (room.radius * 2.0 * 10.0).round() / 1000.0;
        let (x, y) = (number(room.at.x), number(room.at.y));
        self.body += &format!("<use href=\"#{name}\" transform=\"translate({x} {y}) scale({scale})\"/>\n");
    }
}

/// Where a room lies after its tile was turned and put somewhere.
fn turned(room: Room, rotation: Rotation, at: Spot) -> Room {
    let spot = room.at.turned(rotation);
    Room { at: Spot::new(at.x + spot.x, at.y + spot.y), radius: room.radius }
}

/// A label with the beginning of a name.
fn badge(name: &str, room: Room) -> String {
    const HEIGHT: f64 = 6.0;
    let words: String = name.chars().take(5).collect();
    let wide = letters::width(&words, HEIGHT) + 5.0;
    let (x, y) = (number(room.at.x - wide / 2.0), number(room.at.y - 5.5));
    format!(
        "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"11\" rx=\"3\" fill=\"#fffbe8\" stroke=\"#333333\" stroke-width=\"1\"/>\n{}</g>\n",
        escaped(name),
        number(wide),
        letters::centred(&words, room.at.x, room.at.y, HEIGHT, "#222222")
    )
}

/// A text as it stands in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
