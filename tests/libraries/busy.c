// Every role of a function and every function of the host; busy.lua is the same as a script, and a test compares the games.

#include <stdio.h>
#include <string.h>

#include "trencavel.h"

#define TEXT(literal) ((TrvText){(const uint8_t *)(literal), sizeof(literal) - 1})
#define TRY(call_of_host) \
  if ((call_of_host) != TRV_OK) return TRV_ERROR
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int is(TrvText text, const char *word) {
  return text.length == strlen(word) && memcmp(text.bytes, word, text.length) == 0;
}

static TrvStatus far_test(const TrvHost *host, TrvCall call) {
  int64_t x, y;
  TRY(host->number(call, TrvThing_NOTHING, TRV_X, &x));
  TRY(host->number(call, TrvThing_NOTHING, TRV_Y, &y));
  return host->answer(call, x > 4 || y > 6);
}

static TrvStatus far_say(const TrvHost *host, TrvCall call) {
  char sentence[64];
  TrvThing player;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &player));
  int length = snprintf(sentence, sizeof sentence, "too far for player %d", (int)player.id);
  return host->answer_text(call, (TrvText){(const uint8_t *)sentence, (size_t)length});
}

static TrvStatus crowd(const TrvHost *host, TrvCall call) {
  TrvThing feature, player, figures[64];
  int64_t tiles, size, completed, closed;
  size_t count;
  TrvText kind;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_FEATURE, &feature));
  TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &player));
  TRY(host->number(call, feature, TRV_TILES, &tiles));
  TRY(host->number(call, feature, TRV_SIZE, &size));
  TRY(host->number(call, feature, TRV_COMPLETED, &completed));
  TRY(host->number(call, feature, TRV_CLOSED, &closed));
  TRY(host->word(call, feature, TRV_KIND_WORD, &kind));
  TRY(host->figures(call, feature, figures, COUNT(figures), &count));
  int64_t sum = player.id + tiles + size;
  for (size_t place = 0; place < count && place < COUNT(figures); place++) {
    TrvThing owner;
    TRY(host->thing(call, figures[place], TRV_PLAYER, &owner));
    sum += owner.id;
  }
  if (completed && closed && is(kind, "city")) sum++;
  return host->answer(call, sum);
}

static TrvStatus keeper(const TrvHost *host, TrvCall call) {
  TrvThing figure, feature;
  int64_t size, pennants;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_FIGURE, &figure));
  TRY(host->thing(call, figure, TRV_FEATURE, &feature));
  TRY(host->number(call, feature, TRV_SIZE, &size));
  TRY(host->marks(call, feature, TEXT("pennant"), &pennants));
  TRY(host->add(call, TEXT("size"), size, 1));
  return host->add(call, TEXT("pennants"), pennants, 2);
}

static TrvStatus stays(const TrvHost *host, TrvCall call) {
  TrvThing tile;
  TrvText cause;
  int64_t x;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_TILE, &tile));
  TRY(host->number(call, tile, TRV_X, &x));
  TRY(host->word(call, TrvThing_NOTHING, TRV_CAUSE_WORD, &cause));
  return (x % 3 + 3) % 3 == 1 && is(cause, "scored") ? host->cancel(call) : TRV_OK;
}

static TrvStatus gain(const TrvHost *host, TrvCall call) {
  TrvText kind;
  TrvField fields[3] = {{.name = TEXT("token"), .value = {TRV_WORD, 0, 0}, .word = TEXT("coin")},
                        {.name = TEXT("to")},
                        {.name = TEXT("amount"), .value = {TRV_NUMBER, 1, 0}}};
  TRY(host->word(call, TrvThing_NOTHING, TRV_KIND_WORD, &kind));
  TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &fields[1].value));
  return is(kind, "placed") ? host->emit(call, TEXT("put"), fields, COUNT(fields)) : TRV_OK;
}

static TrvStatus call_run(const TrvHost *host, TrvCall call) {
  TrvField fields[2] = {{.name = TEXT("figure")},
                        {.name = TEXT("cause"), .value = {TRV_WORD, 0, 0}, .word = TEXT("called")}};
  TRY(host->thing(call, TrvThing_NOTHING, TRV_ANSWER, &fields[0].value));
  return host->emit(call, TEXT("return"), fields, COUNT(fields));
}

static TrvStatus gift_react(const TrvHost *host, TrvCall call) {
  TrvThing player, tile;
  int64_t x;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &player));
  TRY(host->thing(call, TrvThing_NOTHING, TRV_TILE, &tile));
  TRY(host->number(call, tile, TRV_X, &x));
  const int32_t data[4] = {3, (int32_t)x, 0, 0};
  return host->ask(call, TEXT("gift"), player, data);
}

static TrvStatus pay(const TrvHost *host, TrvCall call, TrvThing player, int64_t points, TrvText cause) {
  const TrvField fields[3] = {{.name = TEXT("player"), .value = player},
                              {.name = TEXT("points"), .value = {TRV_NUMBER, (int32_t)points, 0}},
                              {.name = TEXT("cause"), .value = {TRV_WORD, 0, 0}, .word = cause}};
  return host->emit(call, TEXT("pay"), fields, cause.length ? 3 : 2);
}

