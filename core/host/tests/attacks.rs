//! Scripts that try to hang, kill, poison or escape the sandbox, each in a process of its own.
//!
//! The first line of each `attacks/*.lua` says what comes out: `-- expect: ok`, or a part of the fault's message. The
//! script's top level is the attack, or the function it returns. Afterwards the process must live, the same sandbox
//! must serve harmless scripts, old and new, and the memory must have stayed within bounds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use mlua::{Function, Table, Value, Variadic};
use trencavel_host::lua::limits::Limits;
use trencavel_host::lua::sandbox::{CallLabel, Chunk, LuaFault, Sandbox, host_error, integer};

const ATTACK: &str = "TRENCAVEL_ATTACK";
/// Even on a machine that is busy with other things.
const GUARD: Duration = Duration::from_secs(300);
const ATTACKER: CallLabel<'_> = CallLabel { expansion: "attacker", hook: "attack" };
const VICTIM: CallLabel<'_> = CallLabel { expansion: "victim", hook: "probe" };

/// What a harmless script relies on.
const PROBE: &str = r##"
local own = { 3, 1, 2 }
return function()
    local list = { 3, 1, 2 }
    table.sort(list)
    table.insert(list, 4)
    local seen = {}
    for name, value in pairs({ b = 2, a = 1 }) do seen[#seen + 1] = name .. value end
    local text = ("ab"):rep(2) .. string.format("%d", 7) .. tostring(true) .. table.concat(list, "") .. math.floor(2.5)
    assert(("x=1"):match("^(%a)=") == "x" and ("aXb"):gsub("X", "-") == "a-b" and ("abc"):find("c", 1, true) == 3)
    assert(#seen == 2 and select("#", unpack(list)) == 4 and tostring(list) == "table" and own[1] == 3)
    return text
end
"##;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks")
}

fn attacks() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of attacks");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "lua"));
    files.sort();
    files
}

#[test]
fn every_attack_is_contained() {
    let files = attacks();
    assert!(files.len() >= 60, "only {} attacks", files.len());
    let half = files.len() / 2;
    let (left, right) = files.split_at(half);
    let check = |part: &[PathBuf]| -> Vec<String> { part.iter().filter_map(|file| check_attack(file)).collect() };
    let failures = thread::scope(|scope| {
        let other = scope.spawn(|| check(left));
        let mut failures = check(right);
        failures.extend(other.join().expect("a runner"));
        failures
    });
    assert!(failures.is_empty(), "{} of {} attacks:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// Does nothing unless the test above has started it with the name of an attack.
#[test]
fn child() {
    if let Some(file) = std::env::var_os(ATTACK) {
        run_attack(Path::new(&file));
    }
}

fn check_attack(file: &Path) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "child", "--nocapture"]).env(ATTACK, file);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a child");
    wait(child).err().map(|problem| format!("{}: {problem}", file.file_name().unwrap_or_default().display()))
}

