//! What the syntax check refuses, what it lets pass, and that no script brings it down.

use std::path::{Path, PathBuf};

use trencavel_host::diagnostic::{Diagnostic, SourceFile};
use trencavel_host::syntax::check;

fn problems(script: &str) -> Vec<Diagnostic> {
    check([&SourceFile { path: "mill/rules.lua".into(), text: script.into() }])
}

/// `CODE:LINE` of every problem.
fn places(script: &str) -> Vec<String> {
    problems(script).iter().map(|problem| format!("{}:{}", problem.code, problem.line().unwrap_or(0))).collect()
}

#[test]
fn memories_are_refused() {
    let check = |script: &str, expected: &[&str]| assert_eq!(places(script), expected, "{script}");
    check("local n = 0\nreturn function() n = n + 1 end", &["L009:2"]);
    check("local n = 0\nlocal function f() n = 1 end", &["L009:2"]);
    check("local n = 0\nfunction f() n += 1 end", &["L009:2"]);
    check("local a, b\nlocal f = function() a, b = 1, 2 end", &["L009:2", "L009:2"]);
    check("local f\nlocal g = function() function f() end end", &["L009:2"]);
    check("local n\nlocal t = { run = function() if true then n = 1 end end }", &["L009:2"]);
    check("local function make()\n local n = 0\n return function() n = n + 1 return n end\nend", &["L009:3"]);
    check("local function make(n)\n return function() n = n + 1 end\nend", &["L009:2"]);
    check("for i = 1, 3 do\n f(function() i = 2 end)\nend", &["L009:2"]);
    check("for i in pairs(t) do\n f(function() i = 2 end)\nend", &["L009:2"]);
    check("repeat\n local n = 0\nuntil f(function() n = 1 end)", &["L009:3"]);
    check("local n = 0\nlocal m = (function() n = 1 return 2 end)()", &["L009:2"]);
    check("local n = 0\nlocal s = `{(function() n = 1 return 2 end)()}`", &["L009:2"]);
    check("local n = 0\nf { [function() n = 1 end] = 1 }", &["L009:2"]);
    check("local n = 0\nf(if a then function() n = 1 end else nil)", &["L009:2"]);
    check("local self\nlocal t = {}\nfunction t.f() self = 1 end", &["L009:3"]);
    check("local n = 0\nrules.when(\"a\", function()\n f(function() n = 1 end)\nend)", &["L009:3"]);
    check("rules.when(\"a\", function()\n local n = 0\n f(function() n = 1 end)\nend)", &["L009:3"]);
    check("local n = 0\nother.when(\"a\", function() n = 1 end)", &["L009:2"]);
    check("local n = 0\nrules.when(function() n = 1 end)", &["L009:2"]);
    check("local n, rules = 0, {}\nrules.when(\"a\", function() n = 1 end)", &["L009:2"]);
    check("local t = {}\nlocal f = function() t.x = 1 end", &["L010:2"]);
    check("local t = {}\nlocal f = function() t.x.y[3] = 1 end", &["L010:2"]);
    check("local t = {}\nlocal f = function() (t).x = 1 end", &["L010:2"]);
    check("local t = {}\nlocal f = function() (t.x).y = 1 end", &["L010:2"]);
    check("local t = {}\nlocal f = function() t.n += 1 end", &["L010:2"]);
    check("local t = {}\nlocal f = function() function t.g() end function t:h() end end", &["L010:2", "L010:2"]);
    check("local t = {}\nlocal f = function() t:get().x = 1 end", &["L010:2"]);
}

#[test]
fn loops_over_bare_tables_are_refused() {
    for head in ["t", "t.x", "{ 1, 2 }", "(t)", "t, 1", "x.next, t", "t[1]", "t :: any"] {
        assert_eq!(places(&format!("local t = {{}}\nfor k in {head} do end")), ["L011:2"], "{head}");
    }
    for head in ["pairs(t)", "ipairs(t)", "sorted_pairs(t)", "next, t", "f:figures()", "(f())", "(\"a\"):gmatch(\"a\")"]
    {
        assert!(places(&format!("local t, f = {{}}\nfor k in {head} do end")).is_empty(), "{head}");
    }
}

