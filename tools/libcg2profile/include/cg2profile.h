/* Reads profiles in the Callgrind format, of any size, and adds them up.
 *
 *    cg2p_error error;
 *    cg2p_profile* profile =
 *       cg2p_profile_read("cg2.out", CG2P_SUMS, 0, NULL, &error);
 *    if (!profile) puts(error.text);
 *
 * A profile is a file; it has parts (one dump, or one thread of a dump), at
 * least one. A part has events, functions and, if they were asked for, what
 * each function costs by position, its calls and its jumps.
 *
 * Names are numbers: cg2p_profile_name() has the text. Functions are numbers
 * from 0 in the order in which a part mentions them. A cost is one uint64_t for
 * each event of the part, in their order.
 *
 * A function is called cg2p_<object>_<verb>: _new makes an object and _read
 * reads one from a file, _add adds something to it, _end gives what was made
 * and frees the object, _free frees it. What is asked of an object has the name
 * of the answer, in the plural where that is an array; _count is how many. Each
 * object has a header of its own:
 *
 *    profile, part, cursor   a file, what it has, the lines of a function
 *    graph, stacks           who calls whom; which calls led to costs
 *    table, difference       lines added up; what two sides differ in
 *    matching                what is the same function in both
 *    explanation, causes     why their totals differ
 *    replacement             what took the place of what
 *    pathtree                exact paths of calls
 *    merge, inlining         profiles made of others
 *    display                 names as people read them
 *    feedback                exact counts of one object, for compilers
 *    cycles                  an estimate of time
 *
 * A pointer that a function gives belongs to the object that was asked, and
 * stays valid until that object is freed. It is NULL only where the function
 * says so. Functions that free take NULL. Numbers that are passed in, as of a
 * part or a function, have to be below the count of such things: that is not
 * checked, unless the function says what happens.
 *
 * A profile may be read by several threads at a time, as nothing that only
 * reads changes it. Nothing is shared between profiles: while one thread adds a
 * profile to a sum, others may read the files that are next. */
#ifndef CG2PROFILE_H
#define CG2PROFILE_H

#include "cg2profile/annotation.h"
#include "cg2profile/causes.h"
#include "cg2profile/common.h"
#include "cg2profile/cursor.h"
#include "cg2profile/cycles.h"
#include "cg2profile/difference.h"
#include "cg2profile/display.h"
#include "cg2profile/explanation.h"
#include "cg2profile/feedback.h"
#include "cg2profile/graph.h"
#include "cg2profile/inlining.h"
#include "cg2profile/listing.h"
#include "cg2profile/matching.h"
#include "cg2profile/merge.h"
#include "cg2profile/part.h"
#include "cg2profile/pathtree.h"
#include "cg2profile/profile.h"
#include "cg2profile/replacement.h"
#include "cg2profile/stacks.h"
#include "cg2profile/table.h"

#endif