static TrvStatus gift_run(const TrvHost *host, TrvCall call) {
  TrvThing chosen, player;
  int64_t factor, x, coins;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_ANSWER, &chosen));
  TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &player));
  TRY(host->number(call, TrvThing_NOTHING, TRV_DATA, &factor));
  TRY(host->number(call, TrvThing_NOTHING, TRV_DATA + 1, &x));
  TRY(host->tokens(call, player, TEXT("coin"), &coins));
  TRY(pay(host, call, player, chosen.id * factor + x + coins, TEXT("gift")));
  return host->ask(call, TEXT("nest"), player, NULL);
}

static TrvStatus nest_options(const TrvHost *host, TrvCall call) {
  TrvThing figures[64];
  size_t count;
  TRY(host->figures(call, TrvThing_NOTHING, figures, COUNT(figures), &count));
  for (size_t place = 0; place < count && place < COUNT(figures); place++) TRY(host->offer(call, figures[place]));
  return TRV_OK;
}

static TrvStatus nest_run(const TrvHost *host, TrvCall call) {
  TrvThing chosen, player;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_ANSWER, &chosen));
  if (chosen.kind == TRV_NOTHING) {
    TRY(host->thing(call, TrvThing_NOTHING, TRV_PLAYER, &player));
    return host->ask(call, TEXT("mood"), player, NULL);
  }
  TRY(host->thing(call, chosen, TRV_PLAYER, &player));
  return pay(host, call, player, 1, TEXT(""));
}

static TrvStatus mood_run(const TrvHost *host, TrvCall call) {
  const TrvThing first = {TRV_PLAYER, 1, 0};
  TrvThing word;
  int64_t score;
  TRY(host->thing(call, TrvThing_NOTHING, TRV_ANSWER, &word));
  TRY(host->number(call, first, TRV_SCORE, &score));
  return pay(host, call, first, word.id == 1 ? -1 : (score % 2 + 2) % 2, TEXT(""));
}

static TrvStatus declare_one(const TrvHost *host, TrvCall call, TrvText kind, TrvText id, TrvText fields,
                             const TrvFunction *functions, size_t count) {
  const TrvDeclaration declaration = {
      .size = sizeof declaration, .kind = kind, .id = id, .fields = fields, .functions = functions, .function_count = count};
  return host->declare(call, &declaration);
}

#define DECLARE(kind, id, fields, ...)                                                                          \
  do {                                                                                                          \
    const TrvFunction functions[] = {__VA_ARGS__};                                                              \
    TRY(declare_one(host, call, TEXT(kind), TEXT(id), TEXT(fields), functions, COUNT(functions)));               \
  } while (0)
#define RUN(name, function) {TEXT(name), function}

static TrvStatus declare(const TrvHost *host, TrvCall call) {
  TrvText height;
  int64_t wells;
  TRY(declare_one(host, call, TEXT("token"), TEXT("coin"), TEXT(""), NULL, 0));
  TRY(declare_one(host, call, TEXT("query"), TEXT("mine"), TEXT("class = 'follower'\nowner = 'own'"), NULL, 0));
  DECLARE("forbid", "far", "on = 'place'", RUN("test", far_test), RUN("say", far_say));
  DECLARE("items", "crowd", "of = 'city'\nunit = 1", RUN("count", crowd));
  DECLARE("award", "keeper", "at = 'score'\nfigure = 'follower'\nwhere = { feature = 'road' }", RUN("items", keeper));
  DECLARE("replace", "stays", "on = 'return'\nfigure = 'follower'", RUN("run", stays));
  DECLARE("react", "gain", "on = 'placed'\nemits = ['put']", RUN("run", gain));
  DECLARE("offer", "call", "at = 'action'\noptions = { figures = 'mine' }\nemits = ['return']\ncauses = ['called']",
          RUN("run", call_run));
  DECLARE("react", "gift", "on = 'returned'\nwhere = { cause = 'called' }", RUN("run", gift_react));
  DECLARE("resolve", "gift", "options = { from = 1, to = 3 }\nemits = ['pay']\ncauses = ['gift']", RUN("run", gift_run));
  DECLARE("resolve", "nest", "pass = true\nemits = ['pay']", RUN("options", nest_options), RUN("run", nest_run));
  DECLARE("resolve", "mood", "options = { words = ['glad', 'sad'] }\nemits = ['pay']", RUN("run", mood_run));
  TRY(host->option(call, TEXT("height"), &height));
  TRY(host->active(call, TEXT("wells"), &wells));
  if (is(height, "5") || wells) TRY(declare_one(host, call, TEXT("token"), TEXT("pail"), TEXT(""), NULL, 0));
  return TRV_OK;
}

__attribute__((visibility("default"))) const TrvPlugin trencavel_plugin = {
    TRV_MAGIC, sizeof(TrvPlugin), TRV_ABI_MAJOR, TRV_ABI_MINOR, declare};