#[test]
fn functions_may_use_what_is_their_own() {
    for script in [
        "local n = 0\nn = n + 1",
        "local n = 0\nif true then n = 1 end",
        "local f = function() local n = 0 n = n + 1 end",
        "local f = function(n) n = n + 1 end",
        "local n = 0\nlocal f = function() local n = n n = n + 1 end",
        "local f = function() local n for i = 1, 3 do n = i end end",
        "local f = function() for i = 1, 3 do i = 2 end end",
        "local f = function() local t = {} t.x = 1 each(function(y) t[y] = 1 end) end",
        "local t = {}\nt.x = 1\nfunction t.f() end\nfunction t:g() self = nil end",
        "local n, t = 0, {}\nrules.when(\"a\", function() n = 1 t.x = 1 end)\nn = 2",
        "local function f() return f end",
        "local f = function() repeat local n = 0 until (function() local n n = 1 end)() end",
    ] {
        assert!(problems(script).is_empty(), "{script}: {}", problems(script)[0]);
    }
}

#[test]
fn a_slip_does_not_hide_those_after_it() {
    assert_eq!(places("this is no lua"), ["L001:1"]);
    let script = "rules.mark \"a\" { on = = \"road\" }\nlocal function f()\n  if x the\nend\n\n\
                  rules.mark \"b\" { on = \"road\" }\nrules.offer \"c\" { at = , }\nlocal n = 1\n";
    assert_eq!(places(script), ["L001:1", "L001:3", "L001:7"]);
    // What is never closed is one slip, wherever it is noticed.
    assert_eq!(places("local t = {\n  a = 1,\n").len(), 1);
    assert_eq!(places("rules.react \"a\" { run = function()\n  local x = 1\n}\nlocal n = 1\n").len(), 1);
}

#[test]
fn the_place_is_the_name() {
    let problem = problems("local n = 0 -- ü\r\nlocal f = function() n = 1 end").pop().expect("a problem");
    let (file, span) = problem.at.clone().expect("a place");
    assert_eq!((&file.text[span], problem.line()), ("n", Some(2)));
}

/// Nested as deep as the compiler allows, or deeper: then the compiler refuses it, and there is nothing to check.
#[test]
fn deep_scripts_do_not_end_the_process() {
    // What is too deep for the compiler is no script.
    let passes = |script: &str| places(script).iter().all(|place| place.starts_with("L001"));
    for depth in [100, 190, 240, 900, 100_000] {
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("{", "", "}"),
            ("-", "1", ""),
            ("1 + ", "1", ""),
            ("a .. ", "a", ""),
            ("f(", "", ")"),
            ("function() return ", "1", " end"),
            ("if a then 1 else ", "1", ""),
            ("t[", "1", "]"),
            ("2 ^ ", "2", ""),
        ] {
            let script = format!("return {}{middle}{}", open.repeat(depth), close.repeat(depth));
            assert!(passes(&script), "{depth} × {open}");
        }
        for (open, close) in
            [("do ", " end"), ("if a then ", " end"), ("for i = 1, 2 do ", " end"), ("repeat ", " until a")]
        {
            let script = format!("{}{}", open.repeat(depth), close.repeat(depth));
            assert!(passes(&script), "{depth} × {open}");
        }
        let chain = format!("if a then {} end", "elseif a then ".repeat(depth));
        assert!(passes(&chain));
        let calls = format!("f{}", "()".repeat(depth));
        assert!(passes(&calls));
    }
}

fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|end| end == "lua") {
            found.push(path);
        }
    }
}

#[test]
fn every_script_of_the_workspace_passes() {
    let mut paths = Vec::new();
    scripts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts"), &mut paths);
    assert!(paths.len() > 20);
    let read = |path: PathBuf| SourceFile { text: std::fs::read_to_string(&path).expect("a text").into(), path };
    let files: Vec<SourceFile> = paths.into_iter().map(read).collect();
    let problems: Vec<String> = check(&files).iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
