//! The board: a window onto the map, with what the chosen row points at.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use trencavel_play::session::choices::{Choice, ChoiceKind, Decision, Place};
use trencavel_play::session::{Session, odds};
use trencavel_rules::Position;
use trencavel_view::text::{Cell, HEIGHT, Map, WIDTH};

use super::paint::{Paint, chosen, dim};
use super::rows::Target;

/// Columns for the numbers of the rows.
const MARGIN: u16 = 4;

/// Where the window onto the map stands: the character in its north-west corner, counted from space 0,0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Camera {
    x: i32,
    y: i32,
    /// It was moved by hand, and stays until something else is chosen.
    pub(super) held: bool,
}

impl Camera {
    /// Moves the window by so many spaces.
    pub(super) fn pan(&mut self, east: i32, south: i32) {
        self.x += east * WIDTH as i32;
        self.y += south * HEIGHT as i32;
        self.held = true;
    }

    /// Moves the window as little as it must, so that it stays on the map and shows a space.
    fn settle(&mut self, map: &Map, focus: Option<Position>, view: Rect) {
        let (wide, high) = (i32::from(view.width), i32::from(view.height));
        let (columns, rows) = map.size();
        let first = corner(map.first());
        if let Some((x, y)) = focus.filter(|_| !self.held).map(corner) {
            self.x = shown(self.x, wide, x - WIDTH as i32, x + 2 * WIDTH as i32);
            self.y = shown(self.y, high, y - HEIGHT as i32, y + 2 * HEIGHT as i32);
        }
        self.x = within(self.x, wide, first.0, columns as i32);
        self.y = within(self.y, high, first.1, rows as i32);
    }
}

/// Where the tile lies that was placed last.
pub(super) fn last_tile(session: &Session) -> Option<Position> {
    session.game().state().tiles().last().map(|(_, tile)| tile.at)
}

/// The north-west corner of a space, in characters from space 0,0.
fn corner(at: Position) -> (i32, i32) {
    (i32::from(at.x) * WIDTH as i32, i32::from(at.y) * HEIGHT as i32)
}

/// The start of a window of this size that shows what lies between two places, or at least its middle.
fn shown(start: i32, size: i32, from: i32, to: i32) -> i32 {
    if to - from > size {
        return (from + to - size) / 2;
    }
    start.clamp(to - size, from)
}

/// The start of a window of this size that shows nothing beyond the map, which is centred if it is smaller.
fn within(start: i32, size: i32, first: i32, length: i32) -> i32 {
    if length <= size { first - (size - length) / 2 } else { start.clamp(first, first + length - size) }
}

/// What is shown on the board.
pub(super) struct Board<'a> {
    pub(super) session: &'a Session,
    pub(super) decision: Option<&'a Decision>,
    pub(super) target: &'a Target,
    /// The chance that the next tile fits, on every open space.
    pub(super) odds: bool,
    pub(super) paint: Paint,
}

impl Board<'_> {
    /// Draws the board with the numbers of its columns and rows.
    pub(super) fn draw(&self, camera: &mut Camera, area: Rect, buffer: &mut Buffer) {
        let state = self.session.game().state();
        let Some(mut map) = Map::of(self.session.game().rules(), state, self.spaces()) else { return };
        let ghost = self.lay_ghost(&mut map);
        let view = Rect {
            x: area.x + MARGIN.min(area.width),
            y: area.y + 1.min(area.height),
            width: area.width.saturating_sub(MARGIN),
            height: area.height.saturating_sub(1),
        };
        camera.settle(&map, self.focus(), view);
        let sheet = Sheet { map: &map, camera: *camera, view };
        for y in 0..view.height {
            for x in 0..view.width {
                let cell = sheet.on_map(x, y).map_or(Cell::BLANK, |(column, row)| map.cell(column, row));
                set(buffer, (view.x + x, view.y + y), cell.letter, self.paint.ink(cell.ink));
            }
        }
        sheet.numbers(area, buffer);
        self.draw_offers(&sheet, ghost, buffer);
        self.draw_odds(&sheet, ghost, buffer);
        self.draw_target(&sheet, buffer);
    }

    fn choice(&self) -> Option<&Choice> {
        match self.target {
            Target::Choice(number) => self.decision?.choices.get(*number),
            Target::Nothing | Target::Spaces(_) => None,
        }
    }

    fn choices(&self) -> &[Choice] {
        self.decision.map_or(&[], |decision| &decision.choices)
    }

    /// Spaces beside the tiles that must be on the map.
    fn spaces(&self) -> Vec<Position> {
        let open = self.session.game().state().open_spaces();
        open.chain(self.choices().iter().filter_map(|choice| choice.place.space)).collect()
    }

    /// What the window follows: the chosen row, else the last tile.
    fn focus(&self) -> Option<Position> {
        let last = || last_tile(self.session);
        match self.target {
            Target::Spaces(spaces) => spaces.last().copied().or_else(last),
            Target::Choice(_) => self.choice().and_then(|choice| choice.place.space).or_else(last),
            Target::Nothing => last(),
        }
    }

    /// The tile in hand, as the chosen row would place it.
    fn lay_ghost(&self, map: &mut Map) -> Option<Position> {
        let choice = self.choice().filter(|choice| choice.kind == ChoiceKind::Place)?;
        let (at, rotation) = (choice.place.space?, choice.place.rotation?);
        map.lay(self.session.game().rules(), self.session.game().state().hand()?, rotation, at);
        Some(at)
    }

    /// A sign on every other space that the tile in hand may be put on.
    fn draw_offers(&self, sheet: &Sheet<'_>, ghost: Option<Position>, buffer: &mut Buffer) {
        let placing = |choice: &&Choice| choice.kind == ChoiceKind::Place && choice.is_offered();
        for at in self.choices().iter().filter(placing).filter_map(|choice| choice.place.space) {
            if Some(at) != ghost {
                sheet.write(at, (WIDTH / 2, HEIGHT / 2), "+", self.paint.offer(), buffer);
            }
        }
    }

    fn draw_odds(&self, sheet: &Sheet<'_>, ghost: Option<Position>, buffer: &mut Buffer) {
        if !self.odds {
            return;
        }
        for space in odds::open_spaces(self.session.game()) {
            if Some(space.at) != ghost {
                sheet.write(space.at, (2, HEIGHT - 1), &format!("{}%", space.percent(1)), dim(), buffer);
            }
        }
    }

    fn draw_target(&self, sheet: &Sheet<'_>, buffer: &mut Buffer) {
        if let Target::Spaces(spaces) = self.target {
            spaces.iter().for_each(|at| self.frame(sheet, *at, buffer));
        }
        let Some(place) = self.choice().map(|choice| choice.place) else { return };
        place.space.into_iter().for_each(|at| self.frame(sheet, at, buffer));
        self.draw_spot(sheet, place, buffer);
    }

    /// Corners around a space, which no tile has.
    fn frame(&self, sheet: &Sheet<'_>, at: Position, buffer: &mut Buffer) {
        let (east, south) = (WIDTH - 1, HEIGHT - 1);
        for (place, letter) in [((0, 0), "╔"), ((east, 0), "╗"), ((0, south), "╚"), ((east, south), "╝")] {
            sheet.write(at, place, letter, self.paint.cursor(), buffer);
        }
    }

    /// The segment or figure that a choice is about.
    fn draw_spot(&self, sheet: &Sheet<'_>, place: Place, buffer: &mut Buffer) {
        let (rules, state) = (self.session.game().rules(), self.session.game().state());
        if let Some(figure) = place.figure {
            sheet.map.figure(figure).iter().for_each(|cell| sheet.style(*cell, chosen(), buffer));
            return;
        }
        let Some(segment) = place.segment else { return };
        let cells = sheet.map.segment(rules, state, segment);
        cells.iter().for_each(|cell| sheet.style(*cell, chosen(), buffer));
        // One letter says the same where nothing can be reversed.
        if let Some(cell) = cells.get(cells.len() / 2) {
            sheet.put(*cell, '?', buffer);
        }
    }
}

