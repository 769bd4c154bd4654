#include "event.h"

static const HChar* const names[EVENT_COUNT] = {
   [EVENT_IR] = "Ir",
};

const HChar* cg2_event_name(UInt event)
{
   tl_assert(event < EVENT_COUNT);
   return names[event];
}
