//! The pictures of expansions, and files that drawings are written to.

use std::fs;
use std::path::Path;

use trencavel_host::diagnostic::Diagnostic;
use trencavel_host::library::Library;
use trencavel_rules::Ruleset;
use trencavel_view::art::{Gallery, Picture};

use crate::failure::Failure;

/// The folder of an expansion in which its pictures are.
const FOLDER: &str = "art/";

/// The pictures of the expansions of a game: `art/NAME.svg` shows what the expansion calls `NAME`.
pub(crate) fn gallery(library: &Library, rules: &Ruleset) -> Result<Gallery, Failure> {
    let (mut gallery, mut problems) = (Gallery::default(), Vec::new());
    let found = rules.expansions().iter().filter_map(|expansion| library.get(&expansion.id));
    for expansion in found {
        for (path, file) in &expansion.files {
            let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".svg"));
            let Some(name) = name else { continue };
            match Picture::parse(&file.text) {
                Ok(picture) => gallery.add(format!("{}:{name}", expansion.manifest.id), picture),
                Err(error) => {
                    problems.push(Diagnostic::new("C010", format!("the picture {} {error}", file.path.display())));
                }
            }
        }
    }
    if problems.is_empty() { Ok(gallery) } else { Err(Failure::Problems(problems)) }
}

/// Writes a file that was asked for.
pub(crate) fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(file, bytes).map_err(|error| {
        let message = format!("{} cannot be written: {error}", file.display());
        Failure::usage(message, "name a file in a folder that you may write to")
    })
}

#[cfg(test)]
mod tests {
    use trencavel_host::resolve::Request;
    use trencavel_rules::words::DeclKind;

    use super::*;
    use crate::search::Search;
    use crate::setup;

    #[test]
    fn every_piece_symbol_and_point_of_every_bundled_expansion_has_a_picture() {
        let library = Search::default().library().expect("the library");
        let mut missing = Vec::new();
        for expansion in library.iter() {
            let mut request = Request::default();
            request.with(&expansion.manifest.id);
            let rules = setup::load_from(&request, &Search::default()).expect("rules").rules;
            let gallery = gallery(&library, &rules).expect("pictures");
            // What is only set in play, and not printed, is told in words.
            let printed = |mark: &str| {
                let mark = rules.mark_by_name(mark);
                let marks = rules.tiles().flat_map(|(_, tile)| {
                    tile.marks.iter().chain(tile.segments.iter().flat_map(|segment| &segment.marks))
                });
                marks.into_iter().any(|(other, _)| Some(*other) == mark)
            };
            let seen = |kind: DeclKind, name: &str| match kind {
                DeclKind::Figure | DeclKind::Neutral => true,
                DeclKind::Mark => printed(name),
                _ => false,
            };
            let declared =
                rules.hooks().filter(|(_, hook)| seen(hook.kind, &hook.name)).map(|(_, hook)| hook.name.clone());
            let segments = || rules.tiles().flat_map(|(_, tile)| &tile.segments);
            let reaches =
                |kind| segments().any(|one| one.kind == kind && !(one.sides.is_empty() && one.halves.is_empty()));
            let points = segments().filter(|one| !reaches(one.kind)).map(|one| rules.feature_name(one.kind).into());
            missing.extend(declared.chain(points).filter(|name| gallery.get(name).is_none()));
        }
        missing.sort();
        missing.dedup();
        assert!(missing.is_empty(), "no art/NAME.svg for {missing:?}");
    }
}
