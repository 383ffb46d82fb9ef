//! From what a game asks for to the expansions it is played with: complete, compatible, ordered, every option filled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceFile, nearest};
use crate::game_file::{GameFile, Limits, OptionChoice, OrderRule, Switch};
use crate::library::{Found, Library, Notice};
use crate::lock::{ContentHash, Lock, LockEntry};
use crate::manifest::API;
use crate::options::{COPIES, OptionDecl, OptionText, OptionTextError, OptionValue, RawValue, quoted};

/// Every code of this file with its explanation for `trencavel explain CODE`.
pub const CODES: &[(&str, &str)] = &[
    (
        "M030",
        "An expansion requires another one that is nowhere on the search path. Install it, or leave out the expansion \
         that requires it.",
    ),
    ("M031", "An expansion requires another one that this game switches off."),
    (
        "M032",
        "An expansion was written for other versions of an expansion than the one that is installed. A version \
         beginning with another number may have other rules.",
    ),
    ("M033", "An expansion says that it cannot be played together with another one in this game."),
    (
        "M034",
        "Expansions require each other in a circle, so none of them could be first. What two expansions share belongs \
         in a third, or one of them names the other under `optional`.",
    ),
    (
        "M035",
        "Orders contradict each other: following them one after the other leads back to the beginning. Orders come \
         from `order` in manifests and from `orders` in the game file.",
    ),
    ("M036", "An expansion was written for another version of the scripting interface than this program speaks."),
    ("M037", "A box includes an expansion that is nowhere on the search path."),
    ("G020", "The game names an expansion that is nowhere on the search path."),
    ("G021", "The game sets an option that the expansion does not have."),
    (
        "G022",
        "The game sets an option of an expansion that is not switched on. It would do nothing, and somebody would \
         wonder why.",
    ),
    ("G023", "The game gives an option a value that it does not take."),
    ("G024", "An order of the game names an expansion that is nowhere on the search path."),
];

/// Where a wish stands, if it is in a file and not on the command line.
type Place = Option<(SourceFile, Range<usize>)>;

/// What a game asks for: a game file, then what the command line changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    wishes: BTreeMap<String, Wish>,
    orders: Vec<(OrderRule, Place)>,
    limits: Limits,
}

/// What is asked of one expansion.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wish {
    switch: Option<Switch>,
    copies: Option<u32>,
    options: Vec<OptionWish>,
    at: Place,
}

#[derive(Clone, Debug, PartialEq)]
struct OptionWish {
    name: String,
    value: Given,
    name_at: Place,
    at: Place,
}

#[derive(Clone, Debug, PartialEq)]
enum Given {
    Toml(RawValue),
    Text(String),
}

/// The expansions a game is played with.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// In canonical order: what manifests and the game file say, else by id.
    pub expansions: Vec<Resolved>,
    /// The orders the game file sets, sorted.
    pub orders: Vec<OrderRule>,
    /// The limits the game file sets.
    pub limits: Limits,
    /// What was switched on, or left off, without being asked for.
    pub notices: Vec<Notice>,
}

/// One expansion of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Its manifest and files.
    pub found: Arc<Found>,
    /// Every option it declares with its value.
    pub options: BTreeMap<String, OptionValue>,
    /// How many boxes of it are in the game, at least 1.
    pub copies: u32,
    /// The hash of everything in it that can change a game.
    pub hash: ContentHash,
}

impl Request {
    /// What a game file asks for.
    pub fn from_game(game: &GameFile) -> Self {
        let place = |span: &Range<usize>| Some((game.file.clone(), span.clone()));
        let mut request = Self::default();
        for choice in &game.expansions {
            let option = |option: &OptionChoice| OptionWish {
                name: option.name.clone(),
                value: Given::Toml(option.value.clone()),
                name_at: place(&option.name_span),
                at: place(&option.span),
            };
            let options = choice.options.iter().map(option).collect();
            let (switch, copies) = (Some(choice.switch), Some(choice.copies));
            request.wishes.insert(choice.id.clone(), Wish { switch, copies, options, at: place(&choice.span) });
        }
        request.limits = game.limits;
        request.orders = game.orders.iter().map(|order| (order.rule.clone(), place(&order.span))).collect();
        request
    }

