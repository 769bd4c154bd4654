#include "cycles/storage.h"

#include <stdlib.h>

enum {
   GRANULE = 4, /* bytes */
   GRANULES = 1 << 12,
   PROBES_MAX = 16,
   OWN_MEMORY = 0x7a3d, /* root of a thread's own memory */
   LAST_REGISTER = CG2P_REGISTERS - 1,
};

static uint64_t mix(uint64_t a, uint64_t b)
{
   uint64_t mixed = (a ^ b * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
   return mixed ^ mixed >> 32;
}

void cg2p_storage_begin(Storage* storage, Failure* failure, uint32_t length)
{
   storage->records_max = 3 * length + 1;
   storage->records = cg2p_memory_allocate(
      failure, storage->records_max * sizeof *storage->records);
   storage->granules =
      cg2p_memory_allocate(failure, GRANULES * sizeof *storage->granules);
}

static SymbolicValue fresh(Storage* storage)
{
   return (SymbolicValue){mix(++storage->fresh, 1) | 1, 0};
}

void cg2p_storage_forget(Storage* storage)
{
   storage->window++;
   storage->n_records = 0;
   for (int i = 0; i < CG2P_REGISTERS; i++)
      storage->registers[i] = fresh(storage);
}

static SymbolicValue value_of(const Storage* storage, uint8_t number)
{
   return storage->registers[number < CG2P_REGISTERS ? number : LAST_REGISTER];
}

SymbolicValue cg2p_storage_address(const Storage* storage,
                                   const cg2p_access* access)
{
   SymbolicValue address = {access->segment ? OWN_MEMORY : 0,
                            access->displacement};
   if (access->base != CG2P_NO_REGISTER) {
      SymbolicValue base = value_of(storage, access->base);
      address.root += base.root;
      address.offset = (uint64_t)address.offset + base.offset;
   }
   if (access->index != CG2P_NO_REGISTER) {
      SymbolicValue index = value_of(storage, access->index);
      address.root += index.root * access->scale;
      address.offset =
         (uint64_t)address.offset + (uint64_t)index.offset * access->scale;
   }
   return address;
}

/*--- Bytes --------------------------------------------------------------*/

static int64_t granule_of(int64_t offset)
{
   return offset >> 2; /* of 4 bytes */
}

/* Where the granule of a key is, or would be. */
static Granule* granule(Storage* storage, uint64_t root, int64_t number)
{
   uint64_t key = mix(root, number);
   Granule* at = NULL;
   for (uint32_t i = 0; i < PROBES_MAX; i++) {
      at = &storage->granules[(key + i) % GRANULES];
      if (at->window != storage->window || at->key == key) break;
   }
   if (at->window != storage->window || at->key != key)
      *at = (Granule){.key = key}; /* of no window */
   return at;
}

static Record* record_of(Storage* storage, const Granule* at)
{
   return at->window == storage->window ? &storage->records[at->record] : NULL;
}

static bool overlaps(const Record* record, SymbolicValue address, uint32_t size)
{
   return record->address.offset < address.offset + size &&
          address.offset < record->address.offset + record->size;
}

static bool covers(const Record* record, SymbolicValue address, uint32_t size)
{
   return record->address.offset <= address.offset &&
          record->address.offset + record->size >= address.offset + size;
}

Record* cg2p_storage_find(Storage* storage,
                          SymbolicValue address,
                          uint32_t size,
                          bool* mixed)
{
   Record* last = NULL;
   int64_t end = granule_of(address.offset + size - 1);
   *mixed = false;
   for (int64_t i = granule_of(address.offset); i <= end; i++) {
      Record* record = record_of(storage, granule(storage, address.root, i));
      if (!record || !record->is_store || !overlaps(record, address, size))
         continue;
      *mixed |= last && last != record;
      if (!last || record->number > last->number) last = record;
   }
   if (last && !covers(last, address, size)) *mixed = true;
   return last;
}

static Record*
add_record(Storage* storage, SymbolicValue address, uint32_t size)
{
   uint32_t number = storage->n_records;
   if (storage->n_records + 1 < storage->records_max) storage->n_records++;
   Record* record = &storage->records[number];
   *record = (Record){.address = address, .size = size, .number = number};
   return record;
}

static void set_granule(Storage* storage, const Record* record, int64_t number)
{
   Granule* at = granule(storage, record->address.root, number);
   at->window = storage->window;
   at->record = record->number;
}

SymbolicValue cg2p_storage_load(Storage* storage,
                                SymbolicValue address,
                                uint32_t size,
                                const Record* from,
                                bool mixed)
{
   if (from)
      return !mixed && from->address.offset == address.offset &&
                   from->size >= size
                ? from->value
                : fresh(storage);
   int64_t number = granule_of(address.offset);
   Record* seen = record_of(storage, granule(storage, address.root, number));
   if (seen && !seen->is_store && seen->size == size &&
       seen->address.offset == address.offset)
      return seen->value;
   SymbolicValue value = fresh(storage);
   if (seen) return value;
   Record* record = add_record(storage, address, size);
   record->value = value;
   set_granule(storage, record, number);
   return value;
}

Record* cg2p_storage_store(Storage* storage,
                           SymbolicValue address,
                           uint32_t size,
                           SymbolicValue value)
{
   Record* record = add_record(storage, address, size);
   record->value = value;
   record->is_store = true;
   int64_t end = granule_of(address.offset + size - 1);
   for (int64_t i = granule_of(address.offset); i <= end; i++)
      set_granule(storage, record, i);
   return record;
}

/*--- Registers ----------------------------------------------------------*/

/* What is computed of the same at the same spot is the same. */
static SymbolicValue computed(const Storage* storage,
                              const cg2p_operation* o,
                              uint32_t spot,
                              SymbolicValue loaded)
{
   uint64_t root = mix(spot, 2);
   if (o->access.loads) root = mix(root, mix(loaded.root, loaded.offset));
   for (int i = 0; i < o->n_reads; i++) {
      SymbolicValue read = value_of(storage, o->reads[i]);
      root = mix(root, mix(read.root, read.offset));
   }
   return (SymbolicValue){root | 1, 0};
}

static SymbolicValue plus(SymbolicValue value, int64_t more)
{
   value.offset = (uint64_t)value.offset + more;
   return value;
}

SymbolicValue cg2p_storage_stored(const Storage* storage,
                                  const cg2p_operation* o,
                                  uint32_t spot,
                                  SymbolicValue loaded)
{
   if (o->access2.stores) return loaded;
   if (o->rule_destination == CG2P_NO_REGISTER && !o->access.loads) {
      if (o->rule == CG2P_VALUE_COPY) return value_of(storage, o->rule_source);
      if (o->rule == CG2P_VALUE_CONSTANT)
         return (SymbolicValue){0, o->rule_immediate};
   }
   if (o->rule == CG2P_VALUE_ADD && o->rule_destination == CG2P_NO_REGISTER)
      return plus(loaded, o->rule_immediate);
   if (o->n_reads == 1 && !o->access.loads)
      return value_of(storage, o->reads[0]); /* push */
   return computed(storage, o, spot, loaded);
}

/* The value of what a rule is about. */
static SymbolicValue ruled(const Storage* storage,
                           const cg2p_operation* o,
                           SymbolicValue address,
                           SymbolicValue loaded,
                           SymbolicValue other)
{
   switch (o->rule) {
   case CG2P_VALUE_COPY:
      return value_of(storage, o->rule_source);
   case CG2P_VALUE_ADD:
      return plus(value_of(storage, o->rule_source), o->rule_immediate);
   case CG2P_VALUE_CONSTANT:
      return (SymbolicValue){0, o->rule_immediate};
   case CG2P_VALUE_ADDRESS:
      return address;
   case CG2P_VALUE_LOAD:
      return loaded;
   default:
      return other;
   }
}

void cg2p_storage_write(Storage* storage,
                        const cg2p_operation* o,
                        uint32_t spot,
                        SymbolicValue address,
                        SymbolicValue loaded)
{
   bool adds = o->rule == CG2P_VALUE_ADD;
   SymbolicValue other = adds && o->access.loads && !o->access.stores
                            ? loaded /* pop */
                            : computed(storage, o, spot, loaded);
   uint8_t destination = o->rule_destination;
   SymbolicValue own = destination < CG2P_REGISTERS
                          ? ruled(storage, o, address, loaded, other)
                          : other;
   for (int i = 0; i < o->n_writes; i++)
      if (o->writes[i] < CG2P_REGISTERS)
         storage->registers[o->writes[i]] =
            plus(other, o->writes[i] == destination ? 0 : i);
   if (destination < CG2P_REGISTERS) storage->registers[destination] = own;
}

void cg2p_storage_free(Storage* storage)
{
   free(storage->records);
   free(storage->granules);
}

bool cg2p_storage_is_seen(const Record* store, const cg2p_operation* load)
{
   const cg2p_access* access = &load->access;
   return !load->is_vector && store->is_plain &&
          access->index == CG2P_NO_REGISTER && store->base == access->base;
}
