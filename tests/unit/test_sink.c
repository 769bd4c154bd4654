#include "base/sink.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Sink sink;

static const char* in_directory(const char* name)
{
   static char paths[4][100];
   static UInt next;
   char* path = paths[next++ % 4];
   snprintf(path, sizeof paths[0], "%s/%s", check_directory(), name);
   return path;
}

/* The file that the sink writes, before it has its name. Not to be freed. */
static const char* part_of(const char* path)
{
   static char kept[120];
   HChar* beside = cg2_sink_beside(path);
   snprintf(kept, sizeof kept, "%s", beside);
   VG_(free)(beside);
   return kept;
}

static Bool exists(const char* path)
{
   return access(path, F_OK) == 0;
}

static void check_content(const char* path, const char* expected)
{
   SizeT n;
   char* content = check_read_file(path, &n);
   CHECK_EQ(n, strlen(expected));
   CHECK_TEXT(content, expected);
   free(content);
}

static UInt mode_of(const char* path)
{
   struct stat st;
   if (stat(path, &st) != 0) return 0;
   return st.st_mode & 07777;
}

/* Neither memory nor files stay behind. */
static void check_nothing_left(void)
{
   CHECK_EQ(host.n_allocated, 0);
   CHECK_EQ(host.n_open, 0);
}

/*--- What is written ----------------------------------------------------*/

static void test_text(void)
{
   const char* path = in_directory("text");
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   cg2_sink_text(&sink, "fn=(1) main");
   cg2_sink_char(&sink, '\n');
   cg2_sink_text(&sink, "");
   cg2_sink_decimal(&sink, 0);
   cg2_sink_char(&sink, ' ');
   cg2_sink_decimal(&sink, 1234567890);
   cg2_sink_char(&sink, ' ');
   cg2_sink_decimal(&sink, ~0ULL);
   cg2_sink_char(&sink, ' ');
   cg2_sink_hex(&sink, 0);
   cg2_sink_char(&sink, ' ');
   cg2_sink_hex(&sink, 0xfedcba9876543210);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "fn=(1) main\n0 1234567890 18446744073709551615 "
                       "0x0 0xfedcba9876543210");
   check_nothing_left();
}

static void test_empty(void)
{
   const char* path = in_directory("empty");
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "");
}

/* Many buffers full, written in pieces of any size. */
static void check_large(UInt piece)
{
   enum { LINES = 50 * 1000 };
   const char* path = in_directory("large");
   static char expected[LINES * 8 + 1];
   host.write_max = piece;
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   for (UInt i = 0; i < LINES; i++) {
      cg2_sink_decimal(&sink, 1000000 + i);
      cg2_sink_char(&sink, '\n');
      sprintf(expected + 8 * i, "%u\n", 1000000 + i);
   }
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, expected);
   check_nothing_left();
   host_reset();
}

static void test_large(void)
{
   check_large(~0U);
   check_large(4096);
   check_large(1237);
}

/* Exactly a buffer, and one byte to both sides. */
static void test_buffer_sizes(void)
{
   for (UInt n = SINK_BYTES - 1; n <= SINK_BYTES + 1; n++) {
      const char* path = in_directory("sizes");
      CHECK_EQ(cg2_sink_open(&sink, path), 0);
      for (UInt i = 0; i < n; i++)
         cg2_sink_char(&sink, 'x');
      CHECK_EQ(cg2_sink_finish(&sink), 0);
      CHECK_EQ(host.n_written, n);
   }
}

/*--- Where it appears ---------------------------------------------------*/

/* Only the owner can read it, whatever the umask allows, and whatever files of
 * an earlier run are there. */
static void test_mode(void)
{
   const char* path = in_directory("mode");
   const char* part = part_of(path);
   umask(0);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(mode_of(part), 0600);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(mode_of(path), 0600);
   chmod(path, 0666);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(mode_of(path), 0600);
}

/* A file that a crashed run left beside it, open to everyone. */
static void test_mode_of_stale_part(void)
{
   const char* path = in_directory("stale");
   const char* part = part_of(path);
   check_write_file(part, "0123456789", 10);
   chmod(part, 0666);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   cg2_sink_text(&sink, "new");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "new");
   CHECK_EQ(mode_of(path), 0600);
   CHECK(!exists(part));
}

/* A link that someone put where the file beside will be: it is not followed. */
static void test_link_as_part(void)
{
   const char* path = in_directory("linked");
   const char* part = part_of(path);
   const char* victim = in_directory("victim");
   check_write_file(victim, "precious", 8);
   CHECK_EQ(symlink(victim, part), 0);
   Int error = cg2_sink_open(&sink, path);
   if (!error) {
      cg2_sink_text(&sink, "profile");
      CHECK_EQ(cg2_sink_finish(&sink), 0);
      check_content(path, "profile");
   }
   check_content(victim, "precious");
}

/* The wanted file is untouched until the new one is complete. */
static void test_replace(void)
{
   const char* path = in_directory("replace");
   check_write_file(path, "old", 3);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   for (UInt i = 0; i < 2 * SINK_BYTES; i++)
      cg2_sink_char(&sink, 'n');
   check_content(path, "old");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   SizeT n;
   char* content = check_read_file(path, &n);
   CHECK_EQ(n, 2 * SINK_BYTES);
   CHECK_EQ(content[0], 'n');
   free(content);
   CHECK(!exists(part_of(path)));
}

