//! What is printed holds no commands for a terminal: names, texts and messages may come from strangers.

use std::io::{self, Write};

/// A stream that writes control characters as `\u{1b}`: all but the ends of lines, tabs, and colours.
pub(crate) struct Clean<'a>(pub &'a mut dyn Write);

impl Write for Clean<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(text) => write_text(self.0, text),
            Err(_) => write_text(self.0, &String::from_utf8_lossy(bytes)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text without commands, nor colours, as a screen of its own shows it.
pub(crate) fn text(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\t' | '\n' => " ".to_owned(),
        letter if commands(letter) => letter.escape_unicode().to_string(),
        letter => letter.to_string(),
    };
    text.chars().map(shown).collect()
}

fn write_text(to: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(commands) {
        to.write_all(&rest.as_bytes()[..at])?;
        rest = &rest[at..];
        let colour = colour(rest);
        if colour > 0 {
            to.write_all(&rest.as_bytes()[..colour])?;
            rest = &rest[colour..];
        } else if let Some(letter) = rest.chars().next() {
            write!(to, "{}", letter.escape_unicode())?;
            rest = &rest[letter.len_utf8()..];
        }
    }
    to.write_all(rest.as_bytes())
}

/// Control characters, and those that change the direction of what follows.
fn commands(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// The length of a change of colour at the beginning of a text; it changes nothing else. 0 if there is none.
fn colour(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = inner.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
    end.filter(|end| inner[*end..].starts_with('m')).map_or(0, |end| "\u{1b}[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{Clean, text};

    #[test]
    fn a_screen_gets_neither_commands_nor_colours() {
        assert_eq!(text("a\u{1b}[31mb\tc\u{202e}é\n"), "a\\u{1b}[31mb c\\u{202e}é ");
    }

    #[test]
    fn commands_are_shown_and_colours_stay() {
        let mut written = Vec::new();
        let text = "a\u{1b}[2Jb\u{1b}[31;1mc\u{1b}[m\td\r\n\u{7}\u{202e}é\u{9b}1m\u{1b}";
        write!(Clean(&mut written), "{text}").expect("a list takes everything");
        let shown = "a\\u{1b}[2Jb\u{1b}[31;1mc\u{1b}[m\td\\u{d}\n\\u{7}\\u{202e}é\\u{9b}1m\\u{1b}";
        assert_eq!(String::from_utf8_lossy(&written), shown);
    }
}
