/* The accesses to memory of a block: found in its IR, and looked at by the IR
 * that is written for it.
 *
 * An instruction fetches the lines that it lies in, of which those are left out
 * that the one before has just fetched; it reads and writes data. What it reads
 * and writes in the same place is one write.
 *
 * Source: Callgrind counts like this. */
#ifndef CG2_ACCESSCODE_H
#define CG2_ACCESSCODE_H

#include "events/accesses.h"
#include "translate/clock.h"
#include "translate/emit.h"
#include "translate/spots.h"
#include "translate/where.h"

enum { ACCESS_SITES_MAX = 6 * BLOCK_INSTRS_MAX };

/* An access to memory by an instruction of a block. */
typedef struct AccessSite {
   Int stmt;              /* the statement that makes it */
   Where where;           /* when it happens */
   UShort size;           /* bytes */
   UChar kind;            /* AccessKind */
   const IRExpr* address; /* of data */
   SpotRange range;       /* the bytes of data, as far as they are known */
   /* How many accesses are checked together, from this one on: 1 if it is
    * alone, 0 if it is checked with one before; and all that they access. */
   UInt n_together;
   SpotRange together;
   UInt part;           /* side exits in front of it */
   const IRExpr* guard; /* the access happens only if this is 1; NULL: always */
   Addr code;           /* of a fetch: the instruction's address */
   Bool is_first;       /* no line is known to be fetched */
   /* For cache use, which each access counts for: this one in its last line,
    * and fetches by instructions behind it that lie in there. No sections:
    * there is no cache use, or generated code does not make the access. */
   UShort times;
   UInt sections;
} AccessSite;

typedef struct AccessSites {
   AccessSite of[ACCESS_SITES_MAX];
   UInt n;
   AccessSite* fetch; /* for cache use: what others may join; or NULL */
   UInt part;         /* side exits so far */
   Spots spots;
} AccessSites;

/* No accesses; those of `in` come. */
void cg2_accesscode_init(AccessSites* sites, const IRSB* in);

/* What comes next may not happen although what came before did. */
static inline void cg2_accesscode_part(AccessSites* sites)
{
   sites->fetch = NULL;
}

/* Adds those of statement number `stmt` of `in`, which happens at `where`.
 * `last_byte` is that of the instruction before, if there is one. */
void cg2_accesscode_read(
   AccessSites* sites, const IRSB* in, Int stmt, Where where, Addr last_byte);

/* Finds those that are checked together, when all are there: three or more to
 * data, one behind the other, that lie in as many bytes as a line has, and so
 * in two lines at most. */
void cg2_accesscode_join(AccessSites* sites);

/* Adds what they count to a block's events; a stub has no slots. */
void cg2_accesscode_note(const AccessSites* sites,
                         Bool is_stub,
                         BlockEvents* events);

/* Adds the events of cache use of an instruction. */
void cg2_accesscode_note_use(UInt instr, BlockEvents* events);

/* Makes what they count in, for a block that has their events; or says where
 * its instructions are now. */
void cg2_accesscode_place(const AccessSites* sites, Block* block);

/* Writes what makes access number `number`, in ascending order. */
void cg2_accesscode_write(Emitter* e,
                          const AccessSites* sites,
                          UInt number,
                          Access* access,
                          Clock* clock);

#endif
