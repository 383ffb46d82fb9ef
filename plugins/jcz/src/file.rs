//! A recording as data: JSON in, plain values out, and one line for whatever is wrong with it.

use std::collections::BTreeMap;

use serde_json::Value;
use trencavel_rules::{Position, Rotation};

/// Bytes a recording may have.
pub const MAX_BYTES: usize = 8 << 20;
/// Entries a list of a recording may have.
const MAX_ENTRIES: usize = 20_000;
/// Letters of a word from a file that are shown again.
const EXCERPT: usize = 60;

/// Why a text is no recording: where in it, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct FileError {
    /// Path within the file: `replay[3].payload.position`.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

/// A recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Tile sets, with how often each is in the pack.
    pub sets: BTreeMap<String, u32>,
    /// Pieces and mechanisms in play; those that count carry their number.
    pub elements: BTreeMap<String, Option<u32>>,
    /// Rules that differ from the default.
    pub rules: BTreeMap<String, String>,
    /// Tiles on the table before the first turn: published code, space, rotation.
    pub start: Vec<(String, Position, Rotation)>,
    /// Names, in turn order.
    pub players: Vec<String>,
    /// What was chosen, in order.
    pub messages: Vec<Message>,
    /// Tiles in the order they were drawn, as far as it is recorded.
    pub draw_order: Vec<String>,
    /// The pack counts as empty after so many draws.
    pub end_turn: Option<usize>,
    /// First state of the generator.
    pub initial_random: f64,
    /// Sentences that must hold after the last message.
    pub assertions: Vec<String>,
}

/// One message of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Its type: `PLACE_TILE`.
    pub kind: String,
    /// What tells messages of the type apart: a tile, token, figure kind, source or value. Empty if nothing does.
    pub what: String,
    /// On what.
    pub aim: Aim,
    /// How a tile is turned.
    pub rotation: Rotation,
    /// The new state of the generator, if the message carries one.
    pub random: Option<f64>,
}

/// Where a message points.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Aim {
    /// Nowhere.
    #[default]
    Nothing,
    /// A space.
    Space(Position),
    /// A part of a feature.
    Place(Pointer),
    /// A figure, and where it stands if it is on the board.
    Figure(Meeple, Option<Pointer>),
}

/// The part of a feature that lies on one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// The space of the tile.
    pub at: Position,
    /// The other engine's word for the feature: `City`.
    pub feature: String,
    /// Where it is on the tile as it lies on the table: `NS`, `NL.WR`, `I`.
    pub location: String,
}

/// A figure by the other engine's name: `0.small.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeple {
    /// Seat of its owner, from 0.
    pub player: usize,
    /// Its kind: `small`.
    pub kind: String,
}

/// The start of a word from a file, safe to print.
pub fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// If the text is too long, no JSON, or lacks what a recording must have.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        if text.len() > MAX_BYTES {
            let message = format!("{} bytes, a recording has at most {MAX_BYTES}", text.len());
            return Err(FileError { place: "file".to_owned(), message });
        }
        let value: Value = serde_json::from_str(text).map_err(|error| FileError {
            place: format!("line {}, column {}", error.line(), error.column()),
            message: excerpt(&error.to_string()),
        })?;
        let root = Node { path: String::new(), value: &value };
        root.object()?;
        let setup = root.need("setup")?;
        let notes = root.get("gameAnnotations");
        Ok(Self {
            sets: setup.need("sets")?.map(|node| node.count())?,
            elements: setup.need("elements")?.map(|node| Ok(node.value.as_u64().map(|n| n.min(1000) as u32)))?,
            rules: setup.get("rules").map_or(Ok(BTreeMap::new()), |rules| rules.map(Node::plain))?,
            start: setup.need("start")?.list(Node::start)?,
            players: root.need("players")?.list(|player| player.need("name")?.text())?,
            messages: root.need("replay")?.list(Node::message)?,
            draw_order: match notes.as_ref().and_then(|notes| notes.get("drawOrder")) {
                Some(order) => order.list(Node::text)?,
                None => Vec::new(),
            },
            end_turn: match notes.as_ref().and_then(|notes| notes.get("endTurn")) {
                Some(end) => Some(end.count()? as usize),
                None => None,
            },
            initial_random: root.get("initialRandom").and_then(|node| node.value.as_f64()).unwrap_or(0.0),
            assertions: match root.get("test").and_then(|test| test.get("assertions")) {
                Some(assertions) => assertions.list(Node::text)?,
                None => Vec::new(),
            },
        })
    }
}

