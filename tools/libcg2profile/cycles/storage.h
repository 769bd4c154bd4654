/* Values and addresses of a window of the walk, as symbols: a value is a root,
 * which stands for something unknown, and an offset. Constants have root 0.
 * Equal symbols are equal values, so that loads find the stores that they read
 * from. What is equal without being so by the code is not found. */
#ifndef CG2P_STORAGE_H
#define CG2P_STORAGE_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct SymbolicValue {
   uint64_t root;
   int64_t offset;
} SymbolicValue;

/* What is known of some bytes: who stored them, or what a load saw there. */
typedef struct Record {
   SymbolicValue address, value;
   uint64_t ready;    /* when the data are there, */
   uint64_t released; /* and when they are in the cache */
   uint32_t size;
   uint32_t number; /* later ones have higher numbers */
   uint32_t spot;   /* of a store */
   bool is_store;
   uint8_t base;  /* of the store's address: register, */
   bool is_plain; /* and whether there is no index */
} Record;

typedef struct Granule {
   uint64_t key;
   uint32_t window, record;
} Granule;

typedef struct Storage {
   SymbolicValue registers[CG2P_REGISTERS];
   Record* records;
   uint32_t n_records, records_max;
   Granule* granules;
   uint32_t window; /* granules of others are free */
   uint64_t fresh;  /* unknown values that there were */
} Storage;

/* Makes room for windows of `length` spots. */
void cg2p_storage_begin(Storage* storage, Failure* failure, uint32_t length);
/* Begins a window: nothing is known. */
void cg2p_storage_forget(Storage* storage);
SymbolicValue cg2p_storage_address(const Storage* storage,
                                   const cg2p_access* access);
/* The last store to bytes of an access; NULL: there is none. *mixed: others,
 * or memory, have some of the bytes. */
Record* cg2p_storage_find(Storage* storage,
                          SymbolicValue address,
                          uint32_t size,
                          bool* mixed);
/* The value of a load, of which cg2p_storage_find said this. */
SymbolicValue cg2p_storage_load(Storage* storage,
                                SymbolicValue address,
                                uint32_t size,
                                const Record* from,
                                bool mixed);
/* Adds a store, whose times the caller sets. */
Record* cg2p_storage_store(Storage* storage,
                           SymbolicValue address,
                           uint32_t size,
                           SymbolicValue value);
/* Sets what the operation at a spot writes. */
void cg2p_storage_write(Storage* storage,
                        const cg2p_operation* operation,
                        uint32_t spot,
                        SymbolicValue address,
                        SymbolicValue loaded);
/* The value that an operation stores. */
SymbolicValue cg2p_storage_stored(const Storage* storage,
                                  const cg2p_operation* operation,
                                  uint32_t spot,
                                  SymbolicValue loaded);
void cg2p_storage_free(Storage* storage);

/* Whether a core knows from the register of both addresses, whose moves it
 * follows, that a load reads what a store before it has stored. */
bool cg2p_storage_is_seen(const Record* store, const cg2p_operation* load);

#endif
