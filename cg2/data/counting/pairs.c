#include "data/counting/pairs.h"

#include "base/arena.h"

/* How many places an object has, and how many pairs begin in it. */
typedef struct ObjectPairs {
   UInt n_places, n_pairs;
} ObjectPairs;

/* Reason for a mutable file-scope object: all pairs and places. */
static struct {
   Table pairs, places;
   ObjectPairs* of; /* by number of an object */
   UInt n;
} known;

/* Makes room in `known` for an object. */
static void know(const DataObject* object)
{
   if (object->number < known.n) return;
   UInt n = 2 * object->number + 16;
   known.of = VG_(realloc)("cg2.pairs", known.of, n * sizeof *known.of);
   VG_(memset)(known.of + known.n, 0, (n - known.n) * sizeof *known.of);
   known.n = n;
}

/*--- Places -------------------------------------------------------------*/

static ULong hash_of_place(const DataObject* object, ULong offset, UInt tid)
{
   return cg2_hash_word(cg2_hash_word(cg2_hash_word(0, object->number), offset),
                        tid);
}

static PairPlace* find_place(const DataObject* object, ULong offset, UInt tid)
{
   ULong hash = hash_of_place(object, offset, tid);
   for (TableNode* n = cg2_table_first(&known.places, hash); n;
        n = cg2_table_next(n)) {
      PairPlace* p = (PairPlace*)n;
      if (p->object == object && p->offset == offset && p->tid == tid) return p;
   }
   return NULL;
}

static PairPlace* add_place(DataObject* object, ULong offset, UInt tid)
{
   PairPlace* p = cg2_arena_new(sizeof *p);
   p->object = object;
   p->offset = offset;
   p->tid = tid;
   cg2_table_add(&known.places, &p->node, hash_of_place(object, offset, tid));
   return p;
}

const PairPlace* cg2_pairs_place(DataObject* object, ULong offset, UInt tid)
{
   PairPlace* p = find_place(object, offset, tid);
   if (p) return p;
   know(object);
   if (known.of[object->number].n_places < PAIR_PLACES) {
      known.of[object->number].n_places++;
      return add_place(object, offset, tid);
   }
   p = find_place(object, PAIR_ANYWHERE, tid);
   return p ? p : add_place(object, PAIR_ANYWHERE, tid);
}

static const PairPlace* anywhere(const PairPlace* place)
{
   PairPlace* p = find_place(place->object, PAIR_ANYWHERE, place->tid);
   return p ? p : add_place(place->object, PAIR_ANYWHERE, place->tid);
}

/*--- Pairs --------------------------------------------------------------*/

static ULong
hash_of_pair(PairKind kind, const PairPlace* from, const PairPlace* to)
{
   return cg2_hash_word(cg2_hash_word(cg2_hash_word(0, kind), (UWord)from),
                        (UWord)to);
}

static Pair*
find_pair(PairKind kind, const PairPlace* from, const PairPlace* to)
{
   ULong hash = hash_of_pair(kind, from, to);
   for (TableNode* n = cg2_table_first(&known.pairs, hash); n;
        n = cg2_table_next(n)) {
      Pair* p = (Pair*)n;
      if (p->kind == kind && p->from == from && p->to == to) return p;
   }
   return NULL;
}

static Pair* add_pair(PairKind kind, const PairPlace* from, const PairPlace* to)
{
   Pair* p = VG_(calloc)("cg2.pairs", 1, sizeof *p);
   p->kind = kind;
   p->from = from;
   p->to = to;
   known.of[from->object->number].n_pairs++;
   cg2_table_add(&known.pairs, &p->node, hash_of_pair(kind, from, to));
   return p;
}

void cg2_pairs_count(PairKind kind, const PairPlace* from, const PairPlace* to)
{
   Pair* p = find_pair(kind, from, to);
   if (!p && known.of[from->object->number].n_pairs >= PAIRS_MAX) {
      from = anywhere(from);
      to = anywhere(to);
      p = find_pair(kind, from, to);
   }
   if (!p) p = add_pair(kind, from, to);
   p->count++;
}

/*--- All pairs ----------------------------------------------------------*/

static Int compare(ULong a, ULong b)
{
   return a < b ? -1 : a > b;
}

/* By what pairs that are alike have in common. */
static Int compare_kinds(const Pair* a, const Pair* b)
{
   Int order = compare(a->kind, b->kind);
   if (!order)
      order = compare(a->from->object->number, b->from->object->number);
   if (!order) order = compare(a->from->tid, b->from->tid);
   return order ? order : compare(a->to->tid, b->to->tid);
}

static Int compare_pairs(const void* va, const void* vb)
{
   const Pair *a = *(Pair*const*)va, *b = *(Pair*const*)vb;
   Int order = compare_kinds(a, b);
   if (!order) order = compare(a->from->offset, b->from->offset);
   if (!order) order = compare(a->to->object->number, b->to->object->number);
   return order ? order : compare(a->to->offset, b->to->offset);
}

Bool cg2_pairs_are_alike(const Pair* a, const Pair* b)
{
   return compare_kinds(a, b) == 0;
}

UWord cg2_pairs_n(void)
{
   return known.pairs.n_nodes;
}

Pair** cg2_pairs_all(UWord* n, UInt tid)
{
   Pair** all =
      VG_(malloc)("cg2.pairs", (known.pairs.n_nodes + 1) * sizeof *all);
   *n = 0;
   for (UWord i = 0; i < known.pairs.n_buckets; i++)
      for (TableNode* node = known.pairs.buckets[i]; node; node = node->next) {
         Pair* p = (Pair*)node;
         if (!tid || p->to->tid == tid) all[(*n)++] = p;
      }
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare_pairs);
   return all;
}

void cg2_pairs_zero(UInt tid)
{
   UWord n;
   Pair** all = cg2_pairs_all(&n, tid);
   for (UWord i = 0; i < n; i++) {
      cg2_table_remove(&known.pairs, &all[i]->node);
      known.of[all[i]->from->object->number].n_pairs--;
      VG_(free)(all[i]);
   }
   VG_(free)(all);
}
