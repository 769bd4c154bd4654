/* Forwarding: which loads read what a store has just stored.
 *
 * A core hands such data over before they are in the cache, and a load waits
 * for the store. What addresses are equal the code often does not show, so each
 * store notes the words that it stores, and each load looks whether the last
 * store to one of its words is among the thread's last FORWARDING_STORES. If
 * so, it is counted: by the two instructions, by how many executions of the
 * store ago it was, and by whether that store had all bytes of the load. */
#ifndef CG2_FORWARDING_H
#define CG2_FORWARDING_H

#include "code/code.h"

enum {
   FORWARDING_STORES = 128, /* of all instructions */
   FORWARDING_AGO_MAX = 32, /* executions of the one that stored */
};

/* An instruction that accesses data. */
typedef struct ForwardingPlace {
   TableNode node;
   const Object* object;
   Addr offset;              /* in the object; with that: the key */
   ULong n_stores;           /* that it has made */
   struct Forwarded* recent; /* what it loaded last; NULL: nothing */
} ForwardingPlace;

/* An access to data. */
typedef struct ForwardingAccess {
   ForwardingPlace* by; /* NULL: what is forwarded is not counted */
   UInt size;           /* bytes */
} ForwardingAccess;

/* How often one instruction loaded what another had stored. All but `n` is the
 * key. */
typedef struct Forwarded {
   TableNode node;
   const ForwardingPlace *load, *store;
   UInt thread;   /* if threads are kept apart, or 0 */
   UInt ago;      /* executions of the store: 1 is the last one */
   Bool is_whole; /* the store had all bytes */
   ULong n;
} Forwarded;

/* The last store to a word. */
typedef struct ForwardingWord {
   UWord word; /* address of the word, in words */
   Addr start; /* what was stored */
   ULong at;   /* the number of the store; 0: none was */
   ForwardingPlace* by;
   ULong number; /* of `by`'s store */
   UWord size;
} ForwardingWord;

enum { FORWARDING_WORDS = 512 }; /* words of a hash share a place */

typedef struct Forwarding {
   UInt tid;       /* whose stores they are: */
   ULong n_stores; /* and more, where another thread went before */
   Table places, counts;
   ForwardingWord words[FORWARDING_WORDS];
} Forwarding;

Forwarding* cg2_forwarding_new(void);
/* The instruction at a place, made on first use. */
ForwardingPlace*
cg2_forwarding_place(Forwarding* forwarding, const Object* object, Addr offset);

/* An access reads, writes, or reads and then writes. Generated code calls them
 * where --forwarding is asked for. */
VG_REGPARM(2)
void cg2_forwarding_load(Addr address, const ForwardingAccess* access);
VG_REGPARM(2)
void cg2_forwarding_store(Addr address, const ForwardingAccess* access);
VG_REGPARM(2)
void cg2_forwarding_modify(Addr address, const ForwardingAccess* access);

/* A thread runs on: what others have stored is not forwarded to it. */
void cg2_forwarding_switch(Forwarding* forwarding, UInt tid);
/* Forgets the counts of a thread, or, for 0, of all. */
void cg2_forwarding_zero(Forwarding* forwarding, UInt thread);

#endif
