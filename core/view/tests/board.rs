//! Boards as text, of a small made-up game: nothing of the drawing may depend on names.

mod common;

use trencavel_view::text;

/// Tiles as `id x,y rN`, figures as `player x,y segment`.
fn check_board(tiles: &[&str], figures: &[&str], expected: &[&str]) {
    let game = common::game(tiles, figures);
    let text = text::board(game.rules(), game.state());
    assert_eq!(text, text::board(game.rules(), &game.state().clone()), "the same state gives the same text");
    assert_eq!(text.lines().collect::<Vec<_>>(), expected, "\n{text}");
}

#[test]
fn lines_turn_and_areas_fill() {
    check_board(
        &["cap 0,0 r0", "bend 1,0 r270", "bend 1,1 r90"],
        &[],
        &[
            "        0      1",
            "     .█████........",
            "   0 ..........┌─── 0",
            "     ..........│...",
            "            ...│...",
            "   1        ───┘... 1",
            "            .......",
            "        0      1",
            "     ─ lane   █ town   . wood",
        ],
    );
}

#[test]
fn symbols_points_and_figures_stand_on_their_segments() {
    check_board(
        &["full 0,0 r0", "gate 0,1 r0", "shrine 0,2 r180"],
        &["0 0,0 town", "1 0,1 lane", "0 0,2 shrine", "1 0,1 east"],
        &[
            "        0",
            "     ███████",
            "   0 ██Ag███ 0",
            "     ██████s",
            "     ███████",
            "   1 ██████s 1",
            "     ...BgBg",
            "     ...│...",
            "   2 ...SAg. 2",
            "     .......",
            "        0",
            "     ─ lane   S shrine   █ town   . wood   s star",
            "     figures: the owner's letter, then g guard; they stand where the first letter is",
        ],
    );
}

#[test]
fn lines_that_meet_end_there_and_a_second_kind_of_line_has_its_letter() {
    check_board(
        &["cross 0,0 r0", "brook 0,2 r90"],
        &["0 0,0 west"],
        &[
            "        0",
            "     ...│...",
            "   0 ─Ago─── 0",
            "     ...│...",
            "",
            "   1         1",
            "",
            "     .......",
            "   2 sssssss 2",
            "     .......",
            "        0",
            "     ─ lane   s stream   . wood",
            "     figures: the owner's letter, then g guard; they stand where the first letter is",
        ],
    );
}