    /// Sets the limits of the game.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Switches an expansion on (`--with`).
    pub fn with(&mut self, id: &str) {
        self.switch(id, Switch::On);
    }

    /// Switches an expansion off and forgets the options set for it (`--without`).
    pub fn without(&mut self, id: &str) {
        self.switch(id, Switch::Off);
        self.wish(id).options.clear();
    }

    /// Forgets every expansion but these and switches them on (`--only`); options set for them stay.
    pub fn only(&mut self, ids: &[&str]) {
        self.wishes.retain(|id, _| ids.contains(&id.as_str()));
        ids.iter().for_each(|id| self.with(id));
    }

    /// Sets an option from `expansion.option=value` (`--option`); a later one wins.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn option(&mut self, text: &str) -> Result<(), OptionTextError> {
        let OptionText { expansion, option: name, value } = text.parse()?;
        self.wish(&expansion).options.push(OptionWish { name, value: Given::Text(value), name_at: None, at: None });
        Ok(())
    }

    fn switch(&mut self, id: &str, switch: Switch) {
        let wish = self.wish(id);
        (wish.switch, wish.at) = (Some(switch), None);
    }

    fn wish(&mut self, id: &str) -> &mut Wish {
        self.wishes.entry(id.to_owned()).or_default()
    }

    fn is_off(&self, id: &str) -> bool {
        self.wishes.get(id).is_some_and(|wish| wish.switch == Some(Switch::Off))
    }
}

impl Resolved {
    /// The expansion's id.
    pub fn id(&self) -> &str {
        &self.found.manifest.id
    }
}

impl Resolution {
    /// The expansion of this id, if it is in the game.
    pub fn get(&self, id: &str) -> Option<&Resolved> {
        self.expansions.iter().find(|one| one.id() == id)
    }

    /// The lock that a save keeps.
    pub fn lock(&self) -> Lock {
        let orders = self.orders.iter().map(ToString::to_string).collect();
        Lock { entries: self.expansions.iter().map(lock_entry).collect(), orders, limits: self.limits }
    }
}

fn lock_entry(one: &Resolved) -> LockEntry {
    let mut options: BTreeMap<_, _> =
        one.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    if one.copies > 1 {
        options.insert(COPIES.to_owned(), one.copies.to_string());
    }
    let (id, version) = (one.id().to_owned(), one.found.manifest.version.clone());
    LockEntry { id, version, hash: one.hash, options: options.into_iter().collect() }
}

/// The hash of every file of an expansion that can change a game: not its tests, pictures or README.
pub fn content_hash(found: &Found) -> ContentHash {
    let aside = |name: &str| name.starts_with("tests/") || name.starts_with("art/");
    let counts = |name: &str| !aside(name) && !name.to_ascii_lowercase().starts_with("readme");
    let files = found.files.iter().filter(|(name, _)| counts(name));
    ContentHash::of(files.map(|(name, file)| (name.as_str(), &*file.text)))
}

