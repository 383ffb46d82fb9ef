// A library that does what a plan says: most of it what libraries do, some of it what they must not. The plan is a file
// of bytes, read anew in every call, so that a call does the same in every VM.

#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trencavel.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define WORD(text) {(const uint8_t *)(text), sizeof(text) - 1}

static uint8_t plan[PLAN_SIZE];
static size_t at;
static TrvCall kept;
// The last bytes before memory that nobody may read.
static uint8_t *edge;

static uint8_t next(void) { return plan[at++ % PLAN_SIZE]; }

// True once in so many.
static int rarely(unsigned times) { return next() * 256u + next() < 65536u / times; }

// Nothing is broken now.
static int calm;

static int broken(unsigned times) { return rarely(times) && !calm; }

static int64_t number(void) {
  static const int64_t numbers[] = {0, 1, 2, 3, 4, 7, -1, 50, 255, 1000,
                                    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 77};
  return numbers[next() % (rarely(4) ? COUNT(numbers) : 5)];
}

static const TrvText kinds[] = {
    WORD("items"), WORD("react"), WORD("forbid"), WORD("award"),  WORD("offer"),   WORD("resolve"),
    WORD("token"), WORD("query"), WORD("mark"),   WORD("figure"), WORD("replace"), WORD("step"),
    WORD("rate"),  WORD("set"),   WORD("extend"), WORD("void"),   WORD("neutral"), WORD("cap")};
static const TrvText words[] = {WORD("coin"), WORD("well"), WORD("put"), WORD("pay"), WORD("return"), WORD("move"),
                                WORD("road"), WORD("city"), WORD("follower"), WORD("height"), WORD("wells"), WORD("a"),
                                WORD("b"), WORD("deploy"), WORD("queue"), WORD("finish"), WORD("place"), WORD("score"),
                                WORD("player"), WORD("points"), WORD("token"), WORD("amount"), WORD("to"),
                                WORD("figure"), WORD("cause"), WORD("base:large"), WORD("\xff\xfe"), WORD("a\0b"), WORD("")};
static const TrvText fields[] = {
    WORD("of = 'road'\nunit = 2"), WORD("on = 'placed'\nemits = ['put', 'pay', 'return', 'queue']"),
    WORD("on = 'place'"),
    WORD("at = 'score'\nfigure = 'follower'"), WORD("at = 'action'\noptions = { players = {} }\nemits = ['pay']"),
    WORD("options = { from = 1, to = 3 }\nemits = ['put']"), WORD("on = 'return'\nfigure = 'follower'"), WORD(""),
    WORD("class = 'follower'"), WORD("on = 'road'"), WORD("per_player = 1\nclass = 'special'\nseats = ['road']"),
    WORD("after = 'core:place'\nemits = ['pay']"), WORD("of = 'city'\ntimes = [1, 2]"), WORD("of = 'strength'\nto = 3"),
    WORD("pass = true\nemits = ['pay', 'put']"), WORD("on = 'deploy'\nstops = 'offers'"), WORD("= 1"), WORD("x = 1.5"),
    WORD("of = 'road'\nmax = 9223372036854775807"), WORD("a = [[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]")};
static const TrvText names[] = {WORD("run"), WORD("test"), WORD("say"), WORD("count"), WORD("items"), WORD("options"),
                                WORD("run"), WORD("count"), WORD("to"), WORD("x")};

// A text that ends where memory ends: whoever looks for its end finds none.
static TrvText lent(TrvText text) {
  if (!edge || text.length > 512) return text;
  memcpy(edge - text.length, text.bytes, text.length);
  return (TrvText){edge - text.length, text.length};
}

static TrvText spoiled(TrvText text) {
  if (!broken(24)) return rarely(3) ? lent(text) : text;
  switch (next() % 9) {
    case 0: return (TrvText){NULL, 5};
    case 1: return (TrvText){NULL, 0};
    case 2: return (TrvText){(const uint8_t *)(uintptr_t)(1 + next()), 3};
    case 3: return (TrvText){text.bytes, SIZE_MAX};
    case 4: return (TrvText){text.bytes, SIZE_MAX / 2};
    case 5: return (TrvText){text.bytes, (size_t)1 << 40};
    case 6: return (TrvText){plan, next()};
    case 7: return (TrvText){(const uint8_t *)8, (size_t)-8};
    default: return (TrvText){NULL, SIZE_MAX};
  }
}

