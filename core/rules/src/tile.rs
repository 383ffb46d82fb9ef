//! What is printed on tiles: [`TileSpec`] as it was written down, with names; [`check`] finds what cannot be printed.

use std::fmt;

use crate::geometry::{HalfEdge, Side};

/// The most segments of a tile: sets of them are words of 32 bits.
pub(crate) const SEGMENTS: usize = 32;

/// A tile as its author wrote it. Names are the author's; they are resolved when the ruleset is frozen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileSpec {
    /// Unique in its expansion: `city-cap`.
    pub id: String,
    /// Codes by which other programs know the tile; importers read them.
    pub aka: Vec<String>,
    /// Edge kinds of the four sides, clockwise from the north.
    pub sides: [String; 4],
    /// Parts of features, in canonical order.
    pub segments: Vec<SegmentSpec>,
    /// Symbols of the whole tile, with how often each is printed.
    pub marks: Vec<(String, u16)>,
    /// Groups of segments (by name) that meet at a point of the tile.
    pub links: Vec<Vec<String>>,
    /// Checks that this tile fails on purpose, each with the reason.
    pub waived: Vec<(TileCheck, String)>,
}

/// Part of a feature on one tile, as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentSpec {
    /// Unique on its tile: `road-west`.
    pub name: String,
    /// A declared feature kind.
    pub kind: String,
    /// Sides this segment runs to.
    pub sides: Vec<Side>,
    /// Half-edges this segment runs to.
    pub halves: Vec<HalfEdge>,
    /// Names of segments of the tile that this one borders (a field: the cities beside it).
    pub borders: Vec<String>,
    /// Symbols of the segment, with how often each is printed.
    pub marks: Vec<(String, u16)>,
}

/// A check of printed tiles that an author may waive with a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileCheck {
    /// Each side belongs to at most one segment, each half-edge to at most one.
    Overlap,
    /// A side whose edge kind has a segment kind of its own must be in a segment, a half-edge beside no such side too.
    Gap,
    /// Two halves that meet at a corner of the tile belong to the same segment.
    Corner,
    /// A segment with half-edges that meets, at a corner, a side of another kind lists that segment as bordered.
    Border,
    /// No segment lies on both sides of one that runs through.
    Through,
}

impl TileCheck {
    /// Every check.
    pub const ALL: [Self; 5] = [Self::Overlap, Self::Gap, Self::Corner, Self::Border, Self::Through];
}

impl fmt::Display for TileCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overlap => "overlap",
            Self::Gap => "gap",
            Self::Corner => "corner",
            Self::Border => "border",
            Self::Through => "through",
        })
    }
}

/// Something a tile cannot be printed with, or a slip of its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileProblem {
    /// The check that fails. None for what no waiver makes sensible: an unknown name, something listed twice.
    pub check: Option<TileCheck>,
    /// The fact, in one sentence without a full stop.
    pub message: String,
    /// Name of the segment it is about, if it is about one.
    pub segment: Option<String>,
}

/// What is wrong with a tile, as far as the tile alone tells; nothing for a good one.
///
/// No feature kind is known here. A kind that some segment of the tile borders (a city) *fills* its sides, which then
/// have no halves; sides of any other kind have two halves, or none on the whole tile.
///
/// # Order
///
/// Slips first, then the checks in the order of [`TileCheck::ALL`], then waivers that waive nothing.
///
/// # Examples
///
/// ```
/// use trencavel_rules::tile::{TileCheck, TileSpec, check};
///
/// let mut tile = TileSpec { sides: ["city", "field", "field", "field"].map(String::from), ..TileSpec::default() };
/// assert!(check(&tile).is_empty(), "nothing reaches a side, so nothing is missing");
/// tile.waived.push((TileCheck::Corner, "no reason".into()));
/// assert_eq!(check(&tile)[0].message, "waives `corner`, but no check of that name fails");
/// ```
pub fn check(tile: &TileSpec) -> Vec<TileProblem> {
    if tile.segments.len() > SEGMENTS {
        let message = format!("has {} segments; a tile has room for {SEGMENTS}", tile.segments.len());
        return vec![TileProblem { check: None, message, segment: None }];
    }
    let layout = Layout::of(tile);
    let mut problems = Problems::default();
    slips(tile, &mut problems);
    let own = problems.0.len();
    overlaps(&layout, &mut problems);
    gaps(&layout, &mut problems);
    corners(&layout, &mut problems);
    borders(&layout, &mut problems);
    crossings(&layout, &mut problems);
    let failed: Vec<_> = problems.0[own..].iter().filter_map(|problem| problem.check).collect();
    let waived = |check: TileCheck| tile.waived.iter().any(|(waived, _)| *waived == check);
    problems.0.retain(|problem| !problem.check.is_some_and(waived));
    for (check, _) in tile.waived.iter().filter(|(check, _)| !failed.contains(check)) {
        problems.add(None, None, format!("waives `{check}`, but no check of that name fails"));
    }
    problems.0
}

