#include "profile/callgrind/forwardlist.h"

static Bool is_told(const Forwarded* f, UInt thread)
{
   const Object* object = f->load->object;
   return f->n && (!thread || f->thread == thread) && object->has_functions &&
          f->store->object == object && !VG_(strrchr)(object->name->text, '\t');
}

/* By object, load, store and how long ago; then those of several threads. */
static Int compare(const void* va, const void* vb)
{
   const Forwarded *a = *(const Forwarded*const*)va,
                   *b = *(const Forwarded*const*)vb;
   Int order =
      VG_(strcmp)(a->load->object->name->text, b->load->object->name->text);
   const ULong keys[][2] = {{a->load->offset, b->load->offset},
                            {a->store->offset, b->store->offset},
                            {a->ago, b->ago},
                            {b->is_whole, a->is_whole}};
   for (UInt i = 0; !order && i < sizeof keys / sizeof *keys; i++)
      order = keys[i][0] < keys[i][1] ? -1 : keys[i][0] > keys[i][1];
   return order;
}

static void write(Scribe* s, const Forwarded* f, ULong n)
{
   cg2_sink_decimal(s->sink, n);
   cg2_scribe_text(s, " ");
   cg2_sink_hex(s->sink, f->load->offset);
   cg2_scribe_text(s, " ");
   cg2_sink_hex(s->sink, f->store->offset);
   cg2_scribe_text(s, " ");
   cg2_sink_decimal(s->sink, f->ago);
   cg2_scribe_text(s, f->is_whole ? " " : " partly ");
   cg2_scribe_escaped(s, f->load->object->name->text);
}

/* What is told, in order. To be freed. */
static const Forwarded**
find(const Forwarding* forwarding, UInt thread, UInt* n)
{
   const Table* counts = &forwarding->counts;
   const Forwarded** all =
      VG_(malloc)("cg2.forwardlist", (counts->n_nodes + 1) * sizeof *all);
   *n = 0;
   for (UWord i = 0; i < counts->n_buckets; i++)
      for (TableNode* node = counts->buckets[i]; node; node = node->next)
         if (is_told((Forwarded*)node, thread)) all[(*n)++] = (Forwarded*)node;
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare);
   return all;
}

/* Adds up what is alike but for the thread; how many there are then. *sums: how
 * often each was. To be freed. */
static UInt add_up(const Forwarded** all, UInt n, ULong** sums)
{
   UInt n_alike = 0;
   *sums = VG_(calloc)("cg2.forwardlist", n + 1, sizeof **sums);
   for (UInt i = 0; i < n; i++) {
      if (!n_alike || compare(&all[n_alike - 1], &all[i]) != 0)
         all[n_alike++] = all[i];
      (*sums)[n_alike - 1] += all[i]->n;
   }
   return n_alike;
}

void cg2_forwardlist_write(Scribe* s,
                           const Forwarding* forwarding,
                           UInt thread,
                           ULong instrs)
{
   enum { PART = 1000000 };
   UInt n;
   ULong* sums;
   Bool has_any = False;
   const Forwarded** all = find(forwarding, thread, &n);
   n = add_up(all, n, &sums);
   for (UInt i = 0; i < n; i++) {
      if (sums[i] < instrs / PART) continue;
      cg2_scribe_text(s, has_any ? "\t" : "desc: Forwarded: ");
      write(s, all[i], sums[i]);
      has_any = True;
   }
   if (has_any) cg2_scribe_end_line(s);
   VG_(free)(sums);
   VG_(free)(all);
}
