#include "data/heap/maps.h"

#include "arch/guest.h"
#include "data/heap/allocsites.h"
#include "data/heap/heapblocks.h"
#include "data/heap/holders.h"

/* Source: Linux's headers, for all processors that are here. */
enum { MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MREMAP_DONTUNMAP = 4 };

/* Whether an address is in a map of a file. */
static Bool is_of_file(Addr address)
{
   HeapStretch s = cg2_heapblocks_find_map(address);
   return s.owner && !cg2_holders_get(s.owner)->object;
}

/* Maps of files have an owner without an object. What is mapped into one is the
 * .bss of an ELF object. */
static void note_mmap(Addr start, SizeT size, UWord flags)
{
   Bool is_file =
      !(flags & MAP_ANONYMOUS) || ((flags & MAP_FIXED) && is_of_file(start));
   DataObject* object = is_file ? NULL : cg2_allocsites_find_map();
   cg2_heapblocks_add(LAYER_MAP, start, size, cg2_holders_number(object, 0));
}

/* Memory that was moved or has grown belongs to whom it did. */
static void
note_mremap(Addr old, SizeT old_size, Addr start, SizeT size, UWord flags)
{
   HeapStretch s = cg2_heapblocks_find_map(old);
   UInt owner = s.owner ? s.owner : cg2_holders_number(NULL, 0);
   if (!(flags & MREMAP_DONTUNMAP)) cg2_heapblocks_unmap(old, old_size);
   cg2_heapblocks_add(LAYER_MAP, start, size, owner);
}

Bool cg2_maps_are_changed_by(UInt number)
{
   return number == GUEST_SYSCALL_MMAP || number == GUEST_SYSCALL_MUNMAP ||
          number == GUEST_SYSCALL_MREMAP;
}

void cg2_maps_note(UInt number, const UWord* args, UWord result)
{
   if (number == GUEST_SYSCALL_MMAP)
      note_mmap(result, args[1], args[3]);
   else if (number == GUEST_SYSCALL_MUNMAP)
      cg2_heapblocks_unmap(args[0], args[1]);
   else
      note_mremap(args[0], args[1], result, args[2], args[3]);
}
