#include "run/firststack.h"

#include "arch/vexcpu.h"
#include "data/counting/othermemory.h"
#include "data/static/threadlocals.h"
#include "profile/files/dump.h"
#include "repeat/repeatconfig.h"
#include "translate/cpuidcode.h"

/*--- The environment ----------------------------------------------------*/

/* Reads the hexadecimal number that a file of the kernel consists of. False: it
 * cannot be read. */
static Bool read_number(const HChar* path, ULong* number)
{
   HChar text[32];
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return False;
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   if (n <= 0) return False;
   text[n] = '\0';
   *number = VG_(strtoull16)(text, NULL);
   return True;
}

/* Says whether the kernel chooses addresses at random; nothing if it does not
 * say. Source: Linux, personality.h: ADDR_NO_RANDOMIZE. */
static const HChar* randomisation(void)
{
   enum { NO_RANDOMISATION = 0x40000 };
   ULong personality, setting;
   if (!read_number("/proc/self/personality", &personality) ||
       !read_number("/proc/sys/kernel/randomize_va_space", &setting))
      return "";
   Bool is_off = personality & NO_RANDOMISATION || setting == 0;
   return is_off ? ", ASLR off" : ", ASLR on";
}

static void describe_environment(SizeT bytes)
{
   HChar text[64];
   VG_(sprintf)
   (text, "Environment: %lu bytes%s", (UWord)bytes, randomisation());
   cg2_dump_describe(text);
}

/*--- The auxiliary vector -----------------------------------------------*/

/* Source: Linux, uapi/linux/auxvec.h. */
enum { AT_END = 0, AT_PROGRAM_HEADERS = 3 };

static void read_auxiliary(UWord* auxiliary)
{
   for (const UWord* word = auxiliary; word[0] != AT_END; word += 2)
      if (word[0] == AT_PROGRAM_HEADERS) cg2_threadlocals_begin(word[1]);
   cg2_vexcpu_see(auxiliary, cg2_cpuidcode_chosen());
}

/*--- All ----------------------------------------------------------------*/

void cg2_firststack_begin(Addr sp)
{
   UWord* word = (UWord*)sp + 1;
   SizeT bytes = 0;
   while (*word++)
      ;
   for (; *word; word++)
      bytes += VG_(strlen)((const HChar*)*word) + 1;
   if (!cg2_repeat_config.is_on) describe_environment(bytes);
   read_auxiliary(word + 1);
   cg2_othermemory_begin(sp);
}
