//! Tiles and boards as pictures, of a small made-up game. `UPDATE_GOLDEN=1` rewrites the files of `tests/pictures`.

mod common;

use std::path::Path;

use trencavel_rules::{Anchor, Position, Rotation};
use trencavel_view::art::{Gallery, Picture};
use trencavel_view::png::png;
use trencavel_view::print::{Paper, Print, sheets};
use trencavel_view::svg::{Artist, Table};

fn check_golden(name: &str, svg: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, svg).expect("a file");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(svg == expected, "{} differs; look at it after UPDATE_GOLDEN=1", file.display());
}

fn gallery() -> Gallery {
    let mut gallery = Gallery::default();
    let star = "<svg viewBox='0 0 10 10'><path d='M5 0L8 10L0 4H10L2 10Z' fill='#fd0'/></svg>";
    gallery.add("toy:star", Picture::parse(star).expect("a picture"));
    let stream = "<svg viewBox='0 0 10 10'><path d='M5 0V10' stroke='#00f' stroke-width='9'/></svg>";
    gallery.add("toy:stream", Picture::parse(stream).expect("a picture"));
    gallery
}

fn check_tile(name: &str) {
    let (rules, gallery) = (common::rules(), gallery());
    let artist = Artist::new(&rules, &gallery);
    let tile = rules.tile_by_name(name).expect("a tile");
    let svg = artist.tile(tile, Rotation::R0).svg();
    assert_eq!(svg, Artist::new(&rules, &gallery).tile(tile, Rotation::R0).svg(), "the same tile gives the same text");
    check_golden(&format!("{name}.svg"), &svg);
}

#[test]
fn areas_have_walls_where_they_end_and_symbols_of_their_expansion() {
    check_tile("gate");
}

#[test]
fn an_area_passes_below_another_one() {
    check_tile("crossed");
}

#[test]
fn a_wall_parts_grounds_that_meet_in_a_corner() {
    check_tile("parted");
}

#[test]
fn lines_meet_at_houses() {
    check_tile("cross");
}

#[test]
fn points_without_a_picture_get_a_badge() {
    check_tile("shrine");
}

#[test]
fn a_line_is_drawn_with_the_strokes_of_its_picture() {
    let (rules, gallery) = (common::rules(), gallery());
    let tile = rules.tile_by_name("brook").expect("a tile");
    let svg = Artist::new(&rules, &gallery).tile(tile, Rotation::R0).svg();
    assert!(svg.contains("stroke=\"#00f\" stroke-width=\"9\""), "{svg}");
}

#[test]
fn a_board_shows_figures_in_the_colours_of_their_owners() {
    let game = common::game(&["full 0,0 r0", "gate 0,1 r0", "shrine 0,2 r180"], &["0 0,0 town", "1 0,1 lane"]);
    let gallery = gallery();
    let board = Artist::new(game.rules(), &gallery).board(game.state());
    let svg = board.svg();
    for expected in ["<title>A guard</title>", "<title>B guard</title>", "#0072b2", "#e69f00", "rotate(180 50 50)"] {
        assert!(svg.contains(expected), "{expected} in {svg}");
    }
    check_golden("board.svg", &svg);
}

#[test]
fn a_table_says_where_everything_is() {
    let game = common::game(&["full 0,0 r0", "gate 0,1 r0"], &["0 0,0 town"]);
    let gallery = gallery();
    let artist = Artist::new(game.rules(), &gallery);
    let (state, table) = (game.state(), artist.table(game.state()));
    let body = table.drawing.body();
    assert!(body.contains("translate(0 0)") && body.contains("translate(0 100)"), "{body}");
    assert_eq!(Table::space(Position::new(-2, 3)), (-200.0, 300.0));
    let (figure, data) = state.figures().find(|(_, figure)| figure.at != Anchor::Supply).expect("the guard");
    let Anchor::Seat { segment, seat } = data.at else { panic!("{data:?}") };
    let inside = |(x, y): (f64, f64)| (0.0..100.0).contains(&x) && (0.0..100.0).contains(&y);
    let (stands, next) = (table.figure(figure).expect("a place"), artist.seat(state, segment, Some(seat)));
    assert!(inside(stands) && inside(next), "{stands:?} {next:?}");
    assert!((stands.0 - next.0).hypot(stands.1 - next.1) > 10.0, "beside the one that is there: {stands:?} {next:?}");
    let known: Vec<&str> = table.drawing.defs().map(|(name, _)| name).collect();
    let piece = artist.piece(data.kind, data.owner());
    assert!(piece.defs().all(|(name, _)| known.contains(&name)), "names mean the same in every drawing: {known:?}");
}

#[test]
fn a_png_has_tiles_of_the_size_that_was_asked_for() {
    let (rules, gallery) = (common::rules(), gallery());
    let tile = rules.tile_by_name("bend").expect("a tile");
    let drawing = Artist::new(&rules, &gallery).tile(tile, Rotation::R0);
    let bytes = png(&drawing, 48).expect("a picture");
    let number = |from: usize| u32::from_be_bytes(bytes[from..from + 4].try_into().expect("four bytes"));
    assert_eq!((&bytes[1..4], number(16), number(20)), (&b"PNG"[..], 48, 48));
    assert!(png(&drawing, 40_000).is_err(), "too large");
}

#[test]
fn a_print_sheet_has_fronts_backs_and_a_list() {
    let (rules, gallery) = (common::rules(), gallery());
    let tile = rules.tile_by_name("cap").expect("a tile");
    let prints = [Print { tile, count: 21, back: 0 }];
    let pdf = sheets(&Artist::new(&rules, &gallery), "Toy", Paper::A4, &prints).expect("a file");
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-"));
    let pages = text.matches("/MediaBox [0 0 595.27").count();
    assert_eq!(pages, 5, "two pages of fronts, two of backs, one with the list");
    // 45 mm of a drawing 96 wide: 45 / 25.4 × 72 / 96.
    assert_eq!(text.matches("1.328740").count().min(1), 1, "tiles of 45 mm");
}
