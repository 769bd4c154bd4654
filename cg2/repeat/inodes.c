#include "repeat/inodes.h"

#include "base/table.h"

enum { FIRST_NUMBER = 1000 };

typedef struct Seen {
   TableNode node;
   ULong device, inode; /* inode 0: the device itself */
   ULong told;
} Seen;

/* Reason for a mutable file-scope object: what the process has seen. */
static Table seen;

static ULong number_of(ULong device, ULong inode)
{
   ULong hash = cg2_hash_word(cg2_hash_word(0, device), inode);
   for (TableNode* n = cg2_table_first(&seen, hash); n; n = cg2_table_next(n)) {
      const Seen* s = (const Seen*)n;
      if (s->device == device && s->inode == inode) return s->told;
   }
   Seen* s = VG_(malloc)("cg2.seen", sizeof *s);
   *s = (Seen){.device = device, .inode = inode};
   s->told = FIRST_NUMBER + seen.n_nodes;
   cg2_table_add(&seen, &s->node, hash);
   return s->told;
}

ULong cg2_inodes_told(ULong device, ULong inode)
{
   return number_of(device, inode ? inode : ~0ULL);
}

ULong cg2_inodes_told_device(ULong device)
{
   return number_of(device, 0);
}