/// A value and its path in the file.
struct Node<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    fn error<T>(&self, expected: &str) -> Result<T, FileError> {
        let found = match self.value {
            Value::Null => "nothing".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            other => format!("`{}`", excerpt(&other.to_string())),
        };
        let place = if self.path.is_empty() { "file".to_owned() } else { self.path.clone() };
        Err(FileError { place, message: format!("expected {expected}, found {found}") })
    }

    fn object(&self) -> Result<&'a serde_json::Map<String, Value>, FileError> {
        self.value.as_object().map_or_else(|| self.error("an object"), Ok)
    }

    fn inner(&self, key: &str, value: &'a Value) -> Self {
        let path = if self.path.is_empty() { excerpt(key) } else { format!("{}.{}", self.path, excerpt(key)) };
        Self { path, value }
    }

    /// The value of a key, unless it is absent or null.
    fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        (!value.is_null()).then(|| self.inner(key, value))
    }

    fn need(&self, key: &str) -> Result<Self, FileError> {
        match self.object()?.get(key) {
            Some(value) => Ok(self.inner(key, value)),
            None => self.inner(key, &Value::Null).error("a value"),
        }
    }

    fn list<T>(&self, read: impl Fn(&Self) -> Result<T, FileError>) -> Result<Vec<T>, FileError> {
        let Some(list) = self.value.as_array() else { return self.error("a list") };
        if list.len() > MAX_ENTRIES {
            return self.error(&format!("at most {MAX_ENTRIES} entries"));
        }
        let item = |(index, value)| read(&Self { path: format!("{}[{index}]", self.path), value });
        list.iter().enumerate().map(item).collect()
    }

    fn map<T>(&self, read: impl Fn(&Self) -> Result<T, FileError>) -> Result<BTreeMap<String, T>, FileError> {
        self.object()?.iter().map(|(key, value)| Ok((key.clone(), read(&self.inner(key, value))?))).collect()
    }

    fn text(&self) -> Result<String, FileError> {
        self.value.as_str().map_or_else(|| self.error("a text"), |text| Ok(text.to_owned()))
    }

    /// A text, or a number or truth value in words.
    fn plain(&self) -> Result<String, FileError> {
        match self.value {
            Value::Bool(_) | Value::Number(_) => Ok(self.value.to_string()),
            _ => self.text(),
        }
    }

    fn count(&self) -> Result<u32, FileError> {
        match self.value.as_u64() {
            Some(count) if count <= MAX_ENTRIES as u64 => Ok(count as u32),
            _ => self.error(&format!("a number from 0 to {MAX_ENTRIES}")),
        }
    }

    fn coordinate(&self, key: &str) -> Result<i16, FileError> {
        let node = self.need(key)?;
        match node.value.as_i64().and_then(|number| i16::try_from(number).ok()) {
            Some(number) if number.unsigned_abs() <= Position::LIMIT as u16 => Ok(number),
            _ => node.error("a coordinate"),
        }
    }

    fn position(&self) -> Result<Position, FileError> {
        let [x, y] = self.value.as_array().map_or(&[][..], Vec::as_slice) else { return self.error("[x, y]") };
        let number = |value: &Value| value.as_i64().and_then(|number| i16::try_from(number).ok());
        match (number(x), number(y)) {
            (Some(x), Some(y)) if Position::new(x, y).in_bounds() => Ok(Position::new(x, y)),
            _ => self.error("[x, y]"),
        }
    }

    fn start(&self) -> Result<(String, Position, Rotation), FileError> {
        let at = Position::new(self.coordinate("x")?, self.coordinate("y")?);
        let rotation = match self.get("rotation") {
            None => Rotation::R0,
            Some(node) => match node.value.as_u64() {
                Some(degrees) if degrees % 90 == 0 && degrees < 360 => Rotation::from_quarters(degrees as usize / 90),
                _ => return node.error("0, 90, 180 or 270"),
            },
        };
        Ok((self.need("tile")?.text()?, at, rotation))
    }

    fn rotation(&self) -> Result<Rotation, FileError> {
        match self.text()?.as_str() {
            "R0" => Ok(Rotation::R0),
            "R90" => Ok(Rotation::R90),
            "R180" => Ok(Rotation::R180),
            "R270" => Ok(Rotation::R270),
            _ => self.error("R0, R90, R180 or R270"),
        }
    }

    fn pointer(&self) -> Result<Pointer, FileError> {
        Ok(Pointer {
            at: self.need("position")?.position()?,
            feature: self.need("feature")?.text()?,
            location: self.need("location")?.text()?,
        })
    }

    fn meeple(&self) -> Result<Meeple, FileError> {
        let text = self.text()?;
        let mut words = text.split('.');
        let player = words.next().and_then(|word| word.parse().ok());
        match (player, words.next(), words.next(), words.next()) {
            (Some(player), Some(kind), Some(_), None) if player < MAX_ENTRIES => {
                Ok(Meeple { player, kind: kind.to_owned() })
            }
            _ => self.error("PLAYER.KIND.NUMBER"),
        }
    }

    /// Whatever form a pointer has: a space, a part of a feature, a figure.
    fn aim(&self) -> Result<Aim, FileError> {
        if self.value.is_array() {
            return Ok(Aim::Space(self.position()?));
        }
        match self.get("featurePointer") {
            Some(pointer) => Ok(Aim::Figure(self.need("meepleId")?.meeple()?, Some(pointer.pointer()?))),
            None => Ok(Aim::Place(self.pointer()?)),
        }
    }

    /// A token's name; some writers put its class before it.
    fn token(&self) -> Result<String, FileError> {
        match self.value.as_array().and_then(|list| list.last()) {
            Some(last) => self.inner("name", last).text(),
            None => self.text(),
        }
    }

    fn message(&self) -> Result<Message, FileError> {
        let kind = self.need("type")?.text()?;
        let payload = self.get("payload");
        let payload = payload.as_ref().unwrap_or(self);
        let mut message =
            Message { random: payload.get("random").and_then(|node| node.value.as_f64()), ..Message::default() };
        match kind.as_str() {
            "PLACE_TILE" => {
                message.what = payload.need("tileId")?.text()?;
                message.rotation = payload.need("rotation")?.rotation()?;
                message.aim = Aim::Space(payload.need("position")?.position()?);
            }
            "DEPLOY_MEEPLE" => {
                message.what = payload.need("meepleId")?.meeple()?.kind;
                message.aim = payload.need("pointer")?.aim()?;
            }
            "PLACE_TOKEN" => {
                message.what = payload.need("token")?.token()?;
                message.aim = payload.need("pointer")?.aim()?;
            }
            "MOVE_NEUTRAL_FIGURE" => {
                let figure = payload.need("figureId")?.text()?;
                message.what = figure.split('.').next().unwrap_or_default().to_owned();
                message.aim = payload.need("to")?.aim()?;
            }
            "RETURN_MEEPLE" => {
                message.what = payload.get("source").map_or(Ok(String::new()), |source| source.text())?;
                message.aim = payload.need("pointer")?.aim()?;
            }
            "CAPTURE_FOLLOWER" | "SCORE_ACROBATS" => message.aim = payload.need("pointer")?.aim()?,
            "PAY_RANSOM" | "EXCHANGE_FOLLOWER" => {
                message.aim = Aim::Figure(payload.need("meepleId")?.meeple()?, None);
            }
            _ => message.what = payload.get("value").map_or(Ok(String::new()), |value| value.plain())?,
        }
        message.kind = kind;
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, expected: &str) {
        let error = Recording::parse(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'));
    }

    #[test]
    fn errors_are_one_line_with_their_place() {
        check_error("", "line 1");
        check_error("[]", "file: expected an object, found a list");
        check_error("{}", "setup: expected a value, found nothing");
        let game = |replay: &str| {
            format!(
                r#"{{"setup":{{"sets":{{}},"elements":{{}},"start":[]}},"players":[{{"name":"A"}}],"replay":{replay}}}"#
            )
        };
        check_error(&game("7"), "replay: expected a list, found `7`");
        check_error(&game(r#"[{"type":"PLACE_TILE","payload":{}}]"#), "replay[0].payload.tileId");
        let far = r#"[{"type":"PLACE_TILE","payload":{"tileId":"X","rotation":"R0","position":[99999,0]}}]"#;
        check_error(&game(far), "replay[0].payload.position: expected [x, y]");
        let who = r#"[{"type":"PAY_RANSOM","payload":{"meepleId":"x"}}]"#;
        check_error(&game(who), "expected PLAYER.KIND.NUMBER");
    }

    #[test]
    fn deep_nesting_is_an_error() {
        check_error(&"[".repeat(100_000), "recursion limit");
    }

    #[test]
    fn a_token_may_come_with_its_class() {
        let node = |value: &Value| Node { path: String::new(), value }.token();
        assert_eq!(node(&serde_json::json!("T")), Ok("T".to_owned()));
        assert_eq!(node(&serde_json::json!(["a.b$C", "T"])), Ok("T".to_owned()));
    }
}
