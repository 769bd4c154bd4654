#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Bytes that are read at a time: no more than a file that is smaller has. */
enum { LEAST_PIECE = 1 << 12, LARGEST_PIECE = 1 << 20 };

/* Bytes of the longest line: a few bytes that are packed can be an endless
 * one. */
enum { LONGEST_LINE = 1 << 26 };

/*--- The file -----------------------------------------------------------*/

uint64_t cg2p_input_size(const Input* input)
{
   return S_ISREG(input->begun.st_mode) ? (uint64_t)input->begun.st_size : 0;
}

static _Noreturn void refuse_changed(const Input* input)
{
   cg2p_failure_at(
      input->failure, 0,
      "the file has changed while it was read; expected one that is "
      "written completely");
}

/* Reads up to `room` bytes to `to`; how many there were. A file that grows as
 * it is read would have no end. */
static size_t read_bytes(Input* input, void* to, size_t room)
{
   uint64_t size = cg2p_input_size(input);
   for (;;) {
      ssize_t n = read(input->fd, to, room);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) cg2p_failure_system(input->failure, errno);
      input->done += n;
      if (size && input->done > size) refuse_changed(input);
      return n;
   }
}

void cg2p_input_check_unchanged(const Input* input)
{
   struct stat now;
   const struct stat* then = &input->begun;
   if (!cg2p_input_size(input)) return;
   if (fstat(input->fd, &now) < 0) cg2p_failure_system(input->failure, errno);
   if (now.st_size != then->st_size ||
       now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
       now.st_mtim.tv_nsec != then->st_mtim.tv_nsec)
      refuse_changed(input);
}

/* How many bytes are read at a time. Has room for the byte after the last: it
 * tells that the file has grown. */
static size_t piece_of(const Input* input)
{
   uint64_t size = cg2p_input_size(input);
   if (!size || size >= LARGEST_PIECE) return LARGEST_PIECE;
   return size < LEAST_PIECE ? LEAST_PIECE : size + 1;
}

/*--- Unpacking ----------------------------------------------------------*/

static void fill_packed(Input* input)
{
   if (input->packed_start < input->packed_end) return;
   input->packed_start = 0;
   input->packed_end = read_bytes(input, input->packed, piece_of(input));
}

static _Noreturn void fail_damaged(const Input* input, const char* name)
{
   uint64_t at = input->done - (input->packed_end - input->packed_start);
   cg2p_input_check_unchanged(input);
   cg2p_failure_at(
      input->failure, 0,
      "the %s data are damaged at byte %llu; expected the whole file", name,
      (unsigned long long)at);
}

/* The packed data end here; fails if more was to come. */
static void end_packed(Input* input, const char* name)
{
   input->lacks_end = !input->is_between;
   if (!input->lacks_end || input->may_be_cut) return;
   cg2p_input_check_unchanged(input);
   cg2p_failure_cut_off(input->failure, 0,
                        "the %s data end at byte %llu; expected the whole file",
                        name, (unsigned long long)input->done);
}

/* What `unzip` and `unzstd` do: unpack up to `room` bytes to `to`; how many
 * there were. 0: no byte follows. */

static size_t unzip(Input* input, char* to, size_t room)
{
   z_stream* z = input->unpacker;
   z->next_out = (Bytef*)to;
   z->avail_out = room;
   while (z->avail_out == room) {
      fill_packed(input);
      size_t there = input->packed_end - input->packed_start;
      if (!there) {
         end_packed(input, "gzip");
         return 0;
      }
      z->next_in = input->packed + input->packed_start;
      z->avail_in = there;
      input->is_between = false;
      int said = inflate(z, Z_NO_FLUSH);
      input->packed_start = input->packed_end - z->avail_in;
      if (said == Z_MEM_ERROR) cg2p_failure_memory(input->failure, room);
      if (said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR)
         fail_damaged(input, "gzip");
      if (said == Z_STREAM_END) {
         input->is_between = true; /* another member may follow */
         inflateReset(z);
      }
   }
   return room - z->avail_out;
}

/* What `zstd --long` has packed needs a larger window than zstd gives by
 * itself. A few bytes can ask for one of 2 GiB. */
enum { ZSTD_WINDOW = 29 }; /* bits of its size in bytes */

static size_t unzstd(Input* input, char* to, size_t room)
{
   ZSTD_outBuffer out = {to, room, 0};
   while (out.pos == 0) {
      fill_packed(input);
      size_t there = input->packed_end - input->packed_start;
      if (!there) {
         end_packed(input, "zstd");
         return 0;
      }
      ZSTD_inBuffer in = {input->packed + input->packed_start, there, 0};
      size_t said = ZSTD_decompressStream(input->unpacker, &out, &in);
      input->packed_start += in.pos;
      if (ZSTD_getErrorCode(said) == ZSTD_error_memory_allocation)
         cg2p_failure_memory(input->failure, room);
      if (ZSTD_getErrorCode(said) == ZSTD_error_frameParameter_windowTooLarge)
         cg2p_failure_at(input->failure, 0,
                         "its zstd data need a window of more than %u MiB; "
                         "expected less, or what zstd -d --long=31 makes of it",
                         1u << (ZSTD_WINDOW - 20));
      if (ZSTD_isError(said)) fail_damaged(input, "zstd");
      input->is_between = said == 0;
   }
   return out.pos;
}