/// Problems in the order they were found, each once.
#[derive(Default)]
struct Problems(Vec<TileProblem>);

impl Problems {
    fn add(&mut self, check: Option<TileCheck>, segment: Option<&SegmentSpec>, message: String) {
        let problem = TileProblem { check, message, segment: segment.map(|segment| segment.name.clone()) };
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }
}

/// Which segments run where.
struct Layout<'a> {
    tile: &'a TileSpec,
    through: [Vec<&'a SegmentSpec>; 4],
    halves: [Vec<&'a SegmentSpec>; 8],
}

impl<'a> Layout<'a> {
    fn of(tile: &'a TileSpec) -> Self {
        let on_side = |side: Side| tile.segments.iter().filter(|segment| segment.sides.contains(&side)).collect();
        let on_half = |half: HalfEdge| tile.segments.iter().filter(|segment| segment.halves.contains(&half)).collect();
        Self { tile, through: Side::ALL.map(on_side), halves: HalfEdge::ALL.map(on_half) }
    }

    /// The edge kind that a side shows.
    fn shown(&self, side: Side) -> &'a str {
        &self.tile.sides[side.index()]
    }

    fn through(&self, side: Side) -> Option<&'a SegmentSpec> {
        self.through[side.index()].first().copied()
    }

    fn half(&self, half: HalfEdge) -> Option<&'a SegmentSpec> {
        self.halves[half.index()].first().copied()
    }

    /// True if segments of this kind leave no room for halves beside them.
    fn fills(&self, kind: &str) -> bool {
        let bordered = |name: &String| self.tile.segments.iter().any(|other| other.name == *name && other.kind == kind);
        self.tile.segments.iter().any(|segment| segment.borders.iter().any(bordered))
    }

    /// True if segments of this kind run to sides.
    fn runs(&self, kind: &str) -> bool {
        self.tile.segments.iter().any(|segment| segment.kind == kind && !segment.sides.is_empty())
    }

    /// True if no segment reaches a side: the tile tells nothing about its sides.
    fn is_blank(&self) -> bool {
        self.through.iter().all(Vec::is_empty) && self.halves.iter().all(Vec::is_empty)
    }

    fn needs_halves(&self, side: Side) -> bool {
        let Some(segment) = self.through(side) else { return !self.is_blank() && !self.fills(self.shown(side)) };
        let same_kind = |half: &HalfEdge| self.through(half.side()).is_some_and(|other| other.kind == segment.kind);
        !self.fills(&segment.kind) && HalfEdge::ALL.iter().any(|half| same_kind(half) && self.half(*half).is_some())
    }
}

/// Unknown names, and what is listed twice.
fn slips(tile: &TileSpec, problems: &mut Problems) {
    for name in repeated(tile.segments.iter().map(|segment| &segment.name)) {
        problems.add(None, None, format!("two segments are named `{name}`"));
    }
    for segment in &tile.segments {
        segment_slips(tile, segment, problems);
    }
    for link in &tile.links {
        let mut add = |message: String| problems.add(None, None, message);
        link.iter().filter(|name| !tile.has(name)).for_each(|name| add(format!("links `{name}`, which is no segment")));
        repeated(link).into_iter().for_each(|name| add(format!("links `{name}` with itself")));
        if link.len() < 2 {
            add("links fewer than two segments".to_owned());
        }
    }
    for message in mark_slips(&tile.marks) {
        problems.add(None, None, message);
    }
}

