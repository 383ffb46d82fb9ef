//! PDF files from drawings: every drawing is kept once, as paths, and put on pages as often as it is needed.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref};
use resvg::tiny_skia::{Path, PathSegment, Transform};
use resvg::usvg::{self, FillRule, Group, LineCap, LineJoin, Node, Paint};

use crate::png::{PictureError, tree};
use crate::svg::Drawing;

/// Points of a PDF in a millimetre.
const POINTS: f32 = 72.0 / 25.4;

/// A document that grows page by page.
pub struct Document {
    pdf: Pdf,
    next: Ref,
    list: Ref,
    pages: Vec<Ref>,
    forms: Vec<Form>,
}

/// A drawing of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormId(usize);

struct Form {
    at: Ref,
    width: f32,
    height: f32,
}

/// A drawing on a page; lengths are millimetres from the north-west corner of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// What.
    pub form: FormId,
    /// Its west edge.
    pub left: f64,
    /// Its north edge.
    pub top: f64,
    /// How wide it gets; its height follows.
    pub width: f64,
}

impl Default for Document {
    fn default() -> Self {
        Self { pdf: Pdf::new(), next: Ref::new(3), list: Ref::new(2), pages: Vec::new(), forms: Vec::new() }
    }
}

impl Document {
    /// Keeps a drawing for use on pages.
    ///
    /// # Errors
    /// If a picture in it is broken.
    pub fn form(&mut self, drawing: &Drawing) -> Result<FormId, PictureError> {
        let tree = tree(drawing)?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let mut content = Content::new();
        group(&mut content, tree.root());
        let bytes = content.finish();
        let at = self.next.bump();
        let mut form = self.pdf.form_xobject(at, &bytes);
        form.bbox(Rect::new(0.0, 0.0, width, height));
        form.finish();
        self.forms.push(Form { at, width, height });
        Ok(FormId(self.forms.len() - 1))
    }

    /// Adds a page of this size, in millimetres.
    pub fn page(&mut self, width: f64, height: f64, placements: &[Placement]) {
        let (page, stream) = (self.next.bump(), self.next.bump());
        let (width, height) = (width as f32 * POINTS, height as f32 * POINTS);
        let mut content = Content::new();
        for placement in placements {
            let form = &self.forms[placement.form.0];
            let scale = placement.width as f32 * POINTS / form.width;
            let (left, top) = (placement.left as f32 * POINTS, height - placement.top as f32 * POINTS);
            content.save_state();
            // North is up on the page and down in drawings.
            content.transform([scale, 0.0, 0.0, -scale, left, top]);
            content.x_object(Name(name(placement.form).as_bytes()));
            content.restore_state();
        }
        self.pdf.stream(stream, &content.finish());
        let mut dictionary = self.pdf.page(page);
        dictionary.media_box(Rect::new(0.0, 0.0, width, height)).parent(self.list).contents(stream);
        let mut resources = dictionary.resources();
        let mut objects = resources.x_objects();
        for (index, form) in self.forms.iter().enumerate() {
            objects.pair(Name(name(FormId(index)).as_bytes()), form.at);
        }
        objects.finish();
        resources.finish();
        dictionary.finish();
        self.pages.push(page);
    }

    /// The height of a drawing that gets so wide.
    pub fn height(&self, form: FormId, width: f64) -> f64 {
        let form = &self.forms[form.0];
        width * f64::from(form.height) / f64::from(form.width)
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
        self.pdf.catalog(Ref::new(1)).pages(self.list);
        let count = i32::try_from(self.pages.len()).unwrap_or(i32::MAX);
        self.pdf.pages(self.list).kids(self.pages.iter().copied()).count(count);
        self.pdf.finish()
    }
}

fn name(form: FormId) -> String {
    format!("D{}", form.0)
}

fn group(content: &mut Content, group_: &Group) {
    for node in group_.children() {
        match node {
            Node::Group(inner) => group(content, inner),
            Node::Path(path) => {
                content.save_state();
                matrix(content, path.abs_transform());
                fill(content, path);
                stroke(content, path);
                content.restore_state();
            }
            // Drawings are paths only.
            Node::Image(_) | Node::Text(_) => {}
        }
    }
}

fn matrix(content: &mut Content, t: Transform) {
    content.transform([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
}

fn fill(content: &mut Content, path: &usvg::Path) {
    let Some(fill) = path.fill() else { return };
    let Paint::Color(colour) = fill.paint() else { return };
    content.set_fill_rgb(part(colour.red), part(colour.green), part(colour.blue));
    outline(content, path.data());
    match fill.rule() {
        FillRule::NonZero => content.fill_nonzero(),
        FillRule::EvenOdd => content.fill_even_odd(),
    };
}

fn stroke(content: &mut Content, path: &usvg::Path) {
    let Some(stroke) = path.stroke() else { return };
    let Paint::Color(colour) = stroke.paint() else { return };
    content.set_stroke_rgb(part(colour.red), part(colour.green), part(colour.blue));
    content.set_line_width(stroke.width().get());
    content.set_line_cap(match stroke.linecap() {
        LineCap::Butt => LineCapStyle::ButtCap,
        LineCap::Round => LineCapStyle::RoundCap,
        LineCap::Square => LineCapStyle::ProjectingSquareCap,
    });
    content.set_line_join(match stroke.linejoin() {
        LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        LineJoin::Round => LineJoinStyle::RoundJoin,
        LineJoin::Bevel => LineJoinStyle::BevelJoin,
    });
    if let Some(dashes) = stroke.dasharray() {
        content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
    }
    outline(content, path.data());
    content.stroke();
}

fn part(value: u8) -> f32 {
    f32::from(value) / 255.0
}

fn outline(content: &mut Content, path: &Path) {
    let (mut last, mut start) = ((0.0, 0.0), (0.0, 0.0));
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                content.move_to(to.x, to.y);
                start = (to.x, to.y);
                last = start;
            }
            PathSegment::LineTo(to) => {
                content.line_to(to.x, to.y);
                last = (to.x, to.y);
            }
            // A quadratic curve is a cubic one whose handles lie two thirds of the way to its own.
            PathSegment::QuadTo(handle, to) => {
                let near = |from: f32, handle: f32| from + (handle - from) * 2.0 / 3.0;
                content.cubic_to(
                    near(last.0, handle.x),
                    near(last.1, handle.y),
                    near(to.x, handle.x),
                    near(to.y, handle.y),
                    to.x,
                    to.y,
                );
                last = (to.x, to.y);
            }
            PathSegment::CubicTo(a, b, to) => {
                content.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y);
                last = (to.x, to.y);
            }
            PathSegment::Close => {
                content.close_path();
                last = start;
            }
        }
    }
}