/* What is no regular file is written where it is. */
static void test_in_place(void)
{
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   CHECK(sink.in_place);
   cg2_sink_text(&sink, "gone");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_TEXT(host.written, "gone");
   CHECK(!exists(part_of("/dev/null")));
   struct stat st;
   CHECK_EQ(stat("/dev/null", &st), 0);
   CHECK(S_ISCHR(st.st_mode));
   check_nothing_left();
}

static void test_fifo(void)
{
   const char* path = in_directory("fifo");
   CHECK_EQ(mkfifo(path, 0600), 0);
   int reader = open(path, O_RDONLY | O_NONBLOCK);
   CHECK(reader >= 0);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   cg2_sink_text(&sink, "through");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   char read_back[20] = "";
   CHECK_EQ(read(reader, read_back, sizeof read_back - 1), 7);
   CHECK_TEXT(read_back, "through");
   close(reader);
   struct stat st;
   CHECK_EQ(stat(path, &st), 0);
   CHECK(S_ISFIFO(st.st_mode));
}

/* A link stays a link, to whatever it leads. */
static void write_by_link(const char* path, const char* target)
{
   CHECK_EQ(symlink(target, path), 0);
   CHECK(!cg2_sink_replaces(path));
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK(sink.in_place);
   cg2_sink_text(&sink, "profile");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   struct stat st;
   CHECK_EQ(lstat(path, &st), 0);
   CHECK(S_ISLNK(st.st_mode));
   check_nothing_left();
}

static void test_link(void)
{
   write_by_link(in_directory("to_device"), "/dev/null");
   const char* target = in_directory("target");
   check_write_file(target, "old and longer", 14);
   write_by_link(in_directory("to_file"), target);
   check_content(target, "profile");
   const char* missing = in_directory("missing");
   write_by_link(in_directory("to_nothing"), missing);
   check_content(missing, "profile");
   CHECK_EQ(mode_of(missing), 0600);
}

static void test_replaces(void)
{
   CHECK(cg2_sink_replaces(in_directory("no_such_file")));
   check_write_file(in_directory("regular"), "", 0);
   CHECK(cg2_sink_replaces(in_directory("regular")));
   CHECK(!cg2_sink_replaces("/dev/null"));
   CHECK(!cg2_sink_replaces(check_directory()));
}

/*--- Going on behind what is there --------------------------------------*/

static const char* numbers(UInt n)
{
   static char text[3 * SINK_BYTES + 1];
   for (UInt i = 0; i < n; i++)
      text[i] = '0' + i % 10;
   text[n] = '\0';
   return text;
}

static void check_behind(UInt size, UInt kept)
{
   const char* path = in_directory("behind");
   check_write_file(path, numbers(size), size);
   CHECK_EQ(cg2_sink_open_behind(&sink, path, path, kept), 0);
   cg2_sink_text(&sink, "more");
   check_content(path, numbers(size));
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   static char expected[3 * SINK_BYTES + 5];
   sprintf(expected, "%smore", numbers(kept));
   check_content(path, expected);
   CHECK(!exists(part_of(path)));
   check_nothing_left();
}

/* A file of any size is written behind, as much as is wanted; until then it is
 * untouched. */
static void test_behind(void)
{
   check_behind(0, 0);
   check_behind(10, 10);
   check_behind(10, 3);
   check_behind(10, 0);
   for (UInt n = SINK_BYTES - 1; n <= SINK_BYTES + 1; n++)
      check_behind(n, n);
   check_behind(3 * SINK_BYTES, 2 * SINK_BYTES + 7);
}

/* The beginning of another file. */
static void test_behind_another(void)
{
   const char *from = in_directory("from"), *path = in_directory("to");
   check_write_file(from, "abcdef", 6);
   CHECK_EQ(cg2_sink_open_behind(&sink, path, from, 4), 0);
   cg2_sink_text(&sink, "more");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "abcdmore");
   check_content(from, "abcdef");
}

/* By a link, or in a pipe, what is there stays. */
static void test_behind_in_place(void)
{
   const char *path = in_directory("behind_link"), *to = in_directory("linked");
   check_write_file(to, "kept", 4);
   CHECK_EQ(symlink(to, path), 0);
   CHECK_EQ(cg2_sink_open_behind(&sink, path, path, 4), 0);
   cg2_sink_text(&sink, "more");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(to, "keptmore");
   check_nothing_left();
}

/* What there is not cannot be gone on behind. */
static void test_behind_nothing(void)
{
   const char *from = in_directory("short"), *path = in_directory("never");
   CHECK_EQ(cg2_sink_open_behind(&sink, path, from, 1), 0);
   CHECK_EQ(cg2_sink_finish(&sink), ENOENT);
   check_write_file(from, "abc", 3);
   CHECK_EQ(cg2_sink_open_behind(&sink, path, from, 4), 0);
   CHECK_EQ(cg2_sink_finish(&sink), EIO);
   CHECK(!exists(path));
   CHECK(!exists(part_of(path)));
   check_nothing_left();
}

