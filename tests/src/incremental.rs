//! The engine's counters against flood fill.

use std::collections::{BTreeMap, BTreeSet};

use trencavel_rules::ids::{FeatureId, FigureId, SegmentId, TileId};
use trencavel_rules::{Anchor, Game, features, short};

use crate::reference::{Area, Laid, Specs, Table};

/// The table of a game, as the reference sees it.
pub fn table_of(game: &Game, specs: &Specs) -> Table {
    let laid = |tile: &trencavel_rules::PlacedTile| Laid {
        spec: specs[&*game.rules().tile(tile.def).id].clone(),
        at: tile.at,
        rotation: tile.rotation,
    };
    Table { tiles: game.state().tiles().map(|(_, tile)| laid(tile)).collect() }
}

/// Compares every feature of a game with what flood fill finds: segments, tiles, closedness, symbols, figures.
pub fn check_features(game: &Game, table: &Table) {
    let mut areas = table.areas();
    // What no expansion in play declares a kind for lies on its tile without being there.
    areas.retain(|area| segments(game, table, area).next().is_some());
    assert_eq!(game.state().features().count(), areas.len(), "number of features");
    let mut places: BTreeMap<FeatureId, &Area> = BTreeMap::new();
    for area in &areas {
        let ids: BTreeSet<FeatureId> =
            segments(game, table, area).map(|segment| game.state().feature_of(segment)).collect();
        assert_eq!(ids.len(), 1, "{} of {:?} is one feature", area.kind, area.parts);
        let feature = *ids.first().expect("there is one");
        assert!(places.insert(feature, area).is_none(), "{} of {:?} is a feature of its own", area.kind, area.parts);
        check_feature(game, table, area, feature);
    }
}

fn segments<'a>(game: &'a Game, table: &'a Table, area: &'a Area) -> impl Iterator<Item = SegmentId> + 'a {
    area.parts.iter().filter_map(|(tile, local)| {
        let id = TileId::from_index(*tile);
        let name = &table.tiles[*tile].spec.segments[*local].name;
        let def = game.rules().tile(game.state().tile(id).def);
        Some(game.state().segment_on(id, def.segment(name)?))
    })
}

fn check_feature(game: &Game, table: &Table, area: &Area, feature: FeatureId) {
    let (rules, state) = (game.rules(), game.state());
    let view = rules.feature_view(state, feature);
    let what = format!("{} of {:?}", area.kind, area.parts);
    assert_eq!(short(rules.feature_name(view.kind)), short(&area.kind), "kind of {what}");
    assert_eq!(view.size as usize, area.parts.len(), "segments of {what}");
    assert_eq!(usize::from(view.tiles), table.tiles_of(area).len(), "tiles of {what}");
    // Kinds of expansions may close otherwise, or never.
    if ["road", "city", "field", "monastery"].contains(&area.kind.as_str()) {
        assert_eq!(view.closed, table.is_closed(area), "closedness of {what}");
    }
    assert!(view.closed || !view.completed, "completed but open: {what}");
    for (mark, count) in &area.marks {
        if let Some(mark) = rules.mark_by_name(mark) {
            assert_eq!(rules.marks_of(state, feature, mark), *count, "symbols of {what}");
        }
    }
    let listed: BTreeSet<SegmentId> = features::segments(state, feature).collect();
    assert_eq!(listed, segments(game, table, area).collect(), "the ring of {what}");
    let here: BTreeSet<FigureId> = features::figures_of(state, feature).collect();
    let there = state.figures().filter(|(_, figure)| match figure.at {
        Anchor::Seat { segment, .. } => listed.contains(&segment),
        _ => false,
    });
    assert_eq!(here, there.map(|(id, _)| id).collect(), "figures of {what}");
}
