#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 1 << 16 }; /* bytes that are written at a time */

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

/* The path of a file beside another one, of a name that nobody can guess. */
static char* path_beside(Failure* failure, const char* path)
{
   enum { NAME_MAX_BYTES = 255, END_MAX = 40 };
   uint32_t chance;
   if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != sizeof chance) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      chance = now.tv_nsec ^ (uintptr_t)&now;
   }
   char end[END_MAX];
   int n_end = snprintf(end, sizeof end, ".%d-%08x.unfinished", (int)getpid(),
                        (unsigned)chance);
   const char* slash = strrchr(path, '/');
   size_t n_front = slash ? slash + 1 - path : 0;
   size_t n_name = strlen(path) - n_front;
   if (n_name + n_end > NAME_MAX_BYTES) n_name = NAME_MAX_BYTES - n_end;
   char* beside = cg2p_memory_allocate(failure, n_front + n_name + n_end + 1);
   memcpy(beside, path, n_front + n_name);
   memcpy(beside + n_front + n_name, end, n_end + 1);
   return beside;
}

/* Whether an error says that a directory takes no new file, or that a file in
 * it cannot be replaced. */
static bool is_closed(int code)
{
   return code == EACCES || code == EPERM || code == EROFS || code == EBUSY ||
          code == EXDEV;
}

/* Opens a file that gets its name when it is complete. */
static void open_unfinished(Output* output, const char* path)
{
   enum { TRIES = 100 };
   int code = EEXIST;
   for (unsigned i = 0; i < TRIES && output->fd < 0 && code == EEXIST; i++) {
      free(output->unfinished);
      output->unfinished = path_beside(output->failure, path);
      output->fd = open(output->unfinished,
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      code = errno;
   }
   if (output->fd >= 0) {
      output->name = cg2p_memory_allocate(output->failure, strlen(path) + 1);
      strcpy(output->name, path);
      return;
   }
   free(output->unfinished);
   output->unfinished = NULL;
   if (is_closed(code))
      output->fd = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
   if (output->fd < 0) cg2p_failure_system(output->failure, code);
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

/* Copies a file to where another one is. 0, or an errno. */
static int copy_over(const char* from, const char* to)
{
   static const int flags = O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
   int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, flags);
   ssize_t n = -(in < 0 || out < 0);
   while (n >= 0 && (n = sendfile(out, in, NULL, PIECE)) > 0) {
   }
   int code = n < 0 ? errno : 0;
   if (in >= 0) close(in);
   if (out >= 0 && close(out) < 0 && !code) code = errno;
   return code;
}

/* Gives the file its name, or its text to the file of that name. */
static void give_name(Output* output)
{
   int code = rename(output->unfinished, output->name) < 0 ? errno : 0;
   if (code && is_closed(code)) {
      if (!copy_over(output->unfinished, output->name)) code = 0;
      if (!code) unlink(output->unfinished);
   }
   if (code) cg2p_failure_system(output->failure, code);
   free(output->unfinished);
   output->unfinished = NULL;
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
   if (output->unfinished) give_name(output);
}

void cg2p_output_close(Output* output)
{
   if (output->fd >= 0) close(output->fd);
   if (output->unfinished) unlink(output->unfinished);
   if (output->packer) deflateEnd(output->packer);
   free(output->name);
   free(output->unfinished);
   free(output->packer);
   free(output->packed);
   free(output->text);
   *output = (Output){.fd = -1};
}
