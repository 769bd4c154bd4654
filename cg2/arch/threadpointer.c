#include "arch/threadpointer.h"

#include "pub_tool_guest.h"
#include "pub_tool_machine.h"

#define REGISTER(name)                                                         \
   offsetof(VexGuestArchState, guest_##name),                                  \
      sizeof(((VexGuestArchState*)0)->guest_##name)

/* Reads a register of a thread. */
static void get(UInt tid, SizeT offset, SizeT size, void* to)
{
   VG_(get_shadow_regs_area)(tid, to, 0, offset, size);
}

#if defined(__i386__)

/* Source: Linux, set_thread_area(2): the selector in %gs says which entry of
 * the thread's table of segments has its address; Intel's manual, volume 3: a
 * selector's lower three bits are no part of the entry's number. */
Addr cg2_threadpointer_of(UInt tid)
{
   UShort selector;
   ULong table;
   get(tid, REGISTER(GS), &selector);
   get(tid, REGISTER(GDT), &table);
   UInt number = selector >> 3;
   if (!table || number >= VEX_GUEST_X86_GDT_NENT) return 0;
   const VexGuestX86SegDescr* entry =
      (const VexGuestX86SegDescr*)(Addr)table + number;
   return entry->LdtEnt.Bits.BaseLow | entry->LdtEnt.Bits.BaseMid << 16 |
          (UInt)entry->LdtEnt.Bits.BaseHi << 24;
}

#else

Addr cg2_threadpointer_of(UInt tid)
{
   ULong address;
#if defined(__x86_64__)
   get(tid, REGISTER(FS_CONST), &address);
#elif defined(__aarch64__)
   get(tid, REGISTER(TPIDR_EL0), &address);
#endif
   return address;
}

#endif
