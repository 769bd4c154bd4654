/* Events that a statement of IR is.
 *
 * Each such event happens each time that a statement of its kind is executed,
 * and is counted like Ir: where the statement stands is known, and so is how
 * often control gets there. A new event needs a name here, a row in
 * eventcode.c with the question whether a statement is one, and an option
 * (run/options.c) that wants it. */
#ifndef CG2_EVENTCODE_H
#define CG2_EVENTCODE_H

#include "pub_tool_tooliface.h"
#include "translate/where.h"

typedef enum StatementEvent {
   EVENT_BUS, /* Ge: an atomic access to memory */
   STATEMENT_EVENTS
} StatementEvent;

typedef struct EventcodeConfig {
   Bool wanted[STATEMENT_EVENTS];  /* events are counted; options set it */
   UInt numbers[STATEMENT_EVENTS]; /* of the events; 0: not counted */
} EventcodeConfig;

/* Filled before the first translation, then constant. */
extern EventcodeConfig cg2_eventcode_config;

/* Adds the events that are wanted. Called once, before the first translation.
 */
void cg2_eventcode_start(void);

/* Notes the events that `s`, a statement at `where`, is. True: there was one.
 */
Bool cg2_eventcode_read(BlockEvents* events, const IRStmt* s, Where where);

#endif
