//! The land of a tile: grounds, lines, areas with their houses, from the plan.

use trencavel_rules::{Side, TileDef};

use super::Artist;
use super::cells::{Owner, Room};
use super::curve::{Path, Spot, number};
use super::look;
use super::outline::Outline;
use super::plan::{Line, Plan};
use crate::shape::Shape;

/// The shapes of a tile's land as printed, without pictures.
pub(crate) fn draw(artist: &Artist<'_>, tile: &TileDef, plan: &Plan) -> String {
    let mut svg = format!("<path d=\"M0 0H100V100H0Z\" fill=\"{}\"/>\n", ground(artist, tile));
    svg += &tufts(tile, plan);
    plan.borders.iter().for_each(|side| svg += &border(*side));
    svg += &lines(artist, tile, plan, &|line| !line.crosses);
    let villages = plan.villages.iter().filter(|(local, _)| artist.own_strokes(tile.segments[*local].kind).is_none());
    villages.for_each(|(_, spot)| svg += &village(*spot));
    svg += &partings(plan);
    for (local, outline) in &plan.areas {
        let look = look::area(artist.shapes.rank(tile.segments[*local].kind));
        svg += &format!("<path d=\"{}Z\" fill=\"{}\"/>\n", outline.edge.d(), look.floor);
        svg += &houses(tile, plan, *local, outline, look);
        svg += &walls(&outline.walls, look);
    }
    plan.tunnel.iter().for_each(|side| svg += &tunnel(*side));
    plan.lines.iter().filter_map(|line| line.gate).for_each(|gate| svg += &gate_at(gate));
    svg + &lines(artist, tile, plan, &|line| line.crosses)
}

/// The colour of the tile's ground; without any, that of the usual one.
fn ground(artist: &Artist<'_>, tile: &TileDef) -> &'static str {
    let grounds = tile.segments.iter().filter(|segment| artist.shapes.shape(segment.kind) == Shape::Ground);
    look::ground(grounds.map(|segment| artist.shapes.rank(segment.kind)).min().unwrap_or(0))
}

/// A number from the tile and a count: chance that is the same everywhere.
fn chance(tile: &TileDef, count: usize) -> usize {
    let bytes = tile.id.bytes().chain(count.to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 33) as usize
}

/// Some grass where nothing else is.
fn tufts(tile: &TileDef, plan: &Plan) -> String {
    let mut d = String::new();
    for count in 0..14 {
        let at = Spot::new((6 + chance(tile, 2 * count) % 88) as f64, (6 + chance(tile, 2 * count + 1) % 88) as f64);
        if !plan.covered(at) {
            d += &format!("M{} {}l1.5 -3M{} {}l-1.2 -2.6", number(at.x), number(at.y), number(at.x), number(at.y));
        }
    }
    format!("<path d=\"{d}\" fill=\"none\" stroke=\"#6fa34b\" stroke-width=\"0.9\"/>\n")
}

/// A paved edge.
fn border(side: Side) -> String {
    let corner = |x: f64, y: f64| Spot::new(x, y).towards(side);
    let edge = Path::from(corner(0.0, 0.0)).line(corner(100.0, 0.0)).line(corner(92.0, 8.0)).line(corner(8.0, 8.0));
    let joint = |x: f64| Path::from(corner(x, 0.0)).line(corner(x, 8.0)).d();
    let joints: String = (1..8).map(|place| joint(f64::from(place) * 12.5)).collect();
    format!(
        "<path d=\"{}Z\" fill=\"#cfc7d6\" stroke=\"#6b6078\" stroke-width=\"1\"/>\n<path d=\"{joints}\" fill=\"none\" stroke=\"#6b6078\" stroke-width=\"1\"/>\n",
        edge.d()
    )
}

/// Every line that `which` lets through; rarer kinds below.
fn lines(artist: &Artist<'_>, tile: &TileDef, plan: &Plan, which: &dyn Fn(&Line) -> bool) -> String {
    let mut kinds: Vec<_> = plan.lines.iter().map(|line| tile.segments[line.local].kind).collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(artist.shapes.rank(*kind)));
    kinds.dedup();
    let mut svg = String::new();
    for kind in kinds {
        let own: Vec<&Line> =
            plan.lines.iter().filter(|line| tile.segments[line.local].kind == kind && which(line)).collect();
        let (first, bridges) = bridges(tile, &own);
        svg += &stroked(artist, tile, &first);
        bridges.iter().for_each(|line| svg += &stroked(artist, tile, &[*line]));
    }
    svg
}

/// Lines that run straight through, from the second on: they pass over the others.
fn bridges<'a>(tile: &TileDef, lines: &[&'a Line]) -> (Vec<&'a Line>, Vec<&'a Line>) {
    let straight = |line: &&Line| matches!(tile.segments[line.local].sides[..], [a, b] if a == b.opposite());
    let (through, mut first): (Vec<&Line>, Vec<&Line>) = lines.iter().copied().partition(straight);
    first.extend(through.first());
    (first, through.into_iter().skip(1).collect())
}