#define ONE_OF(list) spoiled(list[next() % COUNT(list)])

static TrvCall spoiled_call(TrvCall call) {
  if (!broken(60)) return call;
  const TrvCall calls[] = {0, call + 1, call - 1, UINT64_MAX, kept};
  return calls[next() % COUNT(calls)];
}

static TrvThing thing(void) {
  const TrvThing of = {rarely(12) ? next() : next() % 10, (int32_t)number(), rarely(8) ? (int32_t)number() : 0};
  return rarely(3) ? TrvThing_NOTHING : of;
}

// A place for a result; the host must refuse those that are none.
static void *place(void *good) {
  if (!broken(40)) return good;
  void *const bad[] = {NULL, (void *)3, (void *)8, (void *)4088, (char *)good + 1};
  return bad[next() % COUNT(bad)];
}

static void emit(const TrvHost *host, TrvCall call) {
  TrvField list[3];
  for (size_t one = 0; one < COUNT(list); one++) {
    list[one].name = ONE_OF(words);
    list[one].value = thing();
    list[one].word = ONE_OF(words);
  }
  const size_t counts[] = {SIZE_MAX, SIZE_MAX / sizeof *list, 1u << 30};
  const int bad = broken(20);
  const TrvField *first = place(list);
  host->emit(call, ONE_OF(words), rarely(2) && bad ? NULL : first, bad ? counts[next() % 3] : next() % 4);
}

static void step(const TrvHost *host, TrvCall given) {
  const TrvCall call = spoiled_call(given);
  TrvThing found[8] = {TrvThing_NOTHING};
  int64_t count[2];
  size_t size[2];
  TrvText text[2];
  int32_t data[5] = {1, 2, 3, 4, 5};
  switch (next() % 17) {
    case 0: host->option(call, ONE_OF(words), place(text)); break;
    case 1: host->active(call, ONE_OF(words), place(count)); break;
    case 2: host->thing(call, thing(), next() % 11, place(found)); break;
    case 3: host->number(call, thing(), next() % 36, place(count)); break;
    case 4: host->word(call, thing(), 32 + next() % 3, place(text)); break;
    case 5: host->marks(call, thing(), ONE_OF(words), place(count)); break;
    case 6: host->tokens(call, thing(), ONE_OF(words), place(count)); break;
    case 7: host->figures(call, thing(), place(found), rarely(9) ? 0 : COUNT(found), place(size)); break;
    case 8: host->answer(call, number()); break;
    case 9: host->answer_text(call, ONE_OF(words)); break;
    case 10: host->add(call, ONE_OF(words), number(), number()); break;
    case 11: host->offer(call, thing()); break;
    case 12: host->cancel(call); break;
    case 13: emit(host, call); break;
    case 14: host->ask(call, ONE_OF(words), thing(), rarely(3) ? NULL : place(data)); break;
    case 15: if (rarely(6)) host->fail(call, ONE_OF(words)); break;
    default: if (rarely(9)) host->declare(call, NULL); break;
  }
}

static TrvStatus status(void) {
  static const TrvStatus all[] = {TRV_ERROR, TRV_PANICKED, 77, -1, INT32_MAX, INT32_MIN};
  return rarely(12) ? all[next() % COUNT(all)] : TRV_OK;
}

// Does its part of the plan.
static TrvStatus follow(const TrvHost *host, TrvCall call, size_t part) {
  at = part * 97;
  for (unsigned steps = next() % 6; steps > 0; steps--) step(host, call);
  return status();
}

static TrvStatus one(const TrvHost *host, TrvCall call) { return follow(host, call, 1); }
static TrvStatus two(const TrvHost *host, TrvCall call) { return follow(host, call, 2); }
static TrvStatus three(const TrvHost *host, TrvCall call) { return follow(host, call, 3); }
static TrvStatus nothing(const TrvHost *host, TrvCall call) { (void)host; return (void)call, TRV_OK; }

