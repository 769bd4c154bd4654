#include "ask/sourcelines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a regular file that is not changed meanwhile; says how many bytes it
 * has, 0 if it cannot be read. */
static size_t read_text(SourceLines* lines, Failure* failure, const char* path)
{
   struct stat file;
   if (!path || stat(path, &file) || !S_ISREG(file.st_mode)) return 0;
   size_t size = file.st_size;
   lines->text =
      cg2p_memory_grow(failure, lines->text, &lines->text_room, size + 1, 1);
   int fd = open(path, O_RDONLY | O_CLOEXEC);
   if (fd < 0) return 0;
   size_t n = 0;
   for (ssize_t more = 1; more > 0 && n<size; n += more> 0 ? more : 0)
      more = read(fd, lines->text + n, size - n);
   close(fd);
   return n == size ? n : 0;
}

static bool is_blank(char c)
{
   return c == ' ' || c == '\t' || c == '\r';
}

/* What the text of a line is hashed to, not 0. */
static uint64_t number_of(const char* begin, const char* end)
{
   while (begin < end && is_blank(*begin))
      begin++;
   while (begin < end && is_blank(end[-1]))
      end--;
   uint64_t mixed = 1;
   for (; begin < end; begin++)
      mixed =
         (mixed ^ (unsigned char)*begin ^ mixed >> 29) * 0x9e3779b97f4a7c15ull;
   return mixed ? mixed : 1;
}

static void add_line(SourceLines* lines,
                     Failure* failure,
                     const char* begin,
                     const char* end)
{
   lines->of = cg2p_memory_grow(failure, lines->of, &lines->room, lines->n + 1,
                                sizeof *lines->of);
   lines->of[lines->n++] = number_of(begin, end);
}

void cg2p_sourcelines_read(SourceLines* lines,
                           Failure* failure,
                           const char* path)
{
   lines->n = 0;
   size_t size = read_text(lines, failure, path);
   if (!size) return;
   const char *begin = lines->text, *end = begin + size;
   while (begin < end) {
      const char* newline = memchr(begin, '\n', end - begin);
      const char* behind = newline ? newline : end;
      add_line(lines, failure, begin, behind);
      begin = behind + 1;
   }
}

void cg2p_sourcelines_free(SourceLines* lines)
{
   free(lines->of);
   free(lines->text);
}