fn wait(mut child: Child) -> Result<(), String> {
    let start = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if start.elapsed() > GUARD {
            let _ = child.kill();
            let _ = child.wait();
            return Err("did not end".to_string());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() && String::from_utf8_lossy(&output.stdout).contains("1 passed") {
        return Ok(());
    }
    Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

fn run_attack(file: &Path) {
    let source = fs::read_to_string(file).expect("the attack");
    let expected =
        source.lines().next().and_then(|line| line.strip_prefix("-- expect: ")).expect("an expectation").trim();
    // What counting stops is not to be stopped by the clock first, busy as the machine may be.
    let limits = Limits { wall_ms: 60_000, ..Limits::default() };
    let sandbox = Rc::new(Sandbox::new(limits).expect("a sandbox"));
    let old = load_probe(&sandbox, "victim");
    let healthy = probe(&sandbox, &old);
    let found = attack(&sandbox, file, &source);
    let said = found.as_ref().map_or_else(LuaFault::to_string, |()| "ok".to_string());
    assert!(said.contains(expected), "expected `{expected}`, found `{said}`");
    assert!(said.len() < 4_000 && !said.contains("0x"), "an address or a flood: {said}");
    assert_eq!(probe(&sandbox, &old), healthy, "the old script is affected");
    assert_eq!(probe(&sandbox, &load_probe(&sandbox, "later")), healthy, "a new script is affected");
    check_memory();
}

fn attack(sandbox: &Rc<Sandbox>, file: &Path, source: &str) -> Result<(), LuaFault> {
    let name = format!("scripts/attacker/{}", file.file_name().unwrap_or_default().display());
    let chunk = Chunk { name, source: source.to_string() };
    let api = host_functions(sandbox).expect("the host's functions");
    let value = sandbox.load("attacker", &chunk, &[("host", Value::Table(api))], modules)?;
    match value {
        Value::Function(function) => sandbox.call(&function, (), ATTACKER),
        _ => Ok(()),
    }
}

fn modules(path: &str) -> Option<Chunk> {
    let source = match path {
        "list" => "return { 1, 2, { 3 } }",
        "first" => "return require './second'",
        "second" => "return require './first'",
        "broken" => "return }",
        "endless" => "while true do end",
        _ => return None,
    };
    Some(Chunk { name: format!("scripts/attacker/{path}.lua"), source: source.to_string() })
}

/// What a careless host might offer.
fn host_functions(sandbox: &Rc<Sandbox>) -> mlua::Result<Table> {
    let lua = sandbox.lua();
    let api = lua.create_table()?;
    api.set("integer", lua.create_function(|_, value: Value| integer(&value).map_err(mlua::Error::external))?)?;
    api.set("refuse", lua.create_function(|_, ()| -> mlua::Result<()> { Err(host_error(std::fmt::Error)) })?)?;
    api.set("small", lua.create_function(|_, value: u8| Ok(value))?)?;
    api.set("panic", lua.create_function(|_, ()| -> mlua::Result<()> { panic!("a bug below the script") })?)?;
    api.set("echo", lua.create_function(|_, values: Variadic<Value>| Ok(values))?)?;
    api.set("raw_call", lua.create_function(|_, (function, depth): (Function, Value)| function.call::<Value>(depth))?)?;
    let swallow = |_: &_, function: Function| Ok(function.call::<Value>(()).is_ok());
    api.set("swallow", lua.create_function(swallow)?)?;
    let inner = Rc::downgrade(sandbox);
    let nested = move |_: &_, function: Function| {
        let sandbox = inner.upgrade().expect("the sandbox that runs");
        sandbox
            .call::<Value>(&function, (), CallLabel { expansion: "attacker", hook: "nested" })
            .map_err(mlua::Error::external)
    };
    api.set("call", lua.create_function(nested)?)?;
    Ok(api)
}

fn load_probe(sandbox: &Sandbox, expansion: &str) -> Function {
    let chunk = Chunk { name: format!("scripts/{expansion}/rules.lua"), source: PROBE.to_string() };
    let value = sandbox.load(expansion, &chunk, &[], |_| None).expect("the probe loads");
    value.as_function().expect("the probe is a function").clone()
}

fn probe(sandbox: &Sandbox, function: &Function) -> String {
    sandbox.call(function, (), VICTIM).expect("the probe runs")
}

/// Peak memory, where the system tells.
fn check_memory() {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(peak.unwrap_or(0) < 200_000, "{peak:?} KiB");
}

#[test]
fn faults_name_file_line_and_calls() {
    let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
    let source =
        "local function inner(n)\n    return n.missing.field\nend\nreturn function()\n    return inner({})\nend";
    let chunk = Chunk { name: "scripts/constable/rules.lua".to_string(), source: source.to_string() };
    let hook = sandbox.load("constable", &chunk, &[], |_| None).expect("loads");
    let hook = hook.as_function().expect("a function");
    let fault = sandbox.call::<()>(hook, (), CallLabel { expansion: "constable", hook: "rate" }).expect_err("fails");
    assert_eq!((fault.file(), fault.line()), (Some("scripts/constable/rules.lua"), Some(2)));
    assert!(fault.to_string().starts_with("scripts/constable/rules.lua:2: attempt to index nil"), "{fault}");
    assert!(fault.traceback().contains("scripts/constable/rules.lua:5:"), "{}", fault.traceback());
    assert_eq!(fault.site().map(|site| site.hook.as_str()), Some("rate"));
}

#[test]
fn a_result_of_the_wrong_type_names_the_function() {
    let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
    let chunk = Chunk { name: "scripts/inn/rules.lua".into(), source: "\nreturn function() return {} end".into() };
    let hook = sandbox.load("inn", &chunk, &[], |_| None).expect("loads");
    let fault = sandbox.call::<i64>(hook.as_function().expect("a function"), (), VICTIM).expect_err("not a number");
    assert_eq!((fault.file(), fault.line()), (Some("scripts/inn/rules.lua"), Some(2)));
}

#[test]
fn scripts_run_in_calls_only() {
    let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
    let function = load_probe(&sandbox, "victim");
    assert!(function.call::<Value>(()).is_err());
    assert_eq!(probe(&sandbox, &function), "abab7true12342");
}

#[test]
fn ticks_are_the_same_in_every_vm() {
    let ticks = || {
        let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
        let function = load_probe(&sandbox, "victim");
        probe(&sandbox, &function);
        sandbox.ticks_used()
    };
    assert_eq!(ticks(), ticks());
}

#[test]
fn files_of_an_expansion_are_found_once_and_frozen() {
    let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
    let source = "local a, b = require './list', require './list'\nreturn { same = a == b, list = a }";
    let chunk = Chunk { name: "scripts/inn/rules.lua".into(), source: source.into() };
    let value = sandbox.load("inn", &chunk, &[], modules).expect("loads");
    let table = value.as_table().expect("a table");
    let inner: Table = table.get::<Table>("list").and_then(|list| list.get(3)).expect("the inner list");
    assert!(table.get::<bool>("same").expect("a flag") && table.is_readonly() && inner.is_readonly());
}

#[test]
fn integers_only() {
    for (value, expected) in [
        (Value::Integer(3), Some(3)),
        (Value::Number(-0.0), Some(0)),
        (Value::Number(9_007_199_254_740_992.0), Some(1 << 53)),
        (Value::Integer((1 << 53) + 1), None),
        (Value::Integer(i64::MIN + 1), None),
        (Value::Number(9_007_199_254_740_994.0), None),
        (Value::Number(0.5), None),
        (Value::Number(f64::NAN), None),
        (Value::Number(f64::INFINITY), None),
        (Value::Boolean(true), None),
        (Value::Nil, None),
    ] {
        assert_eq!(integer(&value).ok(), expected, "{value:?}");
    }
}

#[test]
fn a_sandbox_without_memory_is_a_fault() {
    let tiny = Limits { memory_bytes: 1 << 10, ..Limits::default() };
    let outcome = Sandbox::new(tiny).map(|sandbox| {
        let chunk = Chunk { name: "a.lua".into(), source: "return {}".into() };
        sandbox.load("a", &chunk, &[], |_| None).map(drop)
    });
    assert!(matches!(outcome, Err(_) | Ok(Err(_))));
}

#[test]
fn names_of_the_library_cannot_be_taken() {
    let sandbox = Sandbox::new(Limits::default()).expect("a sandbox");
    let chunk = Chunk { name: "a.lua".into(), source: String::new() };
    for name in ["pairs", "require", "table"] {
        let fault = sandbox.load("a", &chunk, &[(name, Value::Nil)], |_| None).expect_err("taken");
        assert!(matches!(fault, LuaFault::Setup { .. }), "{fault}");
    }
}