/// Finds everything `request` needs in `library`, checks that it fits together, and puts it in canonical order. The
/// result depends on neither the order of the request nor that of the search path, beyond which of two expansions
/// with one id wins.
///
/// # Errors
/// Every problem found: in files, in the request, and between expansions.
pub fn resolve(request: &Request, library: &Library) -> Result<Resolution, Vec<Diagnostic>> {
    let mut resolver =
        Resolver { request, library, on: BTreeMap::new(), problems: Vec::new(), notices: BTreeSet::new() };
    resolver.switch_on();
    resolver.check_switched_off();
    resolver.check_relations();
    resolver.check_circles();
    resolver.check_orders();
    let order = resolver.canonical_order();
    let mut expansions = Vec::new();
    for id in order {
        let Some(found) = resolver.on.get(id).copied() else { continue };
        let options = resolver.options(found);
        let copies = request.wishes.get(id).and_then(|wish| wish.copies).unwrap_or(1);
        expansions.push(Resolved { options, copies, hash: content_hash(found), found: Arc::clone(found) });
    }
    resolver.check_idle_options();
    if !resolver.problems.is_empty() {
        // By place, as a reader goes through the files.
        let place = |problem: &Diagnostic| problem.at.as_ref().map(|(file, span)| (file.path.clone(), span.start));
        resolver.problems.sort_by_cached_key(place);
        return Err(resolver.problems);
    }
    let orders: BTreeSet<_> = request.orders.iter().map(|(order, _)| order.clone()).collect();
    Ok(Resolution {
        expansions,
        orders: orders.into_iter().collect(),
        limits: request.limits,
        notices: resolver.notices.into_iter().collect(),
    })
}

struct Resolver<'a> {
    request: &'a Request,
    library: &'a Library,
    on: BTreeMap<&'a str, &'a Arc<Found>>,
    problems: Vec<Diagnostic>,
    notices: BTreeSet<Notice>,
}