/*--- Failures -----------------------------------------------------------*/

static void test_cannot_open(void)
{
   CHECK_EQ(cg2_sink_open(&sink, in_directory("none/file")), ENOENT);
   CHECK_EQ(cg2_sink_open(&sink, check_directory()), EISDIR);
   const char* path = in_directory("denied");
   check_write_file(path, "old", 3);
   host.open_error = EACCES;
   CHECK_EQ(cg2_sink_open(&sink, path), EACCES);
   check_content(path, "old");
   check_nothing_left();
}

static void write_lines(UInt n)
{
   for (UInt i = 0; i < n; i++)
      cg2_sink_text(&sink, "0123456789abcde\n");
}

/* Writes much to a file that has `room` bytes; gives what finishing says. */
static Int write_to_full_disk(const char* path, UInt room, Int error)
{
   host.room = room;
   host.write_error = error;
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   write_lines(3 * SINK_BYTES / 16);
   Int result = cg2_sink_finish(&sink);
   host_reset();
   check_nothing_left();
   return result;
}

/* Wherever the disk becomes full, the old file stays and nothing else. */
static void test_full_disk(void)
{
   const char* path = in_directory("full");
   const char* part = part_of(path);
   static const UInt rooms[] = {
      0, 1, SINK_BYTES - 1, SINK_BYTES, SINK_BYTES + 1, 3 * SINK_BYTES - 1};
   check_write_file(path, "old", 3);
   for (UInt i = 0; i < sizeof rooms / sizeof *rooms; i++) {
      CHECK_EQ(write_to_full_disk(path, rooms[i], ENOSPC), ENOSPC);
      CHECK_EQ(write_to_full_disk(path, rooms[i], EIO), EIO);
      /* A write that takes nothing and says nothing must not go on for ever. */
      CHECK_EQ(write_to_full_disk(path, rooms[i], 0), ENOSPC);
      check_content(path, "old");
      CHECK(!exists(part));
   }
   CHECK_EQ(write_to_full_disk(path, 3 * SINK_BYTES, ENOSPC), 0);
   CHECK_EQ(host.n_written, 3 * SINK_BYTES);
}

/* The first failure is the one that is told, and nothing is written after it.
 */
static void test_sticky(void)
{
   CHECK_EQ(cg2_sink_open(&sink, in_directory("sticky")), 0);
   host.room = 100;
   host.write_error = EIO;
   write_lines(SINK_BYTES / 16 + 1);
   CHECK_EQ(sink.error, EIO);
   host_reset();
   write_lines(2 * SINK_BYTES / 16);
   CHECK_EQ(host.n_written, 100);
   CHECK_EQ(cg2_sink_finish(&sink), EIO);
}

static void test_full_device(void)
{
   CHECK_EQ(cg2_sink_open(&sink, "/dev/full"), 0);
   write_lines(1);
   CHECK_EQ(cg2_sink_finish(&sink), ENOSPC);
   CHECK(exists("/dev/full"));
   check_nothing_left();
}

/* The file that was to be gone on behind stays as it is. */
static void test_full_disk_behind(void)
{
   const char* path = in_directory("full_behind");
   for (UInt room = 0; room < 3 * SINK_BYTES; room += SINK_BYTES / 2) {
      check_write_file(path, numbers(2 * SINK_BYTES), 2 * SINK_BYTES);
      host.room = room;
      host.write_error = ENOSPC;
      CHECK_EQ(cg2_sink_open_behind(&sink, path, path, 2 * SINK_BYTES), 0);
      write_lines(SINK_BYTES / 16);
      CHECK_EQ(cg2_sink_finish(&sink), ENOSPC);
      host_reset();
      check_content(path, numbers(2 * SINK_BYTES));
      CHECK(!exists(part_of(path)));
      check_nothing_left();
   }
}

static void test_cannot_rename(void)
{
   const char* path = in_directory("rename");
   check_write_file(path, "old", 3);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   write_lines(1);
   host.rename_error = EACCES;
   CHECK(cg2_sink_finish(&sink) != 0);
   check_content(path, "old");
   CHECK(!exists(part_of(path)));
   check_nothing_left();
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"text", test_text},
      {"empty", test_empty},
      {"large", test_large},
      {"buffer_sizes", test_buffer_sizes},
      {"mode", test_mode},
      {"mode_of_stale_part", test_mode_of_stale_part},
      {"link_as_part", test_link_as_part},
      {"replace", test_replace},
      {"in_place", test_in_place},
      {"fifo", test_fifo},
      {"link", test_link},
      {"replaces", test_replaces},
      {"behind", test_behind},
      {"behind_another", test_behind_another},
      {"behind_in_place", test_behind_in_place},
      {"behind_nothing", test_behind_nothing},
      {"cannot_open", test_cannot_open},
      {"full_disk", test_full_disk},
      {"sticky", test_sticky},
      {"full_device", test_full_device},
      {"full_disk_behind", test_full_disk_behind},
      {"cannot_rename", test_cannot_rename},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
