// Trencavel: the C ABI of native expansions. Made from core/abi/src/lib.rs; do not edit.
//
// Export `const TrvPlugin trencavel_plugin`, declare rules in its `declare`, and answer in the functions of declarations.
// plugins/wells-c is a whole expansion.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct TrvHost TrvHost;

// The first field of every `TrvPlugin`; "TRVL" in ASCII.
#define TRV_MAGIC 1414682188

// Libraries of another major version are refused.
#define TRV_ABI_MAJOR 1

// Libraries of a higher minor version are refused; structs only grow at their ends.
#define TRV_ABI_MINOR 0

// How a call went; one of the values below.
typedef int32_t TrvStatus;

// What a `TrvThing` is.
typedef uint32_t TrvKind;

// What `number` and `word` can be asked for.
typedef uint32_t TrvAspect;

// A running call, as the host numbers it; it means nothing to the library, and nothing at all when the call is over.
typedef uint64_t TrvCall;

// Text in UTF-8, lent: valid until the call it was given in is over. Without an end mark.
typedef struct TrvText {
  // The first byte; may be null if there is none.
  const uint8_t *bytes;
  // How many bytes.
  size_t length;
} TrvText;

// A field of a declaration that is a function. Never changes its size within a major version.
typedef struct TrvFunction {
  // The name of the field: `count`, `run`, `test`, …
  struct TrvText field;
  // The function; null is refused.
  TrvStatus (*run)(const struct TrvHost *host, TrvCall call);
} TrvFunction;

// What a library declares: `rules.kind "id" { … }` of a script.
typedef struct TrvDeclaration {
  // Size of this struct.
  uint32_t size;
  // Line of the file it stands on, from 1; the ledger shows it.
  uint32_t line;
  // The file it stands in.
  struct TrvText file;
  // What is declared: `items`, `forbid`, …
  struct TrvText kind;
  // Its id.
  struct TrvText id;
  // Its fields as TOML.
  struct TrvText fields;
  // Fields that are functions; may be null if there are none.
  const struct TrvFunction *functions;
  // How many.
  size_t function_count;
} TrvDeclaration;

// Something of the game, or nothing.
typedef struct TrvThing {
  // What it is.
  TrvKind kind;
  // Which one, or the number itself.
  int32_t id;
  // The row of a space; 0 otherwise.
  int32_t y;
} TrvThing;
// Nothing; the call itself where something is asked of a thing.
#define TrvThing_NOTHING (TrvThing){ .kind = TRV_NOTHING, .id = 0, .y = 0 }

// A field of what is emitted, by the names of `scripts/HOOKS.md`.
typedef struct TrvField {
  // The name of the field.
  struct TrvText name;
  // Its value.
  struct TrvThing value;
  // Its value if it is a `TRV_WORD`.
  struct TrvText word;
} TrvField;

// What the host does for a library. Every function gives `TRV_OK`, or `TRV_ERROR` if it refuses; the host then knows
// why, and the call it was made in fails whatever it gives back. Null where something is needed is refused.
typedef struct TrvHost {
  // Size of this struct: later minor versions have more functions at its end.
  uint32_t size;
  // `TRV_ABI_MAJOR` of the host.
  uint32_t abi_major;
  // `TRV_ABI_MINOR` of the host.
  uint32_t abi_minor;
  // 0.
  uint32_t reserved;
  // In `declare` only: declares something.
  TrvStatus (*declare)(TrvCall call, const struct TrvDeclaration *declaration);
  // In `declare` only: the value of an option of the manifest, as text.
  TrvStatus (*option)(TrvCall call, struct TrvText name, struct TrvText *out);
  // In `declare` only: 1 if this expansion is in the game, else 0. It must be named in the manifest.
  TrvStatus (*active)(TrvCall call, struct TrvText expansion, int64_t *out);
  // The thing of this kind that `of` belongs to: the player, feature or tile of a figure, the feature or tile of a
  // segment, whatever the call is about. `TRV_NOTHING` if there is none.
  TrvStatus (*thing)(TrvCall call, struct TrvThing of, TrvKind kind, struct TrvThing *out);
  // A number of a thing.
  TrvStatus (*number)(TrvCall call, struct TrvThing of, TrvAspect aspect, int64_t *out);
  // A word of a thing.
  TrvStatus (*word)(TrvCall call, struct TrvThing of, TrvAspect aspect, struct TrvText *out);
  // How often a mark is on a feature.
  TrvStatus (*marks)(TrvCall call, struct TrvThing feature, struct TrvText mark, int64_t *out);
  // How many tokens of a kind a player, a tile or (`TRV_NOTHING`) the table has.
  TrvStatus (*tokens)(TrvCall call, struct TrvThing place, struct TrvText token, int64_t *out);
  // The figures of a feature, or (`TRV_NOTHING`) of the board, in canonical order. Writes at most `room` of them
  // and says how many there are.
  TrvStatus (*figures)(TrvCall call,
                       struct TrvThing feature,
                       struct TrvThing *out,
                       size_t room,
                       size_t *count);
  // The answer of `count`, or of `test` (0 or 1).
  TrvStatus (*answer)(TrvCall call, int64_t number);
  // The answer of `say`.
  TrvStatus (*answer_text)(TrvCall call, struct TrvText sentence);
  // Counts something, in `items` of an `award`.
  TrvStatus (*add)(TrvCall call, struct TrvText label, int64_t count, int64_t unit);
  // Offers an option, in `options`.
  TrvStatus (*offer)(TrvCall call, struct TrvThing option);
  // The intent does not happen, in `run` of a `replace`.
  TrvStatus (*cancel)(TrvCall call);
  // Asks for something to happen, in `run`. The verb must be among the `emits` of the declaration.
  TrvStatus (*emit)(TrvCall call,
                    struct TrvText verb,
                    const struct TrvField *fields,
                    size_t field_count);
  // Asks a player, in `run`: `resolve` takes the answer. `data` are four numbers for it, or null.
  TrvStatus (*ask)(TrvCall call, struct TrvText resolve, struct TrvThing player, const int32_t *data);
  // The call fails, for this reason.
  TrvStatus (*fail)(TrvCall call, struct TrvText reason);
} TrvHost;

