#include "events/eventsconfig.h"

/* What stands for a machine where only sweeps are asked, or nothing. */
static UWord no_line(void)
{
   return 0;
}

static const Machine no_machine = {.code_line = no_line};

/* Reason for a mutable file-scope object: configuration. */
EventsConfig cg2_events_config = {.accesses.machine = &no_machine};
