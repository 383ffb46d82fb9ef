//! The C ABI between the program and native expansions: plain types, a version, and a table of functions.
//!
//! A library exports one symbol, the constant [`SYMBOL`] of type [`TrvPlugin`]. Its version is read before anything in
//! the library is called. Then [`TrvPlugin::declare`] declares rules through [`TrvHost`], as a script would; functions
//! of declarations are called with the same table. Nothing is allocated on one side and freed on the other, no panic
//! crosses, and a [`TrvCall`] is a number that the host no longer knows when the call is over.
//!
//! C expansions include `include/trencavel.h`, which is made from this file. Rust expansions use [`sdk`]:
//!
//! ```
//! use trencavel_abi::sdk::{Declaring, Failed, Hook};
//!
//! fn declare(rules: &Declaring<'_>) -> Result<(), Failed> {
//!     rules.declare("mark", "lamp", "on = 'road'", &[])?;
//!     rules.declare("items", "lamps", "of = 'road'\nunit = 2", &[("count", trencavel_abi::hook!(lamps))])
//! }
//!
//! fn lamps(hook: &Hook<'_>) -> Result<(), Failed> {
//!     let road = hook.feature()?;
//!     hook.answer(hook.marks(road, "lamp")?)
//! }
//!
//! trencavel_abi::plugin!(declare);
//! # fn main() {}
//! ```

#![expect(
    unsafe_code,
    reason = "a C ABI hands over raw pointers; this crate is one of the places where that is allowed"
)]

pub mod sdk;

/// The name of the symbol every library exports.
pub const SYMBOL: &str = "trencavel_plugin";

/// The first field of every `TrvPlugin`; "TRVL" in ASCII.
pub const TRV_MAGIC: u32 = 0x5452_564C;
/// Libraries of another major version are refused.
pub const TRV_ABI_MAJOR: u32 = 1;
/// Libraries of a higher minor version are refused; structs only grow at their ends.
pub const TRV_ABI_MINOR: u32 = 0;

/// How a call went; one of the values below.
pub type TrvStatus = i32;
/// It is done.
pub const TRV_OK: TrvStatus = 0;
/// It failed. The host knows why, from itself or from `fail`, and takes the player's decision back.
pub const TRV_ERROR: TrvStatus = 1;
/// The function panicked, and a guard caught it.
pub const TRV_PANICKED: TrvStatus = 2;

/// A running call, as the host numbers it; it means nothing to the library, and nothing at all when the call is over.
pub type TrvCall = u64;

/// What a `TrvThing` is.
pub type TrvKind = u32;
/// Nothing; for functions that ask something of a thing, the call itself.
pub const TRV_NOTHING: TrvKind = 0;
/// A player, by number from 1.
pub const TRV_PLAYER: TrvKind = 1;
/// A feature.
pub const TRV_FEATURE: TrvKind = 2;
/// A figure.
pub const TRV_FIGURE: TrvKind = 3;
/// A tile on the table.
pub const TRV_TILE: TrvKind = 4;
/// A segment of a tile on the table.
pub const TRV_SEGMENT: TrvKind = 5;
/// A space: `id` is the column (east), `y` the row (south).
pub const TRV_SPACE: TrvKind = 6;
/// A whole number.
pub const TRV_NUMBER: TrvKind = 7;
/// A word: as an answer by its place in the declared list, from 0; as a field by the text beside it.
pub const TRV_WORD: TrvKind = 8;
/// Only asked for: what a player chose, in `run` of an `offer` or a `resolve`.
pub const TRV_ANSWER: TrvKind = 9;

