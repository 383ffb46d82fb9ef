//! The sentences of a recording: what must hold after its last message.

use std::collections::BTreeSet;

/// A sentence, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sentence {
    /// `Ann has 7 points`
    Points { player: String, points: i32 },
    /// `Ann scored city for 4 points`: some entry of exactly this.
    Scored { player: String, name: String, points: i32 },
    /// `Phase is TilePhase`
    Phase(String),
    /// `Undo is allowed`
    Undo(bool),
    /// `Player can pass`
    Pass(bool),
    /// `Available action Meeple for SmallFollower`
    Available { action: String, named: Option<String> },
    /// `Meeple SmallFollower options: …`: exactly these.
    Options { action: String, named: Option<String>, options: BTreeSet<String> },
    /// `Ann has GOLD token with count 2`
    Token { player: String, token: String, count: i32 },
    /// `Bazaar noAuction: false`
    Setting { name: String, value: String },
}

/// Understands a sentence; the first pattern that fits decides.
pub(crate) fn parse(text: &str) -> Option<Sentence> {
    points(text)
        .or_else(|| scored(text))
        .or_else(|| word_after(text, "phase is ").map(Sentence::Phase))
        .or_else(|| undo(text))
        .or_else(|| pass(text))
        .or_else(|| available(text))
        .or_else(|| options(text))
        .or_else(|| token(text))
        .or_else(|| setting(text))
}

/// The one word after a beginning, whatever the case of that.
fn word_after(text: &str, start: &str) -> Option<String> {
    let head = text.get(..start.len())?;
    head.eq_ignore_ascii_case(start).then(|| text[start.len()..].trim().trim_end_matches('.').to_owned())
}

fn points(text: &str) -> Option<Sentence> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [player, "has", number, unit, ..] = words[..] else { return None };
    let points = number.parse().ok().filter(|_| unit.starts_with("point"))?;
    Some(Sentence::Points { player: player.to_owned(), points })
}

fn scored(text: &str) -> Option<Sentence> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [player, "scored", name, "for", number, unit, ..] = words[..] else { return None };
    let points = number.parse().ok().filter(|_| unit.starts_with("point"))?;
    Some(Sentence::Scored { player: player.to_owned(), name: name.to_owned(), points })
}

fn undo(text: &str) -> Option<Sentence> {
    match word_after(text, "undo is ")?.as_str() {
        "allowed" => Some(Sentence::Undo(true)),
        "not allowed" => Some(Sentence::Undo(false)),
        _ => None,
    }
}

fn pass(text: &str) -> Option<Sentence> {
    match word_after(text, "player ")?.as_str() {
        "can pass" => Some(Sentence::Pass(true)),
        "can't pass" | "cannot pass" => Some(Sentence::Pass(false)),
        _ => None,
    }
}

fn available(text: &str) -> Option<Sentence> {
    let rest = word_after(text, "available action ")?;
    Some(match rest.split_once(" for ") {
        Some((action, named)) => Sentence::Available { action: action.to_owned(), named: Some(named.to_owned()) },
        None => Sentence::Available { action: rest, named: None },
    })
}

fn options(text: &str) -> Option<Sentence> {
    let (head, list) = text.split_once(" options:")?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let (action, named) = match words[..] {
        ["Tower", "piece", token] => ("TowerPiece", Some(token)),
        ["Tunnel", "token", token] => ("Tunnel", Some(token)),
        [action, named] => (action, Some(named)),
        [action] => (action, None),
        _ => return None,
    };
    let options = list.split(';').map(option_words).filter(|option| !option.is_empty()).collect();
    Some(Sentence::Options { action: action.to_owned(), named: named.map(str::to_owned), options })
}

/// An option without what may differ between two engines: the running number of a figure, and spaces.
fn option_words(option: &str) -> String {
    let option = option.trim().trim_end_matches('.');
    if let Some((at, turns)) = option.split_once(" - ") {
        return format!("{} - {}", at.replace(' ', ""), turns.replace(' ', ""));
    }
    let tight = option.replace(' ', "");
    let Some((first, rest)) = tight.split_once(',') else { return tight };
    let words: Vec<&str> = first.split('.').collect();
    let digits = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit());
    match words[..] {
        [owner, kind, number] if digits(owner.trim_start_matches('{')) && digits(number) => {
            format!("{owner}.{kind},{rest}")
        }
        _ => tight,
    }
}

fn token(text: &str) -> Option<Sentence> {
    let words: Vec<&str> = text.trim_end_matches('.').split_whitespace().collect();
    let [player, "has", token, "token", "with", "size" | "count", count] = words[..] else { return None };
    Some(Sentence::Token { player: player.to_owned(), token: token.to_owned(), count: count.parse().ok()? })
}

fn setting(text: &str) -> Option<Sentence> {
    let (name, value) = text.split_once(": ")?;
    Some(Sentence::Setting { name: name.to_owned(), value: value.trim_end_matches('.').to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_may_be_followed_by_anything() {
        for text in ["Ann has -3 points", "Ann has -3 points.", "Ann has -3 point, which is few"] {
            assert_eq!(parse(text), Some(Sentence::Points { player: "Ann".to_owned(), points: -3 }), "{text}");
        }
    }

    #[test]
    fn the_beginning_is_read_in_any_case() {
        assert_eq!(parse("phase is TilePhase"), Some(Sentence::Phase("TilePhase".to_owned())));
        assert_eq!(parse("Phase is TilePhase."), Some(Sentence::Phase("TilePhase".to_owned())));
        assert_eq!(parse("Undo is not allowed"), Some(Sentence::Undo(false)));
    }

    #[test]
    fn options_are_compared_without_numbers_of_figures() {
        let parsed = parse("ReturnMeeple FESTIVAL options: {0.small.1,Road,WE,[-1,0]}; {1.big.1,City,N,[2,0]}");
        let Some(Sentence::Options { options, .. }) = parsed else { panic!("{parsed:?}") };
        let expected = ["{0.small,Road,WE,[-1,0]}", "{1.big,City,N,[2,0]}"];
        assert_eq!(options.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn fields_keep_their_dots() {
        assert_eq!(option_words(" {Field,NL.WR,[0,1]}"), "{Field,NL.WR,[0,1]}");
        assert_eq!(option_words(" [0, 1] - [0, 90]"), "[0,1] - [0,90]");
    }

    #[test]
    fn nonsense_is_no_sentence() {
        for text in ["", "é", "Ann has many points", "Undo is", "phase", "Player may pass"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
