//! What libraries declare: their fields are TOML, their functions are numbered as those of scripts are.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use trencavel_abi::TrvHook;
use trencavel_rules::hooks::{Callback, ScriptFn};
use trencavel_rules::value::Value;
use trencavel_rules::words::DeclKind;

use super::calls::{self, Stage};
use super::{NativeHook, Plugin, problem};
use crate::diagnostic::Diagnostic;
use crate::lua::{Body, Context, DEPTH, Declaring, Misuse};
use crate::resolve::Resolved;

/// A declaration as a library wrote it.
pub(super) struct Spec<'a> {
    pub kind: &'a str,
    pub id: &'a str,
    pub fields: &'a str,
    /// File and line; an empty file if the library does not say.
    pub place: (&'a str, u32),
    pub functions: Vec<(&'a str, TrvHook)>,
}

/// An expansion whose library declares.
pub(super) struct Stand {
    declaring: Rc<Declaring>,
    /// Its place in canonical order.
    place: usize,
    owner: Rc<str>,
    options: BTreeMap<String, String>,
    /// What it may ask about, with the answer.
    others: Vec<(String, bool)>,
    /// Its manifest, where declarations stand that do not say where.
    manifest: Arc<str>,
}

impl Plugin {
    /// Lets the library declare its rules.
    ///
    /// # Errors
    /// If it fails, or declares something that cannot be.
    #[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
    pub fn declare(
        &self,
        one: &Resolved,
        place: usize,
        context: &Context,
        declaring: &Rc<Declaring>,
    ) -> Result<(), Diagnostic> {
        let stand = Stand {
            declaring: Rc::clone(declaring),
            place,
            owner: one.id().into(),
            options: one.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
            others: context.readers[place].others.clone(),
            manifest: one.found.manifest.file.path.display().to_string().into(),
        };
        let (outcome, _) = calls::make(self.declare, Stage::Declaring(stand));
        outcome.map_err(|misuse| {
            let failed = problem(one, "N007", format!("the native library of `{}`: {}", one.id(), misuse.message));
            Diagnostic { help: misuse.help, ..failed }
        })
    }
}

impl Stand {
    /// Takes a declaration.
    pub fn declare(&self, spec: &Spec<'_>) -> Result<(), Misuse> {
        let kind: DeclKind = spec.kind.parse().map_err(|_| {
            let known = DeclKind::ALL.iter().map(|kind| kind.word());
            Misuse::unknown(format!("there is no kind of declaration `{}`", spec.kind), spec.kind, known)
        })?;
        let place: (Arc<str>, u32) = match spec.place {
            ("", _) => (Arc::clone(&self.manifest), 1),
            (file, line) => (file.into(), line),
        };
        let written = Some((place.0.to_string(), place.1));
        let begun = self.declaring.begin(self.place, &self.owner, kind, spec.id.to_owned(), written)?;
        self.declaring.fill(&begun, |number| fields(spec, &place, number))
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Result<&str, Misuse> {
        self.options.get(name).map(String::as_str).ok_or_else(|| {
            let known = self.options.keys().map(String::as_str);
            Misuse::unknown(format!("the manifest has no option `{name}`"), name, known)
        })
    }

    /// Whether an expansion is in the game.
    pub fn active(&self, id: &str) -> Result<bool, Misuse> {
        self.others.iter().find(|(other, _)| other == id).map(|(_, active)| *active).ok_or_else(|| {
            let known = self.others.iter().map(|(other, _)| other.as_str());
            Misuse::unknown(format!("the manifest does not name `{id}`"), id, known)
        })
    }
}

/// The fields of a declaration, sorted by name as those of scripts are.
fn fields(
    spec: &Spec<'_>,
    place: &(Arc<str>, u32),
    number: &mut dyn FnMut(&str, Body) -> ScriptFn,
) -> Result<Value, Misuse> {
    let table: toml::Table = spec.fields.parse().map_err(|error: toml::de::Error| {
        Misuse::new(format!("its fields are no TOML: {}", error.message())).help("write a key and its value on a line")
    })?;
    let mut fields = named(table, "", DEPTH)?;
    for (field, run) in &spec.functions {
        if fields.iter().any(|(name, _)| **name == **field) {
            return Err(Misuse::new(format!("`{field}` is given twice")));
        }
        let hook = NativeHook { run: *run, place: place.clone() };
        let function = number(field, Body::Library(hook));
        fields.push(((*field).into(), Value::Function(Callback::Script(function))));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Value::Table(fields))
}

fn named(table: toml::Table, path: &str, depth: usize) -> Result<Vec<(Arc<str>, Value)>, Misuse> {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let mut fields: Vec<(Arc<str>, Value)> = table
        .into_iter()
        .map(|(key, value)| Ok((key.as_str().into(), converted(value, &inner(&key), depth - 1)?)))
        .collect::<Result<_, Misuse>>()?;
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(fields)
}

fn converted(value: toml::Value, path: &str, depth: usize) -> Result<Value, Misuse> {
    if depth == 0 {
        return Err(Misuse::new(format!("`{path}` holds more than {DEPTH} tables within tables")));
    }
    Ok(match value {
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Integer(number) => Value::Int(number),
        toml::Value::String(text) => Value::Text(text.into()),
        toml::Value::Array(items) => {
            let item = |(place, item)| converted(item, &format!("{path}[{place}]"), depth - 1);
            Value::List((1..).zip(items).map(item).collect::<Result<_, _>>()?)
        }
        toml::Value::Table(table) => Value::Table(named(table, path, depth)?),
        toml::Value::Float(number) => {
            return Err(Misuse::new(format!("`{path}` must be a whole number, not {number}"))
                .help("there are no fractions in rules; a rate takes `times = [1, 2]`"));
        }
        toml::Value::Datetime(date) => return Err(Misuse::new(format!("`{path}` cannot be the date {date}"))),
    })
}
