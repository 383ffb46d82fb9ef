//! The table: tiles where they lie, and on them figures and tokens.

use std::collections::BTreeMap;

use trencavel_rules::ids::{FigureId, FigureKindId, PlayerId, SeatId, SegmentId, TileId};
use trencavel_rules::{Anchor, Position, Rotation, State, features, notation, short};

use super::cells::Room;
use super::curve::{Spot, number};
use super::plan::Plan;
use super::{Artist, Drawing, TILE, badge, escaped, letters, look, turned};

const MARGIN: f64 = 20.0;
/// The size of a figure, and of the room it takes from others.
const FIGURE: f64 = 30.0;

pub(crate) fn board(artist: &Artist<'_>, state: &State) -> Drawing {
    let places: Vec<Position> = state.tiles().map(|(_, tile)| tile.at).collect();
    let edge = |pick: fn(&Position) -> i16| (places.iter().map(pick).min(), places.iter().map(pick).max());
    let ((Some(west), Some(east)), (Some(north), Some(south))) = (edge(|at| at.x), edge(|at| at.y)) else {
        return Drawing::new(TILE, TILE);
    };
    let size = |from: i16, to: i16| f64::from(i32::from(to) - i32::from(from) + 1) * TILE + 2.0 * MARGIN;
    let mut drawing = Drawing::new(size(west, east), size(north, south));
    drawing.body += "<rect width=\"100%\" height=\"100%\" fill=\"#efe9dc\"/>\n";
    let corner = |at: Position| {
        let away = |value: i16, from: i16| f64::from(i32::from(value) - i32::from(from)) * TILE + MARGIN;
        Spot::new(away(at.x, west), away(at.y, north))
    };
    margins(&mut drawing, (west, east), (north, south));
    lay(artist, state, &mut drawing, &corner);
    drawing
}

/// Where figures stand, in units.
pub(crate) type Standing = BTreeMap<FigureId, Spot>;

/// Draws every tile, and over them whatever stands there.
pub(crate) fn lay(
    artist: &Artist<'_>,
    state: &State,
    drawing: &mut Drawing,
    corner: &dyn Fn(Position) -> Spot,
) -> Standing {
    let (mut pieces, mut figures) = (Drawing::default(), Standing::new());
    for (id, placed) in state.tiles() {
        let plan = artist.put_tile(drawing, placed.def, placed.rotation, corner(placed.at));
        on_tile(artist, state, id, &plan, corner(placed.at), &mut pieces, &mut figures);
    }
    drawing.defs.append(&mut pieces.defs);
    drawing.body += &pieces.body;
    figures
}

/// Where one more figure would stand on a segment, beside those that are there; on a corner of the tile for such a seat.
pub(crate) fn free_spot(artist: &Artist<'_>, state: &State, segment: SegmentId, seat: Option<SeatId>) -> Spot {
    let (tile, local) = state.segment_place(segment);
    let placed = state.tile(tile);
    let plan = artist.plan(placed.def);
    let taken = anchored(artist, state, tile).into_iter().fold(Vec::new(), |mut taken, figure| {
        let room = standing(artist, state, figure, &plan, &taken);
        taken.push(Room { at: room.at, radius: FIGURE * 0.4 });
        taken
    });
    let corner = seat.and_then(|seat| artist.rules.seat_corner(seat));
    let room = seated(local, corner.map(|corner| (corner, placed.rotation)), &plan, &taken);
    turned(room, placed.rotation, Spot::new(0.0, 0.0)).at
}

/// The numbers of columns and rows.
fn margins(drawing: &mut Drawing, columns: (i16, i16), rows: (i16, i16)) {
    const INK: &str = "#6b6455";
    let middle = |place: usize| MARGIN + (place as f64 + 0.5) * TILE;
    for (place, x) in (columns.0..=columns.1).enumerate() {
        drawing.body += &letters::centred(&x.to_string(), middle(place), MARGIN / 2.0, 8.0, INK);
    }
    for (place, y) in (rows.0..=rows.1).enumerate() {
        drawing.body += &letters::centred(&y.to_string(), MARGIN / 2.0, middle(place), 7.0, INK);
    }
}

/// Figures and tokens of a tile.
fn on_tile(
    artist: &Artist<'_>,
    state: &State,
    tile: TileId,
    plan: &Plan,
    corner: Spot,
    drawing: &mut Drawing,
    figures: &mut Standing,
) {
    let placed = state.tile(tile);
    let mut taken = Vec::new();
    for figure in anchored(artist, state, tile) {
        let room = standing(artist, state, figure, plan, &taken);
        taken.push(Room { at: room.at, radius: FIGURE * 0.4 });
        let there = turned(room, placed.rotation, corner);
        figures.insert(figure, there.at);
        artist.figure(drawing, state.figure(figure).kind, state.figure(figure).owner(), there);
    }
    for tokens in state.tokens().iter().filter(|tokens| tokens.at == Anchor::Tile(tile) && tokens.count > 0) {
        let point = plan.points.last().map(|(_, room)| *room);
        let room = point
            .or_else(|| plan.cells.room(|_| true, &taken))
            .unwrap_or(Room { at: super::curve::CENTRE, radius: 0.0 });
        taken.push(Room { at: room.at, radius: FIGURE * 0.4 });
        let there = turned(Room { at: room.at, radius: 12.0 }, placed.rotation, corner);
        artist.token(drawing, artist.rules.token_name(tokens.kind), tokens.count, there);
    }
}

