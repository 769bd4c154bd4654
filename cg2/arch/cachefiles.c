#include "arch/cachefiles.h"

enum { PATH = 256, TEXT = sizeof((CacheFacts*)0)->type };

/* Reads the first word of a file about cache number `index`, which is empty if
 * there is no such file. False: it is empty. */
static Bool
read_word(const HChar* directory, UInt index, const HChar* name, HChar* word)
{
   HChar path[PATH];
   word[0] = '\0';
   if (VG_(strlen)(directory) + VG_(strlen)(name) + TEXT > PATH) return False;
   VG_(sprintf)(path, "%s/index%u/%s", directory, index, name);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return False;
   Int n = VG_(read)(sr_Res(file), word, TEXT - 1);
   VG_(close)(sr_Res(file));
   word[n > 0 ? n : 0] = '\0';
   for (HChar* end = word; *end; end++)
      if (*end == '\n') *end = '\0';
   return word[0] != '\0';
}

/* The number in a file, which may be one of kilobytes or megabytes; 0: there is
 * no such file, or it has something else. */
static ULong read_number(const HChar* directory, UInt index, const HChar* name)
{
   HChar word[TEXT], *end;
   if (!read_word(directory, index, name, word)) return 0;
   ULong number = VG_(strtoull10)(word, &end);
   if (*end == 'K') return number << 10;
   if (*end == 'M') return number << 20;
   return *end ? 0 : number;
}

Bool cg2_cachefiles_read(const HChar* directory, UInt index, CacheFacts* facts)
{
   *facts = (CacheFacts){
      .level = read_number(directory, index, "level"),
      .size = read_number(directory, index, "size"),
      .ways = read_number(directory, index, "ways_of_associativity"),
      .line = read_number(directory, index, "coherency_line_size"),
   };
   return read_word(directory, index, "type", facts->type);
}
