//! Drawings as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::svg::{Drawing, TILE};

/// The widest and highest PNG, in picture points.
pub const LIMIT: u32 = 16_000;

/// Why a drawing cannot be turned into another format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Too many picture points.
    #[error("{width}×{height} picture points are too many, at most {LIMIT} either way; make tiles smaller")]
    TooLarge {
        /// Picture points from west to east.
        width: u32,
        /// Picture points from north to south.
        height: u32,
    },
    /// A picture of the gallery holds something that cannot be drawn.
    #[error("the drawing cannot be read back: {0}; a picture of an expansion is broken")]
    Broken(String),
}

/// The drawing as a PNG file with tiles of so many picture points.
///
/// # Errors
/// If it gets too large, or a picture in it is broken.
pub fn png(drawing: &Drawing, tile: u32) -> Result<Vec<u8>, PictureError> {
    let scale = f64::from(tile) / TILE;
    let size = |units: f64| (units * scale).ceil().clamp(1.0, f64::from(u32::MAX)) as u32;
    let (width, height) = (size(drawing.width), size(drawing.height));
    if width > LIMIT || height > LIMIT {
        return Err(PictureError::TooLarge { width, height });
    }
    let broken = |why: String| PictureError::Broken(why);
    let tree = tree(drawing)?;
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| broken("no picture points".to_owned()))?;
    let (x, y) = (width as f32 / tree.size().width(), height as f32 / tree.size().height());
    resvg::render(&tree, Transform::from_scale(x, y), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| broken(error.to_string()))
}

/// The drawing as plain paths.
pub(crate) fn tree(drawing: &Drawing) -> Result<Tree, PictureError> {
    Tree::from_str(&drawing.svg(), &Options::default()).map_err(|error| PictureError::Broken(error.to_string()))
}
