/* Makes each request that takes a pointer with one that leads astray. The
   argument says where to:

   nowhere    address 0
   unmapped   a page that is not mapped any more
   behind     a mapped file behind its end
   edge       the last four letters of a mapped file
   constant   memory that cannot be written, with the text "cons"
   million    a text of a million letters
   tool       memory of the tool itself that it writes to; without one, address
   0

   leaf is called once, then twice after DUMP_AT, three times after PHASE, and
   four times after all the others. It prints whether Ir could be read, by the
   name that the pointer leads to, and to where it leads. */

#include "../../cg2/cg2.h"
#include "counted.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MILLION = 1000 * 1000 };

static volatile long state;

COUNTED void leaf(void)
{
   state++;
}

COUNTED void leaves(int n)
{
   for (int i = 0; i < n; i++)
      leaf();
}

/* Two pages of a file that has `size` bytes, each an x. */
static char* map_file(size_t size)
{
   FILE* file = tmpfile();
   for (size_t i = 0; i < size; i++)
      putc('x', file);
   fflush(file);
   return mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file),
               0);
}

static char* make_million(void)
{
   char* text = malloc(MILLION + 1);
   memset(text, 'm', MILLION);
   text[MILLION] = '\0';
   return text;
}

/* Where the tool, whose program is mapped as any other, has its variables. */
static char* find_tool(void)
{
   char line[500];
   unsigned long address = 0;
   FILE* maps = fopen("/proc/self/maps", "r");
   while (!address && fgets(line, sizeof line, maps))
      if (strstr(line, " rw-p ") && strstr(line, "/cg2-"))
         address = strtoul(line, NULL, 16);
   fclose(maps);
   return (char*)address;
}

static char* lead(const char* where)
{
   if (strcmp(where, "tool") == 0) return find_tool();
   if (strcmp(where, "unmapped") == 0) {
      char* page = map_file(PAGE);
      munmap(page, 2 * PAGE);
      return page;
   }
   if (strcmp(where, "behind") == 0) return map_file(PAGE) + PAGE;
   if (strcmp(where, "edge") == 0) return map_file(PAGE) + PAGE - 4;
   if (strcmp(where, "constant") == 0) {
      char* page = map_file(PAGE);
      strcpy(page, "cons");
      mprotect(page, PAGE, PROT_READ);
      return page;
   }
   return strcmp(where, "million") == 0 ? make_million() : NULL;
}

int main(int argc, char** argv)
{
   if (argc != 2) return 2;
   char* astray = lead(argv[1]);
   unsigned long long value = 99;
   leaves(1);
   CG2_DUMP_AT(astray);
   leaves(2);
   CG2_PHASE(astray);
   leaves(3);
   CG2_SKIP_OBJECT(astray);
   CG2_DESCRIBE(astray);
   int by_name = CG2_READ_EVENT(astray, &value);
   int to_place = CG2_READ_EVENT("Ir", astray);
   leaves(4);
   printf("%d %llu %d\n", by_name, value, to_place);
   return 0;
}