/// Why an expansion is looked for.
enum Reason<'a> {
    Implied,
    Asked(&'a Place),
    Required(&'a Found),
    Included(&'a Found),
}

/// That one expansion comes before another, and who says so.
struct Edge {
    by: String,
    at: Place,
}

type Edges<'a> = BTreeMap<(&'a str, &'a str), Edge>;

impl<'a> Resolver<'a> {
    /// Collects what is asked for and whatever that requires and includes.
    fn switch_on(&mut self) {
        let (request, library) = (self.request, self.library);
        let implied = library.implied().iter().filter(|id| !request.is_off(id));
        let mut open: BTreeMap<&str, Reason<'a>> = implied.map(|id| (id.as_str(), Reason::Implied)).collect();
        let asked = request.wishes.iter().filter(|(_, wish)| wish.switch == Some(Switch::On));
        open.extend(asked.map(|(id, wish)| (id.as_str(), Reason::Asked(&wish.at))));
        while let Some((id, reason)) = open.pop_first() {
            match library.get(id) {
                Some(found) => {
                    self.notice(id, &reason);
                    self.on.insert(&found.manifest.id, found);
                    self.check_api(found);
                    let needs = self.needs(found);
                    needs.into_iter().filter(|(id, _)| !self.on.contains_key(id)).for_each(|(id, reason)| {
                        open.entry(id).or_insert(reason);
                    });
                }
                None => self.missing(id, &reason),
            }
        }
    }

    /// What an expansion requires or includes; what the game switches off is a problem or a notice.
    fn needs(&mut self, found: &'a Found) -> Vec<(&'a str, Reason<'a>)> {
        let manifest = &found.manifest;
        let mut needs = Vec::new();
        for id in manifest.requires.keys() {
            if self.request.is_off(id) {
                let message = format!("`{}` requires `{id}`, which this game switches off", manifest.id);
                let help = format!("switch `{id}` on, or leave `{}` out", manifest.id);
                self.problems.push(manifest.problem("M031", &format!("requires.{id}"), message).help(help));
            } else {
                needs.push((id.as_str(), Reason::Required(found)));
            }
        }
        for id in &manifest.includes {
            if self.request.is_off(id) {
                self.notices.insert(Notice::new(format!("`{id}` stays off, although `{}` includes it", manifest.id)));
            } else {
                needs.push((id.as_str(), Reason::Included(found)));
            }
        }
        needs
    }

    fn notice(&mut self, id: &str, reason: &Reason<'_>) {
        let because = match reason {
            Reason::Implied | Reason::Asked(_) => return,
            Reason::Required(by) => format!("`{}` requires it", by.manifest.id),
            Reason::Included(by) => format!("`{}` includes it", by.manifest.id),
        };
        self.notices.insert(Notice::new(format!("`{id}` was switched on because {because}")));
    }

    fn missing(&mut self, id: &str, reason: &Reason<'_>) {
        if let Some(problems) = self.library.broken(id) {
            self.problems.extend_from_slice(problems);
            return;
        }
        let problem = match reason {
            Reason::Required(by) => {
                let message = format!("`{}` requires `{id}`, which is not installed", by.manifest.id);
                by.manifest.problem("M030", &format!("requires.{id}"), message)
            }
            Reason::Included(by) => {
                let message = format!("`{}` includes `{id}`, which is not installed", by.manifest.id);
                by.manifest.problem("M037", &format!("includes.{id}"), message)
            }
            Reason::Asked(at) => unknown("G020", id, at),
            Reason::Implied => unknown("G020", id, &None),
        };
        self.problems.push(problem.help(self.which_are_there(id)));
    }

    fn which_are_there(&self, id: &str) -> String {
        let near = self.library.nearest(id).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        format!("{near}`trencavel list` shows every expansion that is there")
    }

    fn check_api(&mut self, found: &Found) {
        let manifest = &found.manifest;
        if manifest.api != API {
            let message =
                format!("`{}` was written for interface {}, this program speaks {API}", manifest.id, manifest.api);
            let help = if manifest.api > API { "get a newer program" } else { "get a newer version of the expansion" };
            self.problems.push(manifest.problem("M036", "api", message).help(help));
        }
    }

    /// Even what is only switched off must exist: a misspelt name would switch nothing off.
    fn check_switched_off(&mut self) {
        let request = self.request;
        for (id, wish) in request.wishes.iter().filter(|(_, wish)| wish.switch == Some(Switch::Off)) {
            if !self.is_known(id) {
                self.problems.push(unknown("G020", id, &wish.at).help(self.which_are_there(id)));
            }
        }
    }

    fn is_known(&self, id: &str) -> bool {
        self.library.get(id).is_some() || self.library.broken(id).is_some()
    }

    fn check_relations(&mut self) {
        let on = self.on.clone();
        let mut told = BTreeSet::new();
        for manifest in on.values().map(|found| &found.manifest) {
            for (table, relations) in [("requires", &manifest.requires), ("optional", &manifest.optional)] {
                for (id, wanted) in relations {
                    let Some(other) = on.get(id.as_str()).map(|found| &found.manifest) else { continue };
                    if !wanted.matches(&other.version) {
                        let message = format!(
                            "`{}` works with version {} of `{id}`, but {} is installed",
                            manifest.id,
                            as_written(wanted),
                            other.version
                        );
                        let help = format!("get a version of either that fits, or leave out `{}`", manifest.id);
                        self.problems.push(manifest.problem("M032", &format!("{table}.{id}"), message).help(help));
                    }
                }
            }
            for (id, versions) in &manifest.conflicts {
                let Some(other) = on.get(id.as_str()).map(|found| &found.manifest) else { continue };
                let pair = if *id < manifest.id { (id, &manifest.id) } else { (&manifest.id, id) };
                if versions.matches(&other.version) && told.insert(pair) {
                    let message = format!("`{}` cannot be played with `{id}`", manifest.id);
                    let help = "leave one of the two out";
                    self.problems.push(manifest.problem("M033", &format!("conflicts.{id}"), message).help(help));
                }
            }
        }
    }

    fn check_circles(&mut self) {
        let on = &self.on;
        let mut edges = BTreeSet::new();
        for manifest in on.values().map(|found| &found.manifest) {
            edges.extend(manifest.requires.keys().map(|id| (id.as_str(), manifest.id.as_str())));
        }
        let Err(mut circle) = sorted(on.keys().copied().collect(), &edges) else { return };
        // Edges lead from what is required; the sentence goes the other way.
        circle[1..].reverse();
        let message = format!("expansions require each other in a circle: {}", arrows(&circle));
        let Some(manifest) = on.get(circle[0]).map(|found| &found.manifest) else { return };
        let key = format!("requires.{}", circle.get(1).unwrap_or(&circle[0]));
        let help = "name one of them under `optional` instead of `requires`";
        self.problems.push(manifest.problem("M034", &key, message).help(help));
    }

    /// Orders of the game file between expansions that are not there.
    fn check_orders(&mut self) {
        let request = self.request;
        for (order, at) in &request.orders {
            for id in order.expansions() {
                if !self.is_known(id) {
                    self.problems.push(unknown("G024", id, at).help(self.which_are_there(id)));
                } else if !self.on.contains_key(id) {
                    self.notices.insert(Notice::new(format!("the order \"{order}\" does nothing: `{id}` is off")));
                }
            }
        }
    }

    fn canonical_order(&mut self) -> Vec<&'a str> {
        let edges = self.edges();
        match sorted(self.on.keys().copied().collect(), &edges.keys().copied().collect()) {
            Ok(order) => order,
            Err(circle) => {
                self.problems.push(order_circle(&circle, &edges));
                self.on.keys().copied().collect()
            }
        }
    }

    /// Every order between two expansions of this game.
    fn edges(&self) -> Edges<'a> {
        let mut edges = Edges::new();
        let mut add = |first: &str, then: &str, edge: Edge| {
            if let (Some((first, _)), Some((then, _))) = (self.on.get_key_value(first), self.on.get_key_value(then)) {
                edges.entry((*first, *then)).or_insert(edge);
            }
        };
        for manifest in self.on.values().map(|found| &found.manifest) {
            let edge =
                |key: String| Edge { by: format!("`{}`", manifest.id), at: manifest.problem("M035", &key, "").at };
            manifest.order.after.iter().for_each(|id| add(id, &manifest.id, edge(format!("order.after.{id}"))));
            manifest.order.before.iter().for_each(|id| add(&manifest.id, id, edge(format!("order.before.{id}"))));
        }
        for (order, at) in self.request.orders.iter().filter(|(order, _)| order.is_between_expansions()) {
            add(&order.first, &order.then, Edge { by: "the game file".to_owned(), at: at.clone() });
        }
        edges
    }

    /// Every option of an expansion: as the request sets it, else by default.
    fn options(&mut self, found: &Found) -> BTreeMap<String, OptionValue> {
        let manifest = &found.manifest;
        let default = |option: &OptionDecl| (option.name.clone(), option.default.clone());
        let mut options: BTreeMap<_, _> = manifest.options.iter().map(default).collect();
        let request = self.request;
        for wish in request.wishes.get(&manifest.id).map_or(&[][..], |wish| &wish.options) {
            match value(found, wish) {
                Ok(value) => drop(options.insert(wish.name.clone(), value)),
                Err(problem) => self.problems.push(problem),
            }
        }
        options
    }

    /// Options set for expansions that nothing switches on.
    fn check_idle_options(&mut self) {
        let request = self.request;
        let idle =
            |(id, wish): &(&String, &Wish)| wish.switch != Some(Switch::On) && !self.on.contains_key(id.as_str());
        for (id, wish) in request.wishes.iter().filter(idle).collect::<Vec<_>>() {
            if !self.is_known(id) && !wish.options.is_empty() {
                self.problems.push(unknown("G020", id, &wish.at).help(self.which_are_there(id)));
                continue;
            }
            for option in &wish.options {
                let message = format!("`{id}.{}` is set, but `{id}` is not in this game", option.name);
                let help = format!("switch `{id}` on, or do not set its options");
                self.problems.push(placed(Diagnostic::new("G022", message), &option.name_at).help(help));
            }
        }
    }
}