/// Lines of one kind, drawn as one: where they meet there is no bank.
fn stroked(artist: &Artist<'_>, tile: &TileDef, lines: &[&Line]) -> String {
    let mut svg = String::new();
    let Some(kind) = lines.first().map(|line| tile.segments[line.local].kind) else { return svg };
    let d: String = lines.iter().flat_map(|line| &line.path).map(Path::d).collect();
    for (colour, width) in artist.strokes(kind) {
        let wide = number(width);
        svg += &format!("<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide}\"/>\n");
        let joints = lines.iter().filter_map(|line| line.joint).map(|joint| (joint, width * 0.5));
        let ends = lines.iter().filter_map(|line| line.end).map(|end| (end, width * 0.75 + 1.0));
        for (end, radius) in ends.chain(joints) {
            let (x, y, radius) = (number(end.x), number(end.y), number(radius));
            svg += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>\n");
        }
    }
    svg
}

/// Houses where lines meet.
fn village(spot: Spot) -> String {
    let ground = format!("<circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"#a7b77a\"/>\n", number(spot.x), number(spot.y));
    let places = [(-5.5, -4.0, "#c8643c"), (5.5, -3.0, "#9c3b2c"), (0.0, 5.0, "#b5482f")];
    ground + &places.map(|(x, y, roof)| house(Spot::new(spot.x + x, spot.y + y), 10.0, roof, "#f5e9cf")).concat()
}

fn house(at: Spot, size: f64, roof: &str, wall: &str) -> String {
    let half = size / 2.0;
    let (left, top) = (number(at.x - half * 0.8), number(at.y));
    format!(
        "<path d=\"M{left} {top}h{}v{}h-{}z\" fill=\"{wall}\" stroke=\"#4a3524\" stroke-width=\"0.7\"/>\n\
         <path d=\"M{} {top}l{} -{}l{} {}z\" fill=\"{roof}\" stroke=\"#4a3524\" stroke-width=\"0.7\"/>\n",
        number(size * 0.8),
        number(half * 0.9),
        number(size * 0.8),
        number(at.x - half),
        number(half),
        number(half),
        number(half),
        number(half),
    )
}

/// Houses all over an area, where no picture and no wall stands.
fn houses(tile: &TileDef, plan: &Plan, local: usize, outline: &Outline, look: look::Area) -> String {
    const STEP: f64 = 12.5;
    let mut svg = String::new();
    for place in 0..64 {
        let jitter = |count: usize| (chance(tile, 64 * count + place) % 5) as f64 - 2.0;
        let at = Spot::new((place % 8) as f64 * STEP + 6.0 + jitter(1), (place / 8) as f64 * STEP + 6.0 + jitter(2));
        let room = Room { at, radius: 7.0 };
        if has_room(plan, local, outline, room) {
            svg += &house(at, 9.0, look.roofs[chance(tile, 1000 + place) % 3], "#f5e9cf");
        }
    }
    svg
}

fn has_room(plan: &Plan, local: usize, outline: &Outline, room: Room) -> bool {
    let own = |x: f64, y: f64| {
        let at = Spot::new(room.at.x + x, room.at.y + y);
        plan.cells.owner_at(at) == Owner::Segment(local)
    };
    own(0.0, 0.0)
        && own(-5.0, 0.0)
        && own(5.0, 0.0)
        && own(0.0, 4.5)
        && own(0.0, -4.5)
        && outline.wall_spots().all(|wall| wall.distance(room.at) > room.radius)
        && plan.taken.iter().all(|other| other.at.distance(room.at) > other.radius + 3.5)
}

/// Walls that part the ground.
fn partings(plan: &Plan) -> String {
    walls(&plan.partings, look::area(0))
}

/// The way of an area below another one, from the north or the west: two mouths, and between them what is hidden.
fn tunnel(side: Side) -> String {
    let spot = |x: f64, y: f64| Spot::new(x, y).towards(side);
    let mouth = |y: f64, top: f64| {
        let (from, to) = (spot(42.0, y), spot(58.0, y));
        Path::from(from).curve([spot(42.0, top), spot(58.0, top), to]).line(from).d()
    };
    let mouths = mouth(40.0, 50.0) + &mouth(60.0, 50.0);
    let hidden = Path::from(spot(42.0, 40.0)).line(spot(42.0, 60.0)).d()
        + &Path::from(spot(58.0, 40.0)).line(spot(58.0, 60.0)).d();
    format!(
        "<path d=\"{hidden}\" fill=\"none\" stroke=\"#4a3524\" stroke-width=\"1.8\" stroke-dasharray=\"3 2\"/>\n\
         <path d=\"{mouths}\" fill=\"#4a3524\" stroke=\"#e9dfc9\" stroke-width=\"1.2\"/>\n"
    )
}

fn walls(walls: &[Path], look: look::Area) -> String {
    let d: String = walls.iter().map(Path::d).collect();
    if d.is_empty() {
        return d;
    }
    let stroke = |colour: &str, rest: &str| format!("<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" {rest}/>\n");
    stroke(look.wall, "stroke-width=\"6\"")
        + &stroke(look.stone, "stroke-width=\"3.6\"")
        + &stroke(look.wall, "stroke-width=\"3.6\" stroke-dasharray=\"1.6 3.4\"")
}

/// A gate in a wall.
fn gate_at(spot: Spot) -> String {
    let (x, y) = (number(spot.x), number(spot.y));
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#f6f1e6\" stroke=\"#4a3524\" stroke-width=\"1.6\"/>\n<circle cx=\"{x}\" cy=\"{y}\" r=\"2.2\" fill=\"#4a3524\"/>\n"
    )
}
