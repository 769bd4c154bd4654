#include "run/firststack.h"

#include "arch/vexcpu.h"
#include "profile/files/dump.h"
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

/*--- All ----------------------------------------------------------------*/

void cg2_firststack_begin(Addr sp)
{
   UWord* word = (UWord*)sp + 1;
   SizeT bytes = 0;
   while (*word++)
      ;
   for (; *word; word++)
      bytes += VG_(strlen)((const HChar*)*word) + 1;
   describe_environment(bytes);
   const CpuidcodeConfig* config = &cg2_cpuidcode_config;
   cg2_vexcpu_see(word + 1, config->chosen ? &config->cpu : NULL);
}
