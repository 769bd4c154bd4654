/* What generated code is to do: what options say, and whether anything is
 * counted now. */
#ifndef CG2_TRANSLATECONFIG_H
#define CG2_TRANSLATECONFIG_H

#include "arch/cpu.h"

/* Events that a statement of IR is: see eventcode.h. */
typedef enum StatementEvent {
   EVENT_BUS, /* Ge: an atomic access to memory */
   STATEMENT_EVENTS
} StatementEvent;

typedef struct EventcodeConfig {
   Bool wanted[STATEMENT_EVENTS];  /* events are counted; options set it */
   UInt numbers[STATEMENT_EVENTS]; /* of the events; 0: not counted */
} EventcodeConfig;

typedef struct RoundcodeConfig {
   Bool is_on; /* the event is counted; an option sets it */
   UInt event;
} RoundcodeConfig;

typedef struct CpuidcodeConfig {
   const HChar* chosen; /* the name of a processor, or NULL: as VEX says */
   Cpu cpu;             /* what `chosen` stands for */
} CpuidcodeConfig;

typedef struct TranslateConfig {
   Bool is_on; /* Blocks are instrumented. After a change, which the program or
                  its user may want at any time, the core must be told to
                  translate anew. */
   Bool skip_stubs; /* .plt and relatives do not appear as functions */
   Bool collect_jumps;
   EventcodeConfig events;
   RoundcodeConfig rounds;
   CpuidcodeConfig cpu;
} TranslateConfig;

/* Filled before the first translation, then constant, but for `is_on`. */
extern TranslateConfig cg2_translate_config;

#endif