/// What `number` and `word` can be asked for.
pub type TrvAspect = u32;
/// Number of distinct tiles of a feature.
pub const TRV_TILES: TrvAspect = 1;
/// Number of segments of a feature.
pub const TRV_SIZE: TrvAspect = 2;
/// 1 if a feature has no open sides, ends or spaces around, else 0.
pub const TRV_CLOSED: TrvAspect = 3;
/// 1 if a feature is completed, else 0.
pub const TRV_COMPLETED: TrvAspect = 4;
/// Column of a tile; of the call, where a tile is about to be placed. The next two likewise.
pub const TRV_X: TrvAspect = 5;
/// Row of a tile.
pub const TRV_Y: TrvAspect = 6;
/// Quarter turns of a tile, clockwise.
pub const TRV_ROTATION: TrvAspect = 7;
/// Points of a player.
pub const TRV_SCORE: TrvAspect = 8;
/// Of the call: points of the event or intent it is about, or how many.
pub const TRV_AMOUNT: TrvAspect = 9;
/// Of the call: number of players.
pub const TRV_PLAYERS: TrvAspect = 10;
/// Of the call: the first of the four numbers of `ask`; the others follow.
pub const TRV_DATA: TrvAspect = 16;
/// As a word: the kind of a feature or figure, the design of a tile; of the call, its event or verb.
pub const TRV_KIND_WORD: TrvAspect = 32;
/// As a word, of the call: why it happens; empty if for no particular reason.
pub const TRV_CAUSE_WORD: TrvAspect = 33;

/// Text in UTF-8, lent: valid until the call it was given in is over. Without an end mark.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvText {
    /// The first byte; may be null if there is none.
    pub bytes: *const u8,
    /// How many bytes.
    pub length: usize,
}

/// Something of the game, or nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrvThing {
    /// What it is.
    pub kind: TrvKind,
    /// Which one, or the number itself.
    pub id: i32,
    /// The row of a space; 0 otherwise.
    pub y: i32,
}

/// A field of what is emitted, by the names of `scripts/HOOKS.md`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvField {
    /// The name of the field.
    pub name: TrvText,
    /// Its value.
    pub value: TrvThing,
    /// Its value if it is a `TRV_WORD`.
    pub word: TrvText,
}

/// A function of a declaration.
pub type TrvHook = unsafe extern "C" fn(host: *const TrvHost, call: TrvCall) -> TrvStatus;

/// A field of a declaration that is a function. Never changes its size within a major version.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvFunction {
    /// The name of the field: `count`, `run`, `test`, …
    pub field: TrvText,
    /// The function; null is refused.
    pub run: Option<unsafe extern "C" fn(host: *const TrvHost, call: TrvCall) -> TrvStatus>,
}

/// What a library declares: `rules.kind "id" { … }` of a script.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvDeclaration {
    /// Size of this struct.
    pub size: u32,
    /// Line of the file it stands on, from 1; the ledger shows it.
    pub line: u32,
    /// The file it stands in.
    pub file: TrvText,
    /// What is declared: `items`, `forbid`, …
    pub kind: TrvText,
    /// Its id.
    pub id: TrvText,
    /// Its fields as TOML.
    pub fields: TrvText,
    /// Fields that are functions; may be null if there are none.
    pub functions: *const TrvFunction,
    /// How many.
    pub function_count: usize,
}