// What a library exports under the name `trencavel_plugin`: a constant, so that nothing is called before it is known
// to fit.
typedef struct TrvPlugin {
  // `TRV_MAGIC`.
  uint32_t magic;
  // Size of this struct.
  uint32_t size;
  // `TRV_ABI_MAJOR` of the header it was made with.
  uint32_t abi_major;
  // `TRV_ABI_MINOR` of the header it was made with.
  uint32_t abi_minor;
  // Declares its rules. Called once for each VM, before any function of a declaration, and declares the same for the
  // same options and expansions.
  TrvStatus (*declare)(const struct TrvHost *host, TrvCall call);
} TrvPlugin;

// It is done.
#define TRV_OK 0

// It failed. The host knows why, from itself or from `fail`, and takes the player's decision back.
#define TRV_ERROR 1

// The function panicked, and a guard caught it.
#define TRV_PANICKED 2

// Nothing; for functions that ask something of a thing, the call itself.
#define TRV_NOTHING 0

// A player, by number from 1.
#define TRV_PLAYER 1

// A feature.
#define TRV_FEATURE 2

// A figure.
#define TRV_FIGURE 3

// A tile on the table.
#define TRV_TILE 4

// A segment of a tile on the table.
#define TRV_SEGMENT 5

// A space: `id` is the column (east), `y` the row (south).
#define TRV_SPACE 6

// A whole number.
#define TRV_NUMBER 7

// A word: as an answer by its place in the declared list, from 0; as a field by the text beside it.
#define TRV_WORD 8

// Only asked for: what a player chose, in `run` of an `offer` or a `resolve`.
#define TRV_ANSWER 9

// Number of distinct tiles of a feature.
#define TRV_TILES 1

// Number of segments of a feature.
#define TRV_SIZE 2

// 1 if a feature has no open sides, ends or spaces around, else 0.
#define TRV_CLOSED 3

// 1 if a feature is completed, else 0.
#define TRV_COMPLETED 4

// Column of a tile; of the call, where a tile is about to be placed. The next two likewise.
#define TRV_X 5

// Row of a tile.
#define TRV_Y 6

// Quarter turns of a tile, clockwise.
#define TRV_ROTATION 7

// Points of a player.
#define TRV_SCORE 8

// Of the call: points of the event or intent it is about, or how many.
#define TRV_AMOUNT 9

// Of the call: number of players.
#define TRV_PLAYERS 10

// Of the call: the first of the four numbers of `ask`; the others follow.
#define TRV_DATA 16

// As a word: the kind of a feature or figure, the design of a tile; of the call, its event or verb.
#define TRV_KIND_WORD 32

// As a word, of the call: why it happens; empty if for no particular reason.
#define TRV_CAUSE_WORD 33

// What every library exports.
#ifdef __cplusplus
extern "C"
#else
extern
#endif
const TrvPlugin trencavel_plugin;
