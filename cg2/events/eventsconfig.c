#include "events/eventsconfig.h"

/* Reason for a mutable file-scope object: configuration. */
EventsConfig cg2_events_config;