/// What the host does for a library. Every function gives `TRV_OK`, or `TRV_ERROR` if it refuses; the host then knows
/// why, and the call it was made in fails whatever it gives back. Null where something is needed is refused.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvHost {
    /// Size of this struct: later minor versions have more functions at its end.
    pub size: u32,
    /// `TRV_ABI_MAJOR` of the host.
    pub abi_major: u32,
    /// `TRV_ABI_MINOR` of the host.
    pub abi_minor: u32,
    /// 0.
    pub reserved: u32,
    /// In `declare` only: declares something.
    pub declare: unsafe extern "C" fn(call: TrvCall, declaration: *const TrvDeclaration) -> TrvStatus,
    /// In `declare` only: the value of an option of the manifest, as text.
    pub option: unsafe extern "C" fn(call: TrvCall, name: TrvText, out: *mut TrvText) -> TrvStatus,
    /// In `declare` only: 1 if this expansion is in the game, else 0. It must be named in the manifest.
    pub active: unsafe extern "C" fn(call: TrvCall, expansion: TrvText, out: *mut i64) -> TrvStatus,
    /// The thing of this kind that `of` belongs to: the player, feature or tile of a figure, the feature or tile of a
    /// segment, whatever the call is about. `TRV_NOTHING` if there is none.
    pub thing: unsafe extern "C" fn(call: TrvCall, of: TrvThing, kind: TrvKind, out: *mut TrvThing) -> TrvStatus,
    /// A number of a thing.
    pub number: unsafe extern "C" fn(call: TrvCall, of: TrvThing, aspect: TrvAspect, out: *mut i64) -> TrvStatus,
    /// A word of a thing.
    pub word: unsafe extern "C" fn(call: TrvCall, of: TrvThing, aspect: TrvAspect, out: *mut TrvText) -> TrvStatus,
    /// How often a mark is on a feature.
    pub marks: unsafe extern "C" fn(call: TrvCall, feature: TrvThing, mark: TrvText, out: *mut i64) -> TrvStatus,
    /// How many tokens of a kind a player, a tile or (`TRV_NOTHING`) the table has.
    pub tokens: unsafe extern "C" fn(call: TrvCall, place: TrvThing, token: TrvText, out: *mut i64) -> TrvStatus,
    /// The figures of a feature, or (`TRV_NOTHING`) of the board, in canonical order. Writes at most `room` of them
    /// and says how many there are.
    pub figures: unsafe extern "C" fn(
        call: TrvCall,
        feature: TrvThing,
        out: *mut TrvThing,
        room: usize,
        count: *mut usize,
    ) -> TrvStatus,
    /// The answer of `count`, or of `test` (0 or 1).
    pub answer: unsafe extern "C" fn(call: TrvCall, number: i64) -> TrvStatus,
    /// The answer of `say`.
    pub answer_text: unsafe extern "C" fn(call: TrvCall, sentence: TrvText) -> TrvStatus,
    /// Counts something, in `items` of an `award`.
    pub add: unsafe extern "C" fn(call: TrvCall, label: TrvText, count: i64, unit: i64) -> TrvStatus,
    /// Offers an option, in `options`.
    pub offer: unsafe extern "C" fn(call: TrvCall, option: TrvThing) -> TrvStatus,
    /// The intent does not happen, in `run` of a `replace`.
    pub cancel: unsafe extern "C" fn(call: TrvCall) -> TrvStatus,
    /// Asks for something to happen, in `run`. The verb must be among the `emits` of the declaration.
    pub emit:
        unsafe extern "C" fn(call: TrvCall, verb: TrvText, fields: *const TrvField, field_count: usize) -> TrvStatus,
    /// Asks a player, in `run`: `resolve` takes the answer. `data` are four numbers for it, or null.
    pub ask: unsafe extern "C" fn(call: TrvCall, resolve: TrvText, player: TrvThing, data: *const i32) -> TrvStatus,
    /// The call fails, for this reason.
    pub fail: unsafe extern "C" fn(call: TrvCall, reason: TrvText) -> TrvStatus,
}

/// What a library exports under the name `trencavel_plugin`: a constant, so that nothing is called before it is known
/// to fit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TrvPlugin {
    /// `TRV_MAGIC`.
    pub magic: u32,
    /// Size of this struct.
    pub size: u32,
    /// `TRV_ABI_MAJOR` of the header it was made with.
    pub abi_major: u32,
    /// `TRV_ABI_MINOR` of the header it was made with.
    pub abi_minor: u32,
    /// Declares its rules. Called once for each VM, before any function of a declaration, and declares the same for the
    /// same options and expansions.
    pub declare: Option<unsafe extern "C" fn(host: *const TrvHost, call: TrvCall) -> TrvStatus>,
}

impl TrvThing {
    /// Nothing; the call itself where something is asked of a thing.
    pub const NOTHING: Self = Self { kind: TRV_NOTHING, id: 0, y: 0 };

    /// The thing of this kind and number.
    pub const fn new(kind: TrvKind, id: i32) -> Self {
        Self { kind, id, y: 0 }
    }
}

impl TrvText {
    /// No text.
    pub const EMPTY: Self = Self { bytes: std::ptr::null(), length: 0 };

    /// Lends a text.
    pub const fn lend(text: &str) -> Self {
        Self { bytes: text.as_ptr(), length: text.len() }
    }

    /// The text; `None` if it is null but has a length, is longer than memory can be, or is not UTF-8.
    ///
    /// # Safety
    /// `bytes` must be null or point to `length` bytes that stay as they are for the lifetime that is chosen.
    pub unsafe fn read<'a>(self) -> Option<&'a str> {
        if self.length == 0 {
            return Some("");
        }
        if self.bytes.is_null() || isize::try_from(self.length).is_err() {
            return None;
        }
        // SAFETY: not null, not longer than an allocation can be; the caller promises the rest.
        let bytes = unsafe { std::slice::from_raw_parts(self.bytes, self.length) };
        std::str::from_utf8(bytes).ok()
    }
}
