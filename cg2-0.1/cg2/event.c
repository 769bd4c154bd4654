#include "event.h"

/* Reason for mutable file-scope objects: configuration. */
UInt cg2_event_count = 1;
static struct {
   const HChar *name, *meaning;
} events[EVENTS_MAX] = {[EVENT_IR] = {"Ir", NULL}};

UInt cg2_event_add(const HChar* name, const HChar* meaning)
{
   UInt event = cg2_event_count;
   tl_assert(event < EVENTS_MAX);
   events[event].name = name;
   events[event].meaning = meaning;
   cg2_event_count++;
   return event;
}

const HChar* cg2_event_name(UInt event)
{
   tl_assert(event < cg2_event_count);
   return events[event].name;
}

const HChar* cg2_event_meaning(UInt event)
{
   tl_assert(event < cg2_event_count);
   return events[event].meaning;
}
