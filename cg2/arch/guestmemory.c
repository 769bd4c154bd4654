#include "arch/guestmemory.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcsetjmp.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_signals.h"

/* Reason for a mutable file-scope object: Valgrind calls who catches a fault
 * without an argument. */
static VG_MINIMAL_JMP_BUF(fault);

static void catch (Int signal, Addr address)
{
   (void)signal, (void)address;
   VG_MINIMAL_LONGJMP(fault);
}

/* Copies what lies on one page. False if that faults. The kernel holds signals
 * of a kind back while one is handled, which a jump out of it does not end. */
static Bool copy_within_page(void* to, const void* from, SizeT n)
{
   vki_sigset_t signals;
   VG_(sigprocmask)(VKI_SIG_SETMASK, NULL, &signals);
   fault_catcher_t before = VG_(set_fault_catcher)(catch);
   Bool is_good = VG_MINIMAL_SETJMP(fault) == 0;
   if (is_good)
      VG_(memcpy)(to, from, n);
   else
      VG_(sigprocmask)(VKI_SIG_SETMASK, &signals, NULL);
   VG_(set_fault_catcher)(before);
   return is_good;
}

/* How many of the `n` bytes from an address are on its page. */
static SizeT within_page(Addr address, SizeT n)
{
   SizeT room = VKI_PAGE_SIZE - (address & (VKI_PAGE_SIZE - 1));
   return n < room ? n : room;
}

SizeT cg2_guestmemory_read(void* to, Addr from, SizeT n)
{
   SizeT done = 0, size;
   for (; done < n; done += size) {
      size = within_page(from + done, n - done);
      if (!VG_(am_is_valid_for_client)(from + done, size, VKI_PROT_READ) ||
          !copy_within_page((UChar*)to + done, (const void*)(from + done),
                            size))
         break;
   }
   return done;
}

Bool cg2_guestmemory_write(Addr to, const void* from, SizeT n)
{
   if (!VG_(am_is_valid_for_client)(to, n, VKI_PROT_WRITE)) return False;
   SizeT done = 0, size;
   for (; done < n; done += size) {
      size = within_page(to + done, n - done);
      if (!copy_within_page((void*)(to + done), (const UChar*)from + done,
                            size))
         return False;
   }
   return True;
}

HChar* cg2_guestmemory_text(Addr address, SizeT most)
{
   HChar* text = NULL;
   SizeT n = 0, size = VKI_PAGE_SIZE;
   Bool goes_on = most > 0;
   while (goes_on) {
      SizeT wanted = within_page(address + n, most - n);
      text = VG_(realloc)("cg2.text", text, n + wanted + 1);
      size = cg2_guestmemory_read(text + n, address + n, wanted);
      text[n + size] = '\0';
      SizeT length = VG_(strlen)(text + n);
      n += length;
      goes_on = length == wanted && n < most;
   }
   if (n || size) return text;
   VG_(free)(text);
   return NULL;
}