fn segment_slips(tile: &TileSpec, segment: &SegmentSpec, problems: &mut Problems) {
    let name = &segment.name;
    let mut add = |message: String| problems.add(None, Some(segment), message);
    repeated(&segment.sides).into_iter().for_each(|side| add(format!("`{name}` lists side {side} twice")));
    repeated(&segment.halves).into_iter().for_each(|half| add(format!("`{name}` lists half-edge {half} twice")));
    repeated(&segment.borders).into_iter().for_each(|other| add(format!("`{name}` borders `{other}` twice")));
    for other in &segment.borders {
        if other == name {
            add(format!("`{name}` borders itself"));
        } else if !tile.has(other) {
            add(format!("`{name}` borders `{other}`, which is no segment"));
        }
    }
    mark_slips(&segment.marks).into_iter().for_each(add);
}

fn mark_slips(marks: &[(String, u16)]) -> Vec<String> {
    let twice =
        repeated(marks.iter().map(|(mark, _)| mark)).into_iter().map(|mark| format!("mark `{mark}` is listed twice"));
    let never =
        marks.iter().filter(|(_, count)| *count == 0).map(|(mark, _)| format!("mark `{mark}` is printed 0 times"));
    twice.chain(never).collect()
}

/// What occurs more than once, each once.
fn repeated<'a, T: PartialEq + 'a>(items: impl IntoIterator<Item = &'a T>) -> Vec<&'a T> {
    let (mut seen, mut twice) = (Vec::new(), Vec::new());
    for item in items {
        if seen.contains(&item) && !twice.contains(&item) {
            twice.push(item);
        }
        seen.push(item);
    }
    twice
}

impl TileSpec {
    fn has(&self, name: &str) -> bool {
        self.segments.iter().any(|segment| segment.name == name)
    }
}

fn overlaps(layout: &Layout<'_>, problems: &mut Problems) {
    let mut add = |segment, message| problems.add(Some(TileCheck::Overlap), Some(segment), message);
    for side in Side::ALL {
        if let [first, second, ..] = layout.through[side.index()][..] {
            add(second, format!("`{}` and `{}` both run to side {side}", first.name, second.name));
        }
    }
    for half in HalfEdge::ALL {
        if let [first, second, ..] = layout.halves[half.index()][..] {
            add(second, format!("`{}` and `{}` both run to half-edge {half}", first.name, second.name));
        }
        if let (Some(segment), Some(side)) = (layout.half(half), layout.through(half.side()))
            && layout.fills(&side.kind)
        {
            add(segment, format!("`{}` runs to half-edge {half}, but `{}` fills that side", segment.name, side.name));
        }
    }
}

fn gaps(layout: &Layout<'_>, problems: &mut Problems) {
    for side in Side::ALL {
        let shown = layout.shown(side);
        match layout.through(side) {
            Some(segment) if segment.kind != shown => {
                let message = format!("`{}` ({}) runs to side {side}, which shows {shown}", segment.name, segment.kind);
                problems.add(Some(TileCheck::Gap), Some(segment), message);
            }
            None if layout.runs(shown) => {
                let message = format!("side {side} shows {shown}, but no segment runs to it");
                problems.add(Some(TileCheck::Gap), None, message);
            }
            _ => {}
        }
        for half in [HalfEdge::left(side), HalfEdge::right(side)] {
            if layout.needs_halves(side) && layout.half(half).is_none() {
                problems.add(Some(TileCheck::Gap), None, format!("half-edge {half} is in no segment"));
            }
        }
    }
}

fn corners(layout: &Layout<'_>, problems: &mut Problems) {
    for left in HalfEdge::ALL.into_iter().step_by(2) {
        let right = left.across_corner();
        let (Some(a), Some(b)) = (layout.half(left), layout.half(right)) else { continue };
        if a.name != b.name {
            let message = format!("{left} and {right} meet at a corner, but are in `{}` and `{}`", a.name, b.name);
            problems.add(Some(TileCheck::Corner), Some(a), message);
        }
    }
}

fn borders(layout: &Layout<'_>, problems: &mut Problems) {
    for half in HalfEdge::ALL {
        let across = half.across_corner();
        let beside = layout.through(across.side()).filter(|_| !layout.needs_halves(across.side()));
        if let (Some(segment), Some(beside), None) = (layout.half(half), beside, layout.half(across))
            && !segment.borders.contains(&beside.name)
        {
            let message = format!("`{}` meets `{}` at a corner, but does not border it", segment.name, beside.name);
            problems.add(Some(TileCheck::Border), Some(segment), message);
        }
    }
}

fn crossings(layout: &Layout<'_>, problems: &mut Problems) {
    let segments = &layout.tile.segments;
    for line in segments.iter().filter(|line| line.sides.len() > 1 && !layout.fills(&line.kind)) {
        for segment in segments {
            let mut parts = segment.halves.iter().map(|half| part(line, *half));
            let first = parts.next();
            if parts.any(|part| Some(part) != first) {
                let message = format!("`{}` lies on both sides of `{}`", segment.name, line.name);
                problems.add(Some(TileCheck::Through), Some(segment), message);
            }
        }
    }
}

/// The part of the tile in which a half-edge lies, when `line` parts it at the middles of its sides.
fn part(line: &SegmentSpec, half: HalfEdge) -> usize {
    line.sides.iter().filter(|side| HalfEdge::right(**side).index() <= half.index()).count() % line.sides.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile from `"city field field field"` and segments `"name kind sides halves borders"`, `-` for none.
    fn tile(sides: &str, segments: &[&str]) -> TileSpec {
        let mut words = sides.split(' ').map(String::from);
        let sides = [(); 4].map(|()| words.next().expect("four sides"));
        TileSpec { sides, segments: segments.iter().map(|text| segment(text)).collect(), ..TileSpec::default() }
    }

    fn segment(text: &str) -> SegmentSpec {
        let fields: Vec<&str> = text.split(' ').collect();
        let list = |i: usize| fields[i].split(',').filter(|word| *word != "-");
        SegmentSpec {
            name: fields[0].into(),
            kind: fields[1].into(),
            sides: list(2).map(|word| word.parse().expect("a side")).collect(),
            halves: list(3).map(|word| word.parse().expect("a half-edge")).collect(),
            borders: list(4).map(String::from).collect(),
            marks: Vec::new(),
        }
    }

    fn check_fails(tile: &TileSpec, expected: &[&str]) {
        let found: Vec<String> = check(tile)
            .into_iter()
            .map(|problem| problem.check.map_or("slip".to_owned(), |check| check.to_string()) + ": " + &problem.message)
            .collect();
        assert_eq!(found, expected);
    }

    const CAP_ROAD: [&str; 4] =
        ["city city N - -", "road road E,W - -", "north field - EL,WR city", "south field - ER,SL,SR,WL -"];

    fn cap_road_with(index: usize, text: &str) -> TileSpec {
        let mut segments = CAP_ROAD;
        segments[index] = text;
        tile("city road field road", &segments)
    }

    #[test]
    fn good_tiles_pass() {
        check_fails(&tile("city road field road", &CAP_ROAD), &[]);
        check_fails(&tile("city city city city", &["city city N,E,S,W - -"]), &[]);
        check_fails(&tile("city city city city", &["a city N,S - -", "b city E,W - -", "f field - - a,b"]), &[]);
        check_fails(&tile("wall wall wall wall", &["house house - - -"]), &[]);
        let end = ["road road S - -", "field field - NL,NR,EL,ER,SL,SR,WL,WR -"];
        check_fails(&tile("field field road field", &end), &[]);
        let roundabout = ["road road N,E,W - -", "a field - NL,WR -", "b field - NR,EL -", "c field - ER,SL,SR,WL -"];
        check_fails(&tile("road road field road", &roundabout), &[]);
    }

    #[test]
    fn names_are_known_and_things_listed_once() {
        check_fails(&cap_road_with(2, "road field - EL,WR city"), &["slip: two segments are named `road`"]);
        check_fails(&cap_road_with(0, "city city N,N - -"), &["slip: `city` lists side N twice"]);
        check_fails(&cap_road_with(2, "north field - EL,WR,EL city"), &["slip: `north` lists half-edge EL twice"]);
        check_fails(&cap_road_with(2, "north field - EL,WR city,city"), &["slip: `north` borders `city` twice"]);
        check_fails(&cap_road_with(2, "north field - EL,WR city,north"), &["slip: `north` borders itself"]);
        check_fails(
            &cap_road_with(2, "north field - EL,WR city,town"),
            &["slip: `north` borders `town`, which is no segment"],
        );
        let mut linked = tile("city road field road", &CAP_ROAD);
        linked.links =
            vec![vec!["city".into(), "lane".into()], vec!["road".into(), "road".into()], vec!["road".into()]];
        linked.marks = vec![("inn".into(), 1), ("inn".into(), 0)];
        check_fails(
            &linked,
            &[
                "slip: links `lane`, which is no segment",
                "slip: links `road` with itself",
                "slip: links fewer than two segments",
                "slip: mark `inn` is listed twice",
                "slip: mark `inn` is printed 0 times",
            ],
        );
    }

    #[test]
    fn nothing_overlaps() {
        let two = tile("city city city city", &["a city N,E,S,W - -", "b city W - -"]);
        check_fails(&two, &["overlap: `a` and `b` both run to side W"]);
        check_fails(
            &cap_road_with(2, "north field - EL,WR,WL city"),
            &[
                "overlap: `north` and `south` both run to half-edge WL",
                "corner: WL and SR meet at a corner, but are in `north` and `south`",
                "through: `north` lies on both sides of `road`",
            ],
        );
        let filled = cap_road_with(2, "north field - NL,EL,WR city");
        check_fails(&filled, &["overlap: `north` runs to half-edge NL, but `city` fills that side"]);
    }

    #[test]
    fn nothing_is_missing() {
        check_fails(&cap_road_with(2, "north field - EL city"), &["gap: half-edge WR is in no segment"]);
        check_fails(
            &cap_road_with(1, "road river E,W - -"),
            &[
                "gap: `road` (river) runs to side E, which shows road",
                "gap: `road` (river) runs to side W, which shows road",
            ],
        );
        check_fails(&cap_road_with(1, "road road E - -"), &["gap: side W shows road, but no segment runs to it"]);
        let bare = tile("city field field field", &["city city N - -"]);
        assert_eq!(check(&bare).len(), 6, "the halves of three field sides");
    }

    #[test]
    fn corners_belong_to_one_segment() {
        let parted = ["city city N - -", "a field - EL,ER,SL city", "b field - SR,WL,WR city"];
        check_fails(&tile("city field field field", &parted), &[]);
        let torn = ["city city N - -", "a field - EL,ER city", "b field - SL,SR,WL,WR city"];
        let torn = tile("city field field field", &torn);
        check_fails(&torn, &["corner: SL and ER meet at a corner, but are in `b` and `a`"]);
    }

    #[test]
    fn what_meets_at_a_corner_is_bordered() {
        let cap = ["city city N - -", "field field - EL,ER,SL,SR,WL,WR -"];
        let cap = tile("city field field field", &cap);
        check_fails(&cap, &["border: `field` meets `city` at a corner, but does not border it"]);
    }

    #[test]
    fn lines_part_the_tile() {
        let under = ["road road N,S - -", "city city E,W - -", "a field - NL,NR city", "b field - SL,SR city"];
        let mut under = tile("road city road city", &under);
        let both = ["through: `a` lies on both sides of `road`", "through: `b` lies on both sides of `road`"];
        check_fails(&under, &both);
        under.waived.push((TileCheck::Through, "a tunnel".into()));
        check_fails(&under, &[]);
        under.waived.push((TileCheck::Gap, "for nothing".into()));
        check_fails(&under, &["slip: waives `gap`, but no check of that name fails"]);
    }
}
