/* The headers of a sum's parts. */
#ifndef CG2P_HEADING_H
#define CG2P_HEADING_H

#include "sum/addend.h"

/* Begins a part whose header is what all parts say that are added, beginning
 * with this one. */
void cg2p_heading_begin(cg2p_merge* merge,
                        const cg2p_profile* profile,
                        const Part* first);
/* Gives the part that was begun the whole header of `like`, and what `form`
 * has. */
void cg2p_heading_set(cg2p_merge* merge,
                      const Part* like,
                      const cg2p_form* form);
/* Gives the part that was begun a description. */
void cg2p_heading_describe(cg2p_merge* merge,
                           const char* kind,
                           const char* text);
/* Gives the part that was begun a definition of an event. */
void cg2p_heading_define(cg2p_merge* merge, const EventDefinition* definition);
/* Adds what a profile says of itself to a sum of whole profiles; ends the
 * operation if it is of another version. */
void cg2p_heading_add_profile(cg2p_merge* merge, const cg2p_profile* profile);
/* Ends the operation if the addend does not fit to the sum's part. */
void cg2p_heading_check(cg2p_merge* merge);
/* Adds what the addend's header says. */
void cg2p_heading_add(cg2p_merge* merge);
/* Completes the header of the part that was begun last, if there is one. */
void cg2p_heading_end(cg2p_merge* merge);

#endif
