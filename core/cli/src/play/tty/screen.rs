//! The screen: the board, what stands beside it, and a line above and below. It fits every size.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};
use trencavel_rules::ids::PlayerId;
use trencavel_rules::{notation, short};
use trencavel_view::text::Map;

use super::app::{App, Asking, KEYS};
use super::board::Board;
use super::paint::{bold, chosen, dim};
use super::rows::{self, Panel};
use crate::clean;

/// The smallest screen on which something can be read.
const SMALLEST: (u16, u16) = (24, 8);
/// Screens narrower than this have the board above and the rest below.
const NARROW: u16 = 64;
/// Most lines for what there is to say of a row.
const DETAILS: u16 = 6;

impl App {
    /// Draws everything.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            let words = format!("Make this window larger: {} × {} is the least.", SMALLEST.0, SMALLEST.1);
            Paragraph::new(words).wrap(Wrap { trim: true }).render(area, buffer);
            return;
        }
        let [head, middle, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(area);
        self.draw_head(head, buffer);
        if self.is_wide() {
            self.draw_side(middle, buffer);
        } else {
            let (board, side) = apart(middle, self.host.session().names().0.len());
            self.draw_board(board, buffer);
            self.draw_side(side, buffer);
        }
        self.draw_foot(foot, buffer);
        if let Some(line) = self.help {
            self.help = Some(self.draw_help(line, area, buffer));
        }
    }

    fn draw_head(&self, area: Rect, buffer: &mut Buffer) {
        let session = self.host.session();
        let (rules, state) = (session.game().rules(), session.game().state());
        let mut spans = vec![Span::styled(format!("T{:<3}", state.turn()) + " ", dim())];
        if state.is_over() {
            spans.push(Span::styled(clean::text(&winners(self)), bold()));
        } else if let Some(decision) = &self.decision {
            let who = session.names().full(decision.player);
            spans.push(Span::styled(clean::text(&who), self.paint.player(decision.player)));
            spans.push(Span::raw(format!(" {}", clean::text(&decision.title))));
            if let Some(tile) = state.hand().filter(|_| session.game().is_placing()) {
                spans.push(Span::styled(format!(": {}", clean::text(short(&rules.tile(tile).id))), bold()));
            }
            let home = decision.expansion.iter().map(|title| Span::styled(format!(" ({})", clean::text(title)), dim()));
            spans.extend(home);
        } else {
            spans.push(Span::styled(
                "The rules failed: 6 shows the console, u takes the last answer back",
                self.paint.trouble(),
            ));
        }
        let left: usize = state.tiles_left().iter().map(|(_, count)| count).sum();
        let right = format!(" {left} left");
        let wide = right.chars().count() as u16;
        Line::from(spans).render(Rect { width: area.width.saturating_sub(wide), ..area }, buffer);
        Line::styled(right, dim()).right_aligned().render(area, buffer);
    }

    fn draw_board(&mut self, area: Rect, buffer: &mut Buffer) {
        let target = self.target();
        let mut camera = self.camera;
        let board = Board {
            session: self.host.session(),
            decision: self.decision.as_ref().filter(|_| !self.host.session().is_bots_turn()),
            target: &target,
            odds: self.odds,
            paint: self.paint,
        };
        board.draw(&mut camera, area, buffer);
        self.camera = camera;
    }

    fn draw_side(&self, area: Rect, buffer: &mut Buffer) {
        let players = self.player_lines(area);
        let details = self.details(area);
        let [top, title, list, rule, bottom] = Layout::vertical([
            Constraint::Length(players.len() as u16),
            Constraint::Length(1),
            Constraint::Min(1),
            Constraint::Length(u16::from(details.1 > 0)),
            Constraint::Length(details.1),
        ])
        .areas(area);
        Paragraph::new(players).render(top, buffer);
        self.draw_title(title, buffer);
        self.draw_rows(list, buffer);
        Line::styled("─".repeat(rule.width.into()), dim()).render(rule, buffer);
        details.0.render(bottom, buffer);
    }

    /// Players with their points, and what they have in front of them where there is room.
    fn player_lines(&self, area: Rect) -> Vec<Line<'static>> {
        let session = self.host.session();
        let count = session.names().0.len() as u16;
        let mut lines = Vec::new();
        if area.height < count + 6 {
            return vec![self.scores()];
        }
        for player in rows::players(session) {
            lines.push(self.player_line(player, area.width));
            if area.height >= 3 * count + 10 {
                let has = clean::text(&rows::supply(session, player));
                lines.push(Line::styled(cut(&format!("    {has}"), area.width.into()), dim()));
            }
        }
        lines
    }

    fn player_line(&self, player: PlayerId, width: u16) -> Line<'static> {
        let session = self.host.session();
        let state = session.game().state();
        let sign = if !state.is_over() && state.decider() == player { '▸' } else { ' ' };
        let points = format!(" {:>4}", state.score(player));
        let room = usize::from(width).saturating_sub(points.chars().count() + 4);
        let name = padded(&cut(&clean::text(&session.names().name(player)), room), room);
        Line::from(vec![
            Span::raw(sign.to_string()),
            Span::styled(notation::letter(player).to_string(), self.paint.player(player)),
            Span::raw(format!(" {name} ")),
            Span::styled(points, bold()),
        ])
    }

    /// All points in one line: `▸A 12  B 7`.
    fn scores(&self) -> Line<'static> {
        let state = self.host.session().game().state();
        let mut spans = Vec::new();
        for player in rows::players(self.host.session()) {
            let sign = if !state.is_over() && state.decider() == player { "▸" } else { " " };
            let letter = notation::letter(player).to_string();
            spans.extend([Span::raw(sign), Span::styled(letter, self.paint.player(player))]);
            spans.push(Span::raw(format!(" {} ", state.score(player))));
        }
        Line::from(spans)
    }

    fn draw_title(&self, area: Rect, buffer: &mut Buffer) {
        let refused = self.rows.iter().filter(|row| row.dim).count();
        let count = match self.panel {
            Panel::Options if !self.rows.is_empty() => format!(" {}, {refused} refused", self.rows.len() - refused),
            _ => String::new(),
        };
        let title = format!("─ {}{count} ", self.panel.title());
        let next = format!(" Tab: {} ─", self.panel.further(1).title());
        let wide = usize::from(area.width);
        let both = title.chars().count() + next.chars().count();
        let text = match wide.checked_sub(both) {
            Some(room) => title + &"─".repeat(room) + &next,
            None => format!("{title:─<wide$}"),
        };
        Line::styled(text, bold()).render(area, buffer);
    }

    fn draw_rows(&self, area: Rect, buffer: &mut Buffer) {
        if self.rows.is_empty() {
            Paragraph::new(self.empty()).wrap(Wrap { trim: true }).style(dim()).render(area, buffer);
            return;
        }
        let high = usize::from(area.height);
        let first = self.chosen.saturating_sub(high / 2).min(self.rows.len().saturating_sub(high));
        for (place, row) in self.rows.iter().enumerate().skip(first).take(high) {
            let sign = if place == self.chosen { '›' } else { ' ' };
            let not = if row.dim && self.panel == Panel::Options { "✗ " } else { "" };
            let text = cut(&format!("{sign}{not}{}", clean::text(&row.words)), area.width.into());
            let style = if row.dim { dim() } else { Style::new() };
            let style = if place == self.chosen { style.patch(chosen()) } else { style };
            let line = Rect { y: area.y + (place - first) as u16, height: 1, ..area };
            Line::styled(padded(&text, area.width.into()), style).render(line, buffer);
        }
    }

    /// What stands in the place of rows where there are none.
    fn empty(&self) -> String {
        let session = self.host.session();
        match self.panel {
            Panel::Ledger => "Nobody has scored yet.".to_owned(),
            Panel::Options if session.game().state().is_over() => {
                "The game is over. u takes back, 3 shows the history, s saves, q leaves.".to_owned()
            }
            Panel::Options if session.is_bots_turn() && self.host.bots_wait() => {
                "A bot decides here and waits: b lets it go on.".to_owned()
            }
            Panel::Options if session.is_bots_turn() => "A bot decides here …".to_owned(),
            _ => String::new(),
        }
    }

    /// What there is to say of the chosen row, and how many lines that takes.
    fn details(&self, area: Rect) -> (Paragraph<'static>, u16) {
        let wide = usize::from(area.width.max(1));
        let details: Vec<String> = self.rows.get(self.chosen).map_or_else(Vec::new, |row| {
            // What can be read in the row need not be said again.
            let read = |line: &&String| **line != row.words || columns(line) + 3 > wide;
            row.details.iter().filter(read).map(|line| clean::text(line)).collect()
        });
        let rows: usize = details.iter().map(|line| lines_of(line, wide)).sum();
        let room = DETAILS.max(area.height / 3).min(area.height.saturating_sub(6));
        let lines: Vec<Line<'static>> = details.into_iter().map(Line::raw).collect();
        (Paragraph::new(lines).wrap(Wrap { trim: true }), (rows as u16).min(room))
    }

    fn draw_foot(&self, area: Rect, buffer: &mut Buffer) {
        let line = match &self.asking {
            Some(Asking::Save(name)) => Line::styled(format!("Save to: {}▏", clean::text(name)), bold()),
            Some(Asking::Open(name)) => Line::styled(format!("Open the save: {}▏", clean::text(name)), bold()),
            Some(Asking::Over(path)) => {
                let path = clean::text(&path.display().to_string());
                Line::styled(format!("{path} is there already. Write over it? y, or any other key"), bold())
            }
            Some(Asking::Leave) => {
                Line::styled("This game is not saved. Leave? y, s to save, or any other key", bold())
            }
            None if !self.told.is_empty() => Line::styled(clean::text(&self.told), bold()),
            None => Line::styled(self.hints(), dim()),
        };
        line.render(area, buffer);
    }

    fn hints(&self) -> String {
        let first = match self.panel {
            Panel::Options if self.rows.is_empty() => "Shift-arrows move the board",
            Panel::Options => "↑↓ choose  ←→ place  t turn  Enter answer",
            Panel::History => "↑↓ choose  Enter goes there",
            Panel::Seats => "↑↓ choose  Enter another",
            Panel::Ledger | Panel::Tiles | Panel::Console => "↑↓ choose",
        };
        let bots = if self.host.bots_wait() { "  b bots on" } else { "" };
        format!("{first}  u undo{bots}  Tab panels  ? help  q leave")
    }

    /// Gives the line from which on it is shown: as far as was asked for, but not beyond the end.
    fn draw_help(&self, first: u16, area: Rect, buffer: &mut Buffer) -> u16 {
        let game = self.host.session().game();
        let mut lines: Vec<Line<'static>> = vec![Line::styled("Keys (any but ↑ ↓ ends this)", bold())];
        let key = |(keys, does): &(&str, &str)| Line::raw(format!("  {keys:<22}{does}"));
        lines.extend(KEYS.iter().map(key));
        lines.push(Line::styled("The board", bold()));
        lines.push(Line::raw("  + the tile in hand fits   ╔ ╗ the chosen row   ? the segment it is about"));
        let legend = Map::of(game.rules(), game.state(), []).map(|map| map.legend(game.rules(), game.state()));
        let legend = legend.unwrap_or_default();
        lines.extend(legend.lines().map(|line| Line::raw(format!("  {}", clean::text(line.trim())))));
        Clear.render(area, buffer);
        let all: usize = lines.iter().map(|line| lines_of(&line.to_string(), area.width.into())).sum();
        let first = if usize::from(area.height) < all { first.min(all as u16 - 1) } else { 0 };
        Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((first, 0)).render(area, buffer);
        first
    }
}