static void declare_one(const TrvHost *host, TrvCall call) {
  static TrvStatus (*const hooks[])(const TrvHost *, TrvCall) = {one, two, three, nothing};
  TrvFunction functions[3];
  for (size_t place = 0; place < COUNT(functions); place++) {
    functions[place].field = ONE_OF(names);
    functions[place].run = broken(30) ? NULL : hooks[next() % COUNT(hooks)];
  }
  const uint8_t choice = next();
  TrvDeclaration made = {sizeof made, next(), spoiled((TrvText)WORD("hostile.c")), ONE_OF(kinds), ONE_OF(words),
                         ONE_OF(fields), functions, choice % 3};
  // Most declarations are of one piece.
  if (calm || choice < 200) {
    const size_t pair = choice % 12;
    static const TrvText pairs[][3] = {
        {WORD("items"), WORD("of = 'road'\nunit = 2"), WORD("count")},
        {WORD("react"), WORD("on = 'placed'\nemits = ['put', 'pay', 'return', 'queue', 'deploy']"), WORD("run")},
        {WORD("forbid"), WORD("on = 'place'"), WORD("test")},
        {WORD("award"), WORD("at = 'score'\nfigure = 'follower'"), WORD("items")},
        {WORD("offer"), WORD("at = 'action'\noptions = 'players'\nemits = ['pay']"), WORD("run")},
        {WORD("resolve"), WORD("options = { from = 1, to = 3 }\nemits = ['put']"), WORD("run")},
        {WORD("replace"), WORD("on = 'return'\nfigure = 'follower'"), WORD("run")},
        {WORD("token"), WORD(""), WORD("run")},
        {WORD("react"), WORD("on = 'deployed'\nemits = ['put', 'pay', 'move']"), WORD("run")},
        {WORD("resolve"), WORD("pass = true\nemits = ['pay']"), WORD("options")},
        {WORD("step"), WORD("after = 'core:place'\nemits = ['pay', 'finish']"), WORD("run")},
        {WORD("forbid"), WORD("on = 'deploy'"), WORD("say")}};
    made.kind = spoiled(pairs[pair][0]);
    made.fields = spoiled(pairs[pair][1]);
    functions[0].field = spoiled(pairs[pair][2]);
    functions[1].field = (TrvText)WORD("run");
    made.function_count = pair == 7 ? 0 : pair == 9 ? 2 : 1;
  }
  if (broken(30)) {
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / sizeof *functions, 1u << 31, 100000};
    made.function_count = counts[next() % COUNT(counts)];
    if (rarely(2)) made.functions = NULL;
  }
  if (broken(30)) made.functions = place(functions);
  const TrvDeclaration *given = &made;
  if (broken(20)) {
    // Shorter than it must be, with nothing behind it.
    static const uint32_t sizes[] = {0, 8, 16, 40, sizeof made - 8};
    made.size = sizes[next() % COUNT(sizes)];
    if (edge && made.size) given = memcpy(edge - made.size, &made, made.size);
  } else if (rarely(20)) {
    // Of a later version.
    made.size = rarely(2) ? UINT32_MAX : sizeof made + 64;
  }
  host->declare(spoiled_call(call), broken(40) ? place(&made) : given);
}

static void read_plan(void) {
  FILE *file = fopen(PLAN, "rb");
  memset(plan, 0, sizeof plan);
  if (file) {
    if (fread(plan, 1, sizeof plan, file) == 0) memset(plan, 0, sizeof plan);
    fclose(file);
  }
  if (!edge) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0) edge = pages + page;
  }
}

static TrvStatus declare(const TrvHost *host, TrvCall call) {
  read_plan();
  at = 0;
  calm = plan[PLAN_SIZE - 1] < 200;
  for (unsigned count = 1 + next() % 5; count > 0; count--) declare_one(host, call);
  if (broken(4)) step(host, call);
  const TrvStatus ends = calm ? TRV_OK : status();
  kept = call;
  calm = 0;
  return ends;
}

__attribute__((visibility("default"))) const TrvPlugin trencavel_plugin = {
    TRV_MAGIC, sizeof(TrvPlugin), TRV_ABI_MAJOR, TRV_ABI_MINOR, declare};
