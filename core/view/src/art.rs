//! Pictures that expansions bring: small SVG files, of which only plain shapes are kept.
//!
//! A picture is drawn in a square of its `viewBox`. What it is coloured with is its own; `currentColor` is the colour of
//! the player. Nothing of the file but shapes with plain fills and strokes reaches a drawing, so a picture from a
//! stranger cannot bring scripts, links or texts along.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use resvg::usvg::roxmltree::{Document, Node};

/// Elements that are kept.
const ELEMENTS: [&str; 8] = ["g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"];
/// Attributes that are kept.
const ATTRIBUTES: [&str; 24] = [
    "d",
    "points",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "width",
    "height",
    "transform",
    "fill",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "id",
];
/// The word that stands for the colour of the player.
const PLAYER: &str = "currentColor";

/// Why a picture cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArtError {
    /// Not XML, or not an SVG.
    #[error("is no SVG: {0}")]
    NoSvg(String),
    /// No square to draw it in.
    #[error("needs a `viewBox` of four numbers whose width and height are equal, such as `0 0 100 100`")]
    NoSquare,
    /// An element that may do more than be a shape.
    #[error("line {line}: <{name}> is not drawn; use {}", ELEMENTS.join(", "))]
    Element {
        /// Its name.
        name: String,
        /// Where it begins, 1-based.
        line: u32,
    },
    /// An attribute that is not known.
    #[error("line {line}: `{name}` is not drawn; use plain fills, strokes and transforms")]
    Attribute {
        /// Its name, with its value.
        name: String,
        /// Where its element begins, 1-based.
        line: u32,
    },
}

/// A picture, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    shapes: String,
    left: f64,
    top: f64,
    width: f64,
    coloured: bool,
    /// Strokes from the bottom up: colour and width. Lines are drawn with them.
    pub(crate) strokes: Vec<(String, f64)>,
}

impl Picture {
    /// The picture of an SVG file.
    ///
    /// # Errors
    /// If it is no SVG, has no square `viewBox`, or holds more than plain shapes.
    pub fn parse(text: &str) -> Result<Self, ArtError> {
        let document = Document::parse(text).map_err(|error| ArtError::NoSvg(error.to_string()))?;
        let root = document.root_element();
        if root.tag_name().name() != "svg" {
            return Err(ArtError::NoSvg(format!("it begins with <{}>", root.tag_name().name())));
        }
        let numbers: Option<Vec<f64>> = root
            .attribute("viewBox")
            .and_then(|text| text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>());
        let [left, top, width, height] = numbers.as_deref().unwrap_or_default() else { return Err(ArtError::NoSquare) };
        if !(*width > 0.0 && width == height && left.is_finite() && top.is_finite() && width.is_finite()) {
            return Err(ArtError::NoSquare);
        }
        let mut picture =
            Self { shapes: String::new(), left: *left, top: *top, width: *width, coloured: false, strokes: Vec::new() };
        picture.children(&root)?;
        Ok(picture)
    }

    fn children(&mut self, parent: &Node<'_, '_>) -> Result<(), ArtError> {
        parent.children().filter(Node::is_element).try_for_each(|node| self.element(&node))
    }

    fn element(&mut self, node: &Node<'_, '_>) -> Result<(), ArtError> {
        let name = node.tag_name().name();
        let line = node.document().text_pos_at(node.range().start).row;
        // What people read about a picture is not part of it.
        if name == "title" || name == "desc" {
            return Ok(());
        }
        if !ELEMENTS.contains(&name) {
            return Err(ArtError::Element { name: name.to_owned(), line });
        }
        // A String takes everything.
        let _ = write!(self.shapes, "<{name}");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let plain = value.chars().all(|letter| letter.is_ascii_alphanumeric() || " .,-+#%()\n\t".contains(letter));
            if !ATTRIBUTES.contains(&name) || !plain || value.contains("url") {
                return Err(ArtError::Attribute { name: format!("{name}=\"{value}\""), line });
            }
            // Names would meet those of other pictures.
            if name != "id" {
                let _ = write!(self.shapes, " {name}=\"{value}\"");
            }
            self.coloured |= value == PLAYER;
        }
        if let (Some(stroke), Some(width)) = (node.attribute("stroke"), node.attribute("stroke-width"))
            && let Ok(width) = width.parse()
        {
            self.strokes.push((stroke.to_owned(), width));
        }
        self.shapes.push('>');
        self.children(node)?;
        let _ = write!(self.shapes, "</{name}>");
        Ok(())
    }

    /// True if it shows whose it is.
    pub(crate) fn is_coloured(&self) -> bool {
        self.coloured
    }

    /// Its shapes in a square of 100 units around the origin.
    pub(crate) fn group(&self, id: &str, colour: &str) -> String {
        let scale = 100.0 / self.width;
        let (x, y) = (-self.left * scale - 50.0, -self.top * scale - 50.0);
        let shapes = self.shapes.replace(PLAYER, colour);
        format!("<g id=\"{id}\"><g transform=\"translate({x} {y}) scale({scale})\">{shapes}</g></g>\n")
    }
}

/// The pictures of the expansions of a game, by the full id of what they show: `wells:well`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gallery {
    pictures: BTreeMap<String, Picture>,
}

impl Gallery {
    /// Adds the picture of what has this full id.
    pub fn add(&mut self, id: impl Into<String>, picture: Picture) {
        self.pictures.insert(id.into(), picture);
    }

    /// The picture of what has this full id.
    pub fn get(&self, id: &str) -> Option<&Picture> {
        self.pictures.get(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_shapes_are_kept() {
        let good =
            Picture::parse("<svg viewBox='0 0 10 10'><title>x</title><path d='M0 0L5 5' fill='currentColor'/></svg>");
        let good = good.expect("a picture");
        assert!(good.is_coloured());
        assert_eq!(
            good.group("p", "#123456"),
            "<g id=\"p\"><g transform=\"translate(-50 -50) scale(10)\"><path d=\"M0 0L5 5\" fill=\"#123456\"></path></g></g>\n"
        );
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        let check_fails = |text: &str, expected: &str| {
            let error = Picture::parse(text).expect_err("an error").to_string();
            assert!(error.contains(expected), "{error}");
        };
        check_fails("<svg viewBox='0 0 10 10'><script>x</script></svg>", "<script> is not drawn");
        check_fails("<svg viewBox='0 0 10 10'>\n<path onclick='x' d=''/></svg>", "line 2: `onclick=\"x\"`");
        check_fails("<svg viewBox='0 0 10 10'><path fill='url(#a)'/></svg>", "is not drawn");
        check_fails("<svg viewBox='0 0 10 10'><use href='#a'/></svg>", "<use> is not drawn");
        check_fails("<svg viewBox='0 0 10 20'/>", "viewBox");
        check_fails("<svg/>", "viewBox");
        check_fails("<html/>", "begins with <html>");
        check_fails("wells", "no SVG");
    }
}
