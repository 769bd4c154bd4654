/* Access sites: the accesses to memory of a block, found in its IR.
 *
 * An instruction fetches the lines that it lies in, except those that the
 * instruction before it has just fetched; it reads and writes data. What an
 * instruction reads and writes in the same place is one write.
 *
 * Source: Callgrind counts like this. */
#ifndef CG2_SITES_H
#define CG2_SITES_H

#include "code/block.h"
#include "events/accesses.h"
#include "pub_tool_tooliface.h"
#include "translate/spots.h"
#include "translate/where.h"

enum { ACCESS_SITES_MAX = 6 * BLOCK_INSTRS_MAX };

/* For cache use, which counts each access in the line that it ends in. */
typedef struct SiteUse {
   UShort times;  /* accesses that count: this one, and fetches behind it that
                     lie in the same line */
   UInt sections; /* of that line, which those accesses use. 0: there is no
                     cache use, or generated code does not make the access */
} SiteUse;

/* A place in a block where memory is accessed. */
typedef struct AccessSite {
   Int stmt; /* number of the statement that makes the access */
   Where where;
   UShort size;           /* bytes; of data at most cg2_accesses_data_max() */
   UChar kind;            /* AccessKind */
   const IRExpr* address; /* of data: an atom */
   SpotRange range;       /* of data: the bytes as a range, if that is known */
   UInt part;             /* side exits of the block in front of the access */
   const IRExpr* guard;   /* the access happens only if so; NULL: always */
   Addr code;             /* of a fetch: the instruction's address */
   Bool modifies;         /* of a write: it reads the place before, which no
                             site of the instruction in front of it does */
   Bool is_first;         /* of a fetch: the line that the instruction begins in
                             is not known to be fetched */
   /* How many accesses are checked together, from this site on: 1 if the access
    * is checked alone, 0 if it is checked with one in front of it. */
   UInt n_together;
   SpotRange together; /* if more than one: the bytes of them all */
   SiteUse use;
   Access* access; /* what is known of the access, once the block has its
                      records: one of these, or one of `own` */
} AccessSite;

/* The accesses of a block, in the order in which they happen. */
typedef struct AccessSites {
   AccessSite of[ACCESS_SITES_MAX];
   Access own[ACCESS_SITES_MAX]; /* of those whose record nobody asks for when
                                    the access happens */
   UInt n;
   AccessSite* fetch; /* for cache use: the fetch that the next one may join; or
                         NULL */
   UInt part;         /* side exits that were read */
   Spots spots;
} AccessSites;

/* Starts with no accesses. The statements of `in` will be read. */
void cg2_sites_init(AccessSites* sites, const IRSB* in);

/* What comes next may not happen although what came before did. */
static inline void cg2_sites_part(AccessSites* sites)
{
   sites->fetch = NULL;
}

/* Adds the accesses of statement number `stmt` of `in`, which stands at
 * `where`. `last_byte` is the address of the last byte of the instruction
 * before, if there is one. */
void cg2_sites_read(
   AccessSites* sites, const IRSB* in, Int stmt, Where where, Addr last_byte);

/* Finds the accesses that are checked together. Three or more accesses to data
 * are, in a row, if they lie in as many bytes as a line has, and so in two
 * lines at most. All statements have been read. */
void cg2_sites_join(AccessSites* sites);

/* Adds what the accesses count to a block's events. A stub has no slots. */
void cg2_sites_note(const AccessSites* sites,
                    Bool is_stub,
                    BlockEvents* events);

/* Adds the events of cache use that instruction number `instr` counts. */
void cg2_sites_note_use(UInt instr, BlockEvents* events);

/* Fills in what is known of the accesses of `block`, which has their events.
 * What is asked for when the access happens is kept, in records that live as
 * long as the block. A block that is translated again has records; they learn
 * where its instructions are now. */
void cg2_sites_place(AccessSites* sites, Block* block);

/* Whether generated code looks itself whether the access hits. `marks` are
 * those of its kind. */
Bool cg2_sites_is_checked(const AccessSite* site, const AccessMarks* marks);

/* Whether accesses of a kind go to marked lines that know what they are used
 * for. */
Bool cg2_sites_have_use(AccessKind kind);
/* The start of the line of code that an address lies in. */
UWord cg2_sites_line(Addr code);
/* The sections of its first line that a fetch of `size` bytes is in. */
UInt cg2_sites_sections(Addr code, UInt size);

#endif
