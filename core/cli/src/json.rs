//! Just enough JSON to be read by another program.

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The value on one line.
    pub(crate) fn line(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, to: &mut String) {
        match self {
            Self::Bool(value) => to.push_str(if *value { "true" } else { "false" }),
            Self::Int(value) => *to += &value.to_string(),
            Self::Float(value) => *to += &format!("{value:.3}"),
            Self::Text(text) => quote(text, to),
            Self::List(items) => {
                to.push('[');
                for (index, item) in items.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { ", " });
                    item.write(to);
                }
                to.push(']');
            }
            Self::Object(pairs) => {
                to.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { ", " });
                    quote(key, to);
                    to.push_str(": ");
                    value.write(to);
                }
                to.push('}');
            }
        }
    }
}

fn quote(text: &str, to: &mut String) {
    to.push('"');
    for letter in text.chars() {
        match letter {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\n' => to.push_str("\\n"),
            letter if u32::from(letter) < 0x20 => {
                // Writing to a string cannot fail.
                let _ = write!(to, "\\u{:04x}", u32::from(letter));
            }
            letter => to.push(letter),
        }
    }
    to.push('"');
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn text_is_escaped() {
        let value = Json::Object(vec![
            ("a", Json::text("x\"\\\n\u{1}é")),
            ("b", Json::List(vec![Json::Int(-1), Json::Float(0.5)])),
        ]);
        assert_eq!(value.line(), r#"{"a": "x\"\\\n\u0001é", "b": [-1, 0.500]}"#);
    }
}
