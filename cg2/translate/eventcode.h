/* Events that a statement of IR is.
 *
 * Each such event happens each time that a statement of its kind is executed,
 * and is counted like Ir: where the statement stands is known, and so is how
 * often control gets there. A new event needs a name in StatementEvent, a row
 * in eventcode.c with the question whether a statement is one, and an option
 * (run/options.c) that wants it. */
#ifndef CG2_EVENTCODE_H
#define CG2_EVENTCODE_H

#include "pub_tool_tooliface.h"
#include "translate/where.h"

/* Adds the events that are wanted. Called once, before the first translation.
 */
void cg2_eventcode_start(void);

/* Notes the events that `s`, a statement at `where`, is. True: there was one.
 */
Bool cg2_eventcode_read(BlockEvents* events, const IRStmt* s, Where where);

#endif