/// The figures drawn on a tile: those that stand on it, and those on a corner of it.
fn anchored(artist: &Artist<'_>, state: &State, tile: TileId) -> Vec<FigureId> {
    let mut figures: Vec<FigureId> = features::figures_on(artist.rules, state, tile).collect();
    let on_corner = |figure: &FigureId| match state.figure(*figure).at {
        Anchor::Seat { segment, .. } => state.segment_place(segment).0 == tile && !figures.contains(figure),
        _ => false,
    };
    let more: Vec<FigureId> = state.figures().map(|(id, _)| id).filter(on_corner).collect();
    figures.extend(more);
    figures
}

/// Where a figure stands, on the tile as printed.
fn standing(artist: &Artist<'_>, state: &State, figure: FigureId, plan: &Plan, taken: &[Room]) -> Room {
    match state.figure(figure).at {
        Anchor::Seat { segment, seat } => {
            let (tile, local) = state.segment_place(segment);
            let corner = artist.rules.seat_corner(seat).map(|corner| (corner, state.tile(tile).rotation));
            seated(local, corner, plan, taken)
        }
        _ => {
            let free: Vec<Room> = plan.taken.iter().chain(taken).copied().collect();
            here(plan.cells.room(|_| true, &free).or_else(|| plan.cells.room(|_| true, taken)))
        }
    }
}

/// Where there is room on a segment, or the corner of the table where a seat lies, on the tile as printed.
fn seated(local: usize, corner: Option<(usize, Rotation)>, plan: &Plan, taken: &[Room]) -> Room {
    if let Some((corner, rotation)) = corner {
        let spots = [(4.0, 4.0), (96.0, 4.0), (96.0, 96.0), (4.0, 96.0)];
        let (x, y) = spots[corner % spots.len()];
        return here(Some(Room { at: Spot::new(x, y).turned(rotation.inverse()), radius: 0.0 }));
    }
    let free: Vec<Room> = plan.taken.iter().chain(taken).copied().collect();
    let room = plan.room_among(local, &free).or_else(|| plan.room_among(local, taken));
    here(room.or_else(|| plan.room_on(local)))
}

/// The room of a figure there, in the middle of the tile if there is none.
fn here(room: Option<Room>) -> Room {
    Room { at: room.map_or(super::curve::CENTRE, |room| room.at), radius: FIGURE / 2.0 }
}

impl Artist<'_> {
    /// A figure in the colour of its owner, with his letter.
    pub(crate) fn figure(&self, drawing: &mut Drawing, kind: FigureKindId, owner: Option<PlayerId>, room: Room) {
        let id = &self.rules.figure_kind(kind).name;
        let (colour, ink) = look::player(owner);
        let letter = owner.map_or('*', notation::letter);
        let title = if owner.is_some() { format!("{letter} {}", short(id)) } else { short(id).to_owned() };
        drawing.body += &format!("<g><title>{}</title>", escaped(&title));
        let name = format!("figure-{}-{}", id.replace(':', "-"), owner.map_or(0, |player| player.index() + 1));
        let shape = match self.gallery.get(id) {
            Some(picture) => picture.group(&name, colour),
            None => format!("<g id=\"{name}\">{}</g>\n", pawn(colour)),
        };
        drawing.defs.entry(name.clone()).or_insert(shape);
        if owner.is_none() {
            // A symbol printed on the tile may look the same.
            let (x, y, radius) = (number(room.at.x), number(room.at.y), number(room.radius + 2.0));
            drawing.body += &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#ffffff\" stroke=\"#111111\" stroke-width=\"2\"/>\n"
            );
        }
        drawing.use_at(&name, room);
        if self.gallery.get(id).is_none_or(|picture| picture.is_coloured()) && owner.is_some() {
            let at = Spot::new(room.at.x, room.at.y + room.radius * 0.38);
            drawing.body += &letters::centred(&letter.to_string(), at.x, at.y, room.radius * 0.42, ink);
        }
        if self.gallery.get(id).is_none() {
            drawing.body += &badge(short(id), Room { at: Spot::new(room.at.x, room.at.y + room.radius), radius: 0.0 });
        }
        drawing.body += "</g>\n";
    }

    /// Tokens with how many there are.
    fn token(&self, drawing: &mut Drawing, id: &str, count: i32, room: Room) {
        self.picture(drawing, id, room);
        let at = Spot::new(room.at.x + room.radius * 0.9, room.at.y - room.radius * 0.6);
        drawing.body += &format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"6.5\" fill=\"#fffbe8\" stroke=\"#222222\" stroke-width=\"1\"/>\n",
            number(at.x),
            number(at.y)
        );
        drawing.body += &letters::centred(&count.to_string(), at.x, at.y, 6.0, "#222222");
    }

    /// Whatever has this full id: a figure as the first player has it, else a picture.
    pub(crate) fn show(&self, drawing: &mut Drawing, id: &str, room: Room) {
        let kind = self.rules.figure_kinds().find(|(_, kind)| *kind.name == *id);
        match kind {
            Some((kind, data)) => {
                let owner = (data.class != trencavel_rules::Class::Neutral).then(|| PlayerId::from_index(0));
                self.figure(drawing, kind, owner, room);
            }
            None => self.picture(drawing, id, room),
        }
    }
}

/// A figure without a picture of its own.
fn pawn(colour: &str) -> String {
    format!(
        "<path d=\"M-28 40L-14 -2A20 20 0 1 1 14 -2L28 40Z\" fill=\"{colour}\" stroke=\"#111111\" stroke-width=\"5\" stroke-linejoin=\"round\"/>"
    )
}