static void begin_gzip(Input* input)
{
   enum { GZIP_WINDOW = 15 + 16 };
   z_stream* z = cg2p_memory_allocate(input->failure, sizeof *z);
   input->unpacker = z;
   if (inflateInit2(z, GZIP_WINDOW) != Z_OK)
      cg2p_failure_memory(input->failure, 1 << 15);
}

static void begin_zstd(Input* input)
{
   input->unpacker = ZSTD_createDStream();
   if (!input->unpacker) cg2p_failure_memory(input->failure, 1 << 17);
   ZSTD_DCtx_setParameter(input->unpacker, ZSTD_d_windowLogMax, ZSTD_WINDOW);
}

static void begin_unpacking(Input* input)
{
   input->is_between = false;
   if (input->packing == PACKING_GZIP)
      begin_gzip(input);
   else
      begin_zstd(input);
}

static void end_unpacking(Input* input)
{
   if (!input->unpacker) return;
   if (input->packing == PACKING_GZIP) {
      inflateEnd(input->unpacker);
      free(input->unpacker);
   } else
      ZSTD_freeDStream(input->unpacker);
   input->unpacker = NULL;
}

/* Finds out by its first bytes what has packed the file. */
static Packing find_packing(const unsigned char* bytes, size_t n)
{
   static const unsigned char gzip[] = {0x1f, 0x8b};
   static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
   if (n >= sizeof gzip && !memcmp(bytes, gzip, sizeof gzip))
      return PACKING_GZIP;
   if (n >= sizeof zstd && !memcmp(bytes, zstd, sizeof zstd))
      return PACKING_ZSTD;
   return PACKING_NONE;
}

/*--- Text ---------------------------------------------------------------*/

/* Reads up to `room` bytes of text to `to`; how many there were, 0 at the end.
 * The first of them may wait among what was read as packed. */
static size_t read_text(Input* input, char* to, size_t room)
{
   if (input->packing == PACKING_GZIP) return unzip(input, to, room);
   if (input->packing == PACKING_ZSTD) return unzstd(input, to, room);
   size_t there = input->packed_end - input->packed_start;
   if (!there) return read_bytes(input, to, room);
   if (there > room) there = room;
   memcpy(to, input->packed + input->packed_start, there);
   input->packed_start += there;
   return there;
}

void cg2p_input_open(Input* input, Failure* failure, const char* path)
{
   *input = (Input){.failure = failure, .fd = -1};
   bool is_standard = !strcmp(path, "-");
   if (is_standard) failure->path = "standard input";
   input->fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                           : open(path, O_RDONLY | O_CLOEXEC);
   if (input->fd < 0) cg2p_failure_system(failure, errno);
   if (fstat(input->fd, &input->begun) < 0) cg2p_failure_system(failure, errno);
   if (S_ISDIR(input->begun.st_mode)) cg2p_failure_system(failure, EISDIR);
   input->packed = cg2p_memory_allocate(failure, piece_of(input));
   enum { LONGEST_MAGIC = 4 };
   while (input->packed_end < LONGEST_MAGIC) {
      size_t n = read_bytes(input, input->packed + input->packed_end,
                            piece_of(input) - input->packed_end);
      if (!n) break;
      input->packed_end += n;
   }
   input->packing = find_packing(input->packed, input->packed_end);
   if (input->packing != PACKING_NONE) begin_unpacking(input);
}

/* Bytes behind the text, zeroes, so that a word can be read from each byte. */
enum { BEHIND = sizeof(uint64_t) };

/* Moves what is not handed out to the front, and makes room for more. */
static void make_room(Input* input)
{
   size_t rest = input->end - input->start;
   if (input->start) memmove(input->text, input->text + input->start, rest);
   input->start = 0;
   input->end = rest;
   input->text = cg2p_memory_grow(input->failure, input->text, &input->room,
                                  rest + piece_of(input) + 1 + BEHIND, 1);
}

/* Where the last line that is complete in text[from, end) ends; NULL: in
 * none. */
static const char* last_line_end(const Input* input, size_t from)
{
   const char* last = memrchr(input->text + from, '\n', input->end - from);
   return last ? last + 1 : NULL;
}

static const char* hand_out(Input* input, const char** begin, const char* end)
{
   memset(input->text + input->end, 0, BEHIND);
   *begin = input->text + input->start;
   input->start = end - input->text;
   return end;
}

const char* cg2p_input_next(Input* input, const char** begin)
{
   while (!input->is_at_end) {
      make_room(input);
      size_t before = input->end;
      size_t n = read_text(input, input->text + before, piece_of(input));
      input->end += n;
      input->is_at_end = n == 0;
      const char* end = n ? last_line_end(input, before) : NULL;
      if (end) return hand_out(input, begin, end);
      if (input->end - input->start > LONGEST_LINE)
         cg2p_failure_at(input->failure, 0,
                         "a line of more than %d bytes; expected a profile, "
                         "whose lines are shorter",
                         LONGEST_LINE);
   }
   cg2p_input_check_unchanged(input);
   input->has_rest |= input->start < input->end;
   if (input->start == input->end || input->may_be_cut) return NULL;
   input->text[input->end++] = '\n';
   return hand_out(input, begin, input->text + input->end);
}

void cg2p_input_close(Input* input)
{
   end_unpacking(input);
   if (input->fd >= 0) close(input->fd);
   free(input->text);
   free(input->packed);
   *input = (Input){.fd = -1};
}