/// The board, and what stands beside or below it.
fn apart(area: Rect, players: usize) -> (Rect, Rect) {
    if area.width < NARROW {
        let least = (players as u16 + 6).min(area.height / 2);
        let below = (area.height / 2).max(least);
        let [board, side] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area);
        return (board, side);
    }
    let wide = (area.width * 2 / 5).clamp(30, 56);
    let [board, _, side] =
        Layout::horizontal([Constraint::Min(0), Constraint::Length(1), Constraint::Length(wide)]).areas(area);
    (board, side)
}

fn winners(app: &App) -> String {
    let session = app.host.session();
    let scores = session.game().state().scores();
    let best = scores.iter().max().copied().unwrap_or_default();
    let names: Vec<String> = rows::players(session)
        .filter(|player| session.game().state().score(*player) == best)
        .map(|player| session.names().name(player))
        .collect();
    format!("The game is over: {} with {best} points", names.join(" and "))
}

/// Columns of a text on the screen.
fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text that is not wider than this; `…` stands for what is left out.
fn cut(text: &str, wide: usize) -> String {
    if columns(text) <= wide {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while columns(&short) >= wide && short.pop().is_some() {}
    short + "…"
}

/// A text with blanks up to this width.
fn padded(text: &str, wide: usize) -> String {
    text.to_owned() + &" ".repeat(wide.saturating_sub(columns(text)))
}

/// How many lines a text takes when words are wrapped.
fn lines_of(text: &str, wide: usize) -> usize {
    let (mut lines, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let long = columns(word);
        let with = if used == 0 { long } else { used + 1 + long };
        if with <= wide {
            used = with;
        } else {
            lines += usize::from(used > 0) + (long - 1) / wide;
            used = (long - 1) % wide + 1;
        }
    }
    lines
}
