// The Wells in C: the two declarations of scripts/wells, with wells counted by a function.

#include "trencavel.h"

#define TEXT(literal) ((TrvText){(const uint8_t *)(literal), sizeof(literal) - 1})

// The wells of the road in question.
static TrvStatus wells(const TrvHost *host, TrvCall call) {
  TrvThing road;
  int64_t count;
  if (host->thing(call, TrvThing_NOTHING, TRV_FEATURE, &road) != TRV_OK) return TRV_ERROR;
  if (host->marks(call, road, TEXT("well"), &count) != TRV_OK) return TRV_ERROR;
  return host->answer(call, count);
}

static TrvStatus declare(const TrvHost *host, TrvCall call) {
  // WE-1, WE-5: a well is printed on a road; it is no feature and no place for a figure.
  const TrvDeclaration mark = {
      .size = sizeof mark,
      .file = TEXT(__FILE__),
      .line = __LINE__,
      .kind = TEXT("mark"),
      .id = TEXT("well"),
      .fields = TEXT("on = 'road'"),
  };
  // WE-2, WE-4: 1 more for each well. WE-3: whatever changes the road's unit changes the well's.
  const TrvFunction functions[] = {{.field = TEXT("count"), .run = wells}};
  const TrvDeclaration items = {
      .size = sizeof items,
      .file = TEXT(__FILE__),
      .line = __LINE__,
      .kind = TEXT("items"),
      .id = TEXT("wells"),
      .fields = TEXT("of = 'road'\nunit = 1\ntag = 'per_unit'"),
      .functions = functions,
      .function_count = 1,
  };
  if (host->declare(call, &mark) != TRV_OK) return TRV_ERROR;
  return host->declare(call, &items);
}

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const TrvPlugin trencavel_plugin = {
    .magic = TRV_MAGIC,
    .size = sizeof(TrvPlugin),
    .abi_major = TRV_ABI_MAJOR,
    .abi_minor = TRV_ABI_MINOR,
    .declare = declare,
};