#[expect(clippy::result_large_err, reason = "a problem ends the work; its size does not matter")]
fn value(found: &Found, wish: &OptionWish) -> Result<OptionValue, Diagnostic> {
    let (manifest, name) = (&found.manifest, &wish.name);
    let Some(option) = manifest.option(name) else {
        let names: Vec<_> = manifest.options.iter().map(|option| option.name.as_str()).collect();
        let near =
            nearest(name, names.iter().copied()).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let help = if names.is_empty() {
            "remove it: this expansion has no options".to_owned()
        } else {
            format!("{near}its options: {}", quoted(&names))
        };
        let message = format!("`{}` has no option `{name}`", manifest.id);
        return Err(placed(Diagnostic::new("G021", message), &wish.name_at).help(help));
    };
    let value = match &wish.value {
        Given::Toml(raw) => option.kind.value(raw),
        Given::Text(text) => option.kind.value_from_text(text),
    };
    value.map_err(|error| {
        let help = error.help().unwrap_or_else(|| like_default(option, &wish.value));
        placed(Diagnostic::new("G023", format!("`{}.{name}` {error}", manifest.id)), &wish.at).help(help)
    })
}

fn like_default(option: &OptionDecl, given: &Given) -> String {
    let example = match given {
        Given::Toml(_) => format!("{} = {}", option.name, option.default.to_toml()),
        Given::Text(_) => format!("{}={}", option.name, option.default),
    };
    format!("write it like the default, `{example}` ({})", option.text)
}

