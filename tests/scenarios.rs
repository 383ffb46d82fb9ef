//! Every scenario of the workspace comes out as it says.

use std::path::PathBuf;

use trencavel_play::scenario;
use trencavel_tests::loading::{house_loader, loader};
use trencavel_tests::{files_below, root, short_path};

/// `*/tests/*.toml` below these folders.
fn scenarios_below(folders: &[&str]) -> Vec<PathBuf> {
    let files = folders.iter().flat_map(|folder| files_below(&root().join(folder), "toml"));
    files.filter(|path| path.parent().is_some_and(|folder| folder.ends_with("tests"))).collect()
}

/// Those of the expansions, and `tests/scenarios`.
fn scenario_files() -> Vec<PathBuf> {
    let mut found = scenarios_below(&["plugins", "scripts", "examples"]);
    found.extend(files_below(&root().join("tests/scenarios"), "toml"));
    found
}

#[test]
fn every_scenario_comes_out_as_it_says() {
    let files = scenario_files();
    let failures: Vec<String> = files
        .iter()
        .filter_map(|path| scenario::run_file(path, &loader).err())
        .map(|failure| failure.to_string())
        .collect();
    assert!(failures.is_empty(), "{} of {} scenarios:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn house_rules_lead_to_boards_that_no_expansion_leads_to() {
    let files = scenarios_below(&["tests/houses"]);
    assert!(!files.is_empty());
    for path in files {
        scenario::run_file(&path, &house_loader).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn every_scenario_is_named_after_its_rule() {
    for path in scenario_files() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let scenario = scenario::format::Scenario::parse(&text);
        let title = scenario.unwrap_or_else(|problems| panic!("{}: {problems:?}", short_path(&path))).title;
        let rule = title.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let named = stem == rule || stem.starts_with(&format!("{rule}-"));
        assert!(named, "{}: the title begins with {rule}", short_path(&path));
        // Short rules that are one sentence have two letters and no number.
        let numbered = rule.bytes().any(|byte| byte.is_ascii_digit()) || rule.len() == 2;
        assert!(numbered, "{}: {rule} is no rule's number", short_path(&path));
    }
}
