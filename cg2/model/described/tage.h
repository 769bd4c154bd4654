/* TAGE: conditional branches are predicted by the longest of several trails
 * that is known. Sources: Seznec and Michaud, A case for (partially) TAgged
 * GEometric history length branch prediction, 2006; Seznec, A New Case for the
 * TAGE Branch Predictor, 2011.
 *
 * There is a table of tagged entries for each length of the trail, of 2^bits
 * each, and 2^(bits + TAGE_BASE_BITS) counters of two bits by the address
 * alone. The longest match predicts; but while its entry is new, which is to
 * say neither sure nor useful, what is next does: the next shorter match, or
 * the counter.
 *
 * An entry is useful if it was right where what is next was wrong; that fades
 * every 2^18 branches. While the only match is not useful the counter learns,
 * too. A branch that was mispredicted gets an entry in a longer table: the
 * first of them whose entry for it is not useful, where every other time the
 * search begins one table further; if all are useful, they become less so.
 *
 * At the start nothing is taken. */
#ifndef CG2_TAGE_H
#define CG2_TAGE_H

#include "model/described/trail.h"

enum { TAGE_BASE_BITS = 4, TAGE_USEFUL_MAX = 3, TAGE_FADE_BITS = 18 };

typedef struct TageEntry {
   UShort tag;          /* odd; 0: the entry is empty */
   signed char counter; /* -4 to 3; predicts taken from 0 on */
   UChar useful;        /* 0 to TAGE_USEFUL_MAX */
} TageEntry;

typedef struct Tage {
   UInt bits;
   UInt n_missed;      /* mispredicted branches, modulo 2^32 */
   TrailWords tables;  /* where each table begins in `entries` */
   TageEntry* entries; /* 2^bits in each table */
   UChar* counters;    /* by the address: 0 to 3; taken from 2 on */
} Tage;

/* Makes an empty predictor. */
void cg2_tage_init(Tage* tage, UInt bits);
/* Forgets all branches. */
void cg2_tage_clear(Tage* tage);

/* Predicts the conditional branch at `addr`, and learns whether it is taken;
 * the trail gets its step. True: it was mispredicted. */
Bool cg2_tage_predict(Tage* tage, Trail* trail, Addr addr, Bool is_taken);

#endif