/// A map in its window.
struct Sheet<'a> {
    map: &'a Map,
    camera: Camera,
    view: Rect,
}

impl Sheet<'_> {
    /// Column and row of the map at a place of the window; none for what lies north or west of it.
    fn on_map(&self, x: u16, y: u16) -> Option<(usize, usize)> {
        let first = corner(self.map.first());
        let of = |camera: i32, place: u16, first: i32| usize::try_from(camera + i32::from(place) - first).ok();
        Some((of(self.camera.x, x, first.0)?, of(self.camera.y, y, first.1)?))
    }

    /// The column of the screen on which a column of the map is; none if the window does not show it.
    fn on_screen_column(&self, column: usize) -> Option<u16> {
        let x = u16::try_from(corner(self.map.first()).0 + column as i32 - self.camera.x).ok()?;
        (x < self.view.width).then_some(self.view.x + x)
    }

    /// The same for rows.
    fn on_screen_row(&self, row: usize) -> Option<u16> {
        let y = u16::try_from(corner(self.map.first()).1 + row as i32 - self.camera.y).ok()?;
        (y < self.view.height).then_some(self.view.y + y)
    }

    fn on_screen(&self, (column, row): (usize, usize)) -> Option<(u16, u16)> {
        Some((self.on_screen_column(column)?, self.on_screen_row(row)?))
    }

    /// Writes onto a space, from a place of it.
    fn write(&self, at: Position, (column, row): (usize, usize), text: &str, style: Style, buffer: &mut Buffer) {
        let Some((left, top)) = self.map.corner(at) else { return };
        for (step, letter) in text.chars().enumerate() {
            if let Some(place) = self.on_screen((left + column + step, top + row)) {
                set(buffer, place, letter, style);
            }
        }
    }

    fn style(&self, cell: (usize, usize), style: Style, buffer: &mut Buffer) {
        if let Some(cell) = self.on_screen(cell).and_then(|place| buffer.cell_mut(place)) {
            cell.set_style(style);
        }
    }

    fn put(&self, cell: (usize, usize), letter: char, buffer: &mut Buffer) {
        if let Some(cell) = self.on_screen(cell).and_then(|place| buffer.cell_mut(place)) {
            cell.set_char(letter);
        }
    }

    /// The coordinates of columns above, of rows at the left.
    fn numbers(&self, area: Rect, buffer: &mut Buffer) {
        let (columns, rows) = self.map.size();
        let first = self.map.first();
        for space in 0..columns / WIDTH {
            let label = format!("{:^WIDTH$}", i32::from(first.x) + space as i32);
            for (step, letter) in label.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
                if let Some(x) = self.on_screen_column(space * WIDTH + step) {
                    set(buffer, (x, area.y), letter, dim());
                }
            }
        }
        for space in 0..rows / HEIGHT {
            let label = format!("{:>3}", i32::from(first.y) + space as i32);
            if let Some(y) = self.on_screen_row(space * HEIGHT + HEIGHT / 2) {
                for (x, letter) in (area.x..area.right()).zip(label.chars()) {
                    set(buffer, (x, y), letter, dim());
                }
            }
        }
    }
}

/// Writes a character; what lies off the screen is lost.
fn set(buffer: &mut Buffer, place: (u16, u16), letter: char, style: Style) {
    if let Some(cell) = buffer.cell_mut(place) {
        cell.set_char(letter).set_style(style);
    }
}
