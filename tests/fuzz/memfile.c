#include "memfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void fail(const char* what)
{
   fprintf(stderr, "%s\n", what);
   abort();
}

/*--- Files --------------------------------------------------------------*/

const char* memfile_make(unsigned i, const void* content, size_t size)
{
   static int files[MEMFILES];
   static char paths[MEMFILES][32];
   if (!files[i]) {
      files[i] = memfd_create("profile", 0);
      if (files[i] < 0) fail("there is no file in memory");
      snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", files[i]);
   }
   if (ftruncate(files[i], 0) || pwrite(files[i], content, size, 0) < 0)
      fail("a file in memory cannot be written");
   return paths[i];
}

/* Standard output is a file in memory from the first call on. */
void memfile_clear_output(void)
{
   static bool is_made;
   if (!is_made) {
      int file = memfd_create("output", 0);
      if (file < 0 || dup2(file, STDOUT_FILENO) < 0)
         fail("there is no file in memory");
      is_made = true;
   }
   if (ftruncate(STDOUT_FILENO, 0) || lseek(STDOUT_FILENO, 0, SEEK_SET))
      fail("a file in memory cannot be cleared");
}

Content memfile_written(const cg2p_profile* profile, unsigned form)
{
   cg2p_error error;
   struct stat there;
   memfile_clear_output();
   if (!cg2p_profile_write(profile, "-", form, &error)) fail(error.text);
   if (fstat(STDOUT_FILENO, &there)) fail("what was written is lost");
   Content content = {malloc(there.st_size + 1), there.st_size};
   if (pread(STDOUT_FILENO, content.text, content.size, 0) !=
       (ssize_t)content.size)
      fail("what was written cannot be read");
   return content;
}

bool is_same_content(Content a, Content b)
{
   return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

/*--- Errors -------------------------------------------------------------*/

void check_error(const cg2p_error* error)
{
   size_t length = strnlen(error->text, sizeof error->text);
   if (error->kind < CG2P_MALFORMED || error->kind > CG2P_CUT_OFF)
      fail("an error of no kind");
   if (!length || length == sizeof error->text)
      fail("an error without an end, or without words");
   for (size_t i = 0; i < length; i++)
      if ((unsigned char)error->text[i] < ' ') fail("an error of two lines");
}
