#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 1 << 18 }; /* bytes that are written at a time */

/* Numbers, of which there are many in what is always packed, take a quarter of
 * the time at the faster level, and are 1 to 3 % larger. */
enum { LEVEL = 6, FAST_LEVEL = 4 };

/*--- Opening ------------------------------------------------------------*/

static bool is_standard(const char* path)
{
   return !strcmp(path, "-");
}

const char* cg2p_output_name(const char* path)
{
   return is_standard(path) ? "standard output" : path;
}

static bool ends_in(const char* text, const char* end)
{
   size_t length = strlen(text), n = strlen(end);
   return length >= n && !strcmp(text + length - n, end);
}

static void begin_packing(Output* output, int level)
{
   enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
   z_stream* z = cg2p_memory_allocate(output->failure, sizeof *z);
   output->packer = z;
   output->packed = cg2p_memory_allocate(output->failure, PIECE);
   if (deflateInit2(z, level, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                    Z_DEFAULT_STRATEGY) != Z_OK)
      cg2p_failure_memory(output->failure, PIECE);
}

/* Opens a file that gets its name when it is complete. */
static void open_unfinished(Output* output, const char* path)
{
   static const char unfinished[] = ".unfinished";
   output->unfinished =
      cg2p_memory_allocate(output->failure, strlen(path) + sizeof unfinished);
   strcpy(output->unfinished, path);
   strcat(output->unfinished, unfinished);
   output->fd =
      open(output->unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (output->fd < 0) {
      int code = errno;
      free(output->unfinished);
      output->unfinished = NULL;
      cg2p_failure_system(output->failure, code);
   }
}

/* Opens what is packed at a level of zlib's; 0: it is not packed. A device or a
 * pipe stays what it is. */
static void
open_file(Output* output, Failure* failure, const char* path, int level)
{
   struct stat there;
   *output = (Output){.failure = failure, .fd = -1};
   output->text = cg2p_memory_allocate(failure, PIECE);
   if (level) begin_packing(output, level);
   bool is_stdout = is_standard(path);
   bool is_there = !is_stdout && !stat(path, &there);
   if (!is_stdout && (!is_there || S_ISREG(there.st_mode))) {
      open_unfinished(output, path);
      return;
   }
   output->fd =
      is_stdout ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
   if (output->fd < 0) cg2p_failure_system(failure, errno);
}

void cg2p_output_open(Output* output, Failure* failure, const char* path)
{
   open_file(output, failure, path, ends_in(path, ".gz") ? LEVEL : 0);
}

void cg2p_output_open_packed(Output* output, Failure* failure, const char* path)
{
   open_file(output, failure, path, FAST_LEVEL);
}

/*--- Writing ------------------------------------------------------------*/

static void write_bytes(Output* output, const void* bytes, size_t n)
{
   const char* from = bytes;
   while (n) {
      ssize_t done = write(output->fd, from, n);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) cg2p_failure_system(output->failure, errno);
      from += done;
      n -= done;
   }
}

static void pack(Output* output, int flush)
{
   z_stream* z = output->packer;
   z->next_in = (Bytef*)output->text;
   z->avail_in = output->n;
   do {
      z->next_out = output->packed;
      z->avail_out = PIECE;
      deflate(z, flush);
      write_bytes(output, output->packed, PIECE - z->avail_out);
   } while (z->avail_out == 0);
}

static void flush(Output* output)
{
   if (output->packer)
      pack(output, Z_NO_FLUSH);
   else
      write_bytes(output, output->text, output->n);
   output->n = 0;
}

void cg2p_output_text(Output* output, const char* text, size_t length)
{
   while (length > PIECE - output->n) {
      size_t room = PIECE - output->n;
      memcpy(output->text + output->n, text, room);
      output->n = PIECE;
      flush(output);
      text += room;
      length -= room;
   }
   memcpy(output->text + output->n, text, length);
   output->n += length;
}

void cg2p_output_string(Output* output, const char* text)
{
   cg2p_output_text(output, text, strlen(text));
}

/* Writes a number to base 10 or 16. */
static inline void write_number(Output* output, uint64_t number, unsigned base)
{
   char digits[24], *p = digits + sizeof digits;
   do
      *--p = "0123456789abcdef"[number % base];
   while (number /= base);
   cg2p_output_text(output, p, digits + sizeof digits - p);
}

void cg2p_output_decimal(Output* output, uint64_t number)
{
   write_number(output, number, 10);
}

void cg2p_output_hexadecimal(Output* output, uint64_t number)
{
   cg2p_output_text(output, "0x", 2);
   write_number(output, number, 16);
}

/*--- The end ------------------------------------------------------------*/

/* The file's name, which is that of the unfinished one without its end. */
static char* finished_name(const Output* output)
{
   size_t length = strrchr(output->unfinished, '.') - output->unfinished;
   char* name = cg2p_memory_allocate(output->failure, length + 1);
   memcpy(name, output->unfinished, length);
   return name;
}

void cg2p_output_finish(Output* output)
{
   if (output->packer)
      pack(output, Z_FINISH);
   else
      write_bytes(output, output->text, output->n);
   output->n = 0;
   int fd = output->fd;
   output->fd = -1;
   if (close(fd) < 0) cg2p_failure_system(output->failure, errno);
   if (!output->unfinished) return;
   char* name = finished_name(output);
   int failed = rename(output->unfinished, name) < 0 ? errno : 0;
   free(name);
   if (failed) cg2p_failure_system(output->failure, failed);
   free(output->unfinished);
   output->unfinished = NULL;
}

void cg2p_output_close(Output* output)
{
   if (output->fd >= 0) close(output->fd);
   if (output->unfinished) unlink(output->unfinished);
   if (output->packer) deflateEnd(output->packer);
   free(output->unfinished);
   free(output->packer);
   free(output->packed);
   free(output->text);
   *output = (Output){.fd = -1};
}