fn unknown(code: &'static str, id: &str, at: &Place) -> Diagnostic {
    placed(Diagnostic::new(code, format!("there is no expansion `{id}`")), at)
}

fn placed(problem: Diagnostic, at: &Place) -> Diagnostic {
    Diagnostic { at: at.clone(), ..problem }
}

fn order_circle(circle: &[&str], edges: &Edges<'_>) -> Diagnostic {
    let message = format!("each of these expansions should come before the next: {}", arrows(circle));
    let next = circle.iter().skip(1).chain(circle.first());
    let sides: Vec<_> =
        circle.iter().zip(next).filter_map(|(first, then)| Some((first, then, edges.get(&(*first, *then))?))).collect();
    let says = |(first, then, edge): &(&&str, &&str, &Edge)| format!("{} puts `{first}` before `{then}`", edge.by);
    let help = format!("drop one of these orders: {}", sides.iter().map(says).collect::<Vec<_>>().join(", "));
    let at = sides.first().and_then(|(_, _, edge)| edge.at.clone());
    placed(Diagnostic::new("M035", message), &at).help(help)
}

/// `^1` is what semver calls a plain `1`.
fn as_written(versions: &semver::VersionReq) -> String {
    versions.to_string().replace('^', "")
}

fn arrows(circle: &[&str]) -> String {
    let names: Vec<_> = circle.iter().chain(circle.first()).copied().collect();
    names.join(" → ")
}

/// The names with every edge's first before its second, else by name; or a circle, beginning with its smallest name.
fn sorted<'a>(
    mut names: BTreeSet<&'a str>,
    edges: &BTreeSet<(&'a str, &'a str)>,
) -> Result<Vec<&'a str>, Vec<&'a str>> {
    let mut order = Vec::new();
    while !names.is_empty() {
        let held_back = |name: &str| edges.iter().any(|(first, then)| *then == name && names.contains(first));
        match names.iter().copied().find(|name| !held_back(name)) {
            Some(free) => {
                names.remove(free);
                order.push(free);
            }
            None => return Err(circle(&names, edges)),
        }
    }
    Ok(order)
}

/// A circle among names each of which comes after another of them.
fn circle<'a>(names: &BTreeSet<&'a str>, edges: &BTreeSet<(&'a str, &'a str)>) -> Vec<&'a str> {
    let mut path: Vec<&str> = names.first().copied().into_iter().collect();
    loop {
        let last = path.last().copied().unwrap_or_default();
        let before =
            edges.iter().find(|(first, then)| *then == last && names.contains(first)).map_or(last, |(first, _)| first);
        if let Some(start) = path.iter().position(|name| *name == before) {
            path.drain(..start);
            break;
        }
        path.push(before);
    }
    path.reverse();
    let smallest = path.iter().enumerate().min_by_key(|(_, name)| **name).map_or(0, |(index, _)| index);
    path.rotate_left(smallest);
    path
}
