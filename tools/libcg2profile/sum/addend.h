/* A sum of profiles that is being made, and the profile that is added to it. */
#ifndef CG2P_ADDEND_H
#define CG2P_ADDEND_H

#include "base/keys.h"
#include "profile/rows.h"

/* Numbers of the sum by numbers of the profile that is added. */
typedef struct NumbersOfSum {
   uint32_t* of; /* + 1; 0: not asked for yet */
   size_t room;
} NumbersOfSum;

/* Numbers that are set before they are read. */
typedef struct CostRoom {
   uint64_t* of;
   size_t room;
} CostRoom;

/* Where the lines are that are being added to a run of the sum. */
typedef enum Source {
   SOURCE_PART, /* in the part */
   SOURCE_ROWS, /* among the rows: that part's, put in order */
   SOURCE_SUM,  /* in another run of the sum */
} Source;

/* The part that is being added. */
typedef struct Addend {
   const cg2p_profile* profile;
   const Part* part;
   cg2p_mapping mapping;
   NumbersOfSum names, files,
      functions;      /* files: where mapping.files says so */
   Source source;     /* of the current function's lines */
   LineCursor cursor; /* behind the last one, unless it is among the rows: */
   Rows rows;
   size_t next_row;
} Addend;

struct cg2p_merge {
   Failure failure;
   cg2p_profile* sum;
   Part* part; /* the last one; NULL before the first profile */
   /* What is so of the last part: */
   bool is_common;   /* its header is what all parts say */
   bool has_columns; /* its positions are those of its form, */
   bool has_events;  /* and so its events */
   bool leaves_jumps;
   unsigned columns;  /* CG2P_INSTR, ... */
   bool states[SUMS]; /* all parts that were added state the sum */
   size_t n_added;    /* parts */
   uint64_t files;    /* profiles, and those that they were merged of; */
   uint64_t cut_off;  /* of these, how many were cut off */
   Addend more;
   Keys paths; /* of the last part, by what is alike in those that are one */
   /* Costs of the lines at hand: of the sum; and of the addend, as they were
    * read, and as they are added. */
   CostRoom known_cost, read_cost, more_cost;
   uint8_t* bytes; /* of the run that is made */
   size_t bytes_room;
};

/* Ends the operation: a sum is too large for 64 bits. */
_Noreturn void cg2p_addend_refuse(cg2p_merge* merge);

/* Adds a number of the addend to one of the sum. */
void cg2p_addend_add_number(cg2p_merge* merge, uint64_t* sum, uint64_t more);

/* Adds a cost of the addend to one of the sum. */
void cg2p_addend_add_cost(cg2p_merge* merge,
                          uint64_t* sum,
                          const uint64_t* more);

#endif
