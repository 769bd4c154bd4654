#include "base/sink.h"
#include "check.h"

#include <dirent.h>
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

static Bool exists(const char* path)
{
   return access(path, F_OK) == 0;
}

/* Whether there is any file in the directory that a sink has left unfinished.
 */
static Bool has_part(void)
{
   Bool found = False;
   DIR* directory = opendir(check_directory());
   for (struct dirent* entry; (entry = readdir(directory));)
      if (strstr(entry->d_name, ".part")) found = True;
   closedir(directory);
   return found;
}

static void check_content(const char* path, const char* expected)
{
   SizeT n;
   char* content = check_read_file(path, &n);
   CHECK_EQ(n, strlen(expected));
   CHECK_TEXT(content, expected);
   free(content);
}

static ino_t inode_of(const char* path)
{
   struct stat st;
   return stat(path, &st) == 0 ? st.st_ino : 0;
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
   umask(0);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(mode_of(sink.beside), 0600);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(mode_of(path), 0600);
   chmod(path, 0666);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(mode_of(path), 0600);
}

/* Nobody can make the file beside it first: its name is another one each time,
 * also in the same process. */
static void test_unguessed(void)
{
   static char names[50][120];
   const char* path = in_directory("unguessed");
   for (UInt i = 0; i < 50; i++) {
      CHECK_EQ(cg2_sink_open(&sink, path), 0);
      snprintf(names[i], sizeof names[i], "%s", sink.beside);
      CHECK_EQ(cg2_sink_finish(&sink), 0);
      for (UInt j = 0; j < i; j++)
         CHECK(strcmp(names[i], names[j]) != 0);
   }
   CHECK(!has_part());
}

/* In a directory that others may write to, a link is not followed. */
static void test_link_of_others(void)
{
   const char *path = in_directory("planted"), *victim = in_directory("victim");
   check_write_file(victim, "precious", 8);
   CHECK_EQ(symlink(victim, path), 0);
   CHECK_EQ(chmod(check_directory(), 0777), 0);
   CHECK(cg2_sink_replaces(path));
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK(!sink.in_place);
   cg2_sink_text(&sink, "profile");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_EQ(chmod(check_directory(), 0700), 0);
   check_content(path, "profile");
   check_content(victim, "precious");
   struct stat st;
   CHECK_EQ(lstat(path, &st), 0);
   CHECK(S_ISREG(st.st_mode));
}

/* A link that cannot be replaced, as it is another's in a directory like /tmp,
 * is not followed either. */
static void test_stuck_link(void)
{
   const char *path = in_directory("stuck"), *victim = in_directory("victim");
   check_write_file(victim, "precious", 8);
   CHECK_EQ(symlink(victim, path), 0);
   CHECK_EQ(chmod(check_directory(), 0777), 0);
   host.rename_error = EPERM;
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   CHECK_EQ(cg2_sink_finish(&sink), EACCES);
   CHECK_EQ(chmod(check_directory(), 0700), 0);
   check_content(victim, "precious");
   CHECK(!has_part());
   check_nothing_left();
}

/* Who owns a directory may make links in it, whatever its mode. */
static void test_directory_of_others(void)
{
   enum { SOMEBODY = 12345 };
   const char* path = in_directory("link");
   CHECK_EQ(symlink("/dev/null", path), 0);
   CHECK(!cg2_sink_replaces(path));
   host.owner = 0;
   CHECK(!cg2_sink_replaces(path));
   host.owner = SOMEBODY;
   CHECK(cg2_sink_replaces(path));
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
   CHECK(!has_part());
}

/* What is no regular file is written where it is. */
static void test_in_place(void)
{
   CHECK_EQ(cg2_sink_open(&sink, "/dev/null"), 0);
   CHECK(sink.in_place);
   cg2_sink_text(&sink, "gone");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   CHECK_TEXT(host.written, "gone");
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
   CHECK(!has_part());
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
   CHECK(!has_part());
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
   static const UInt rooms[] = {
      0, 1, SINK_BYTES - 1, SINK_BYTES, SINK_BYTES + 1, 3 * SINK_BYTES - 1};
   check_write_file(path, "old", 3);
   for (UInt i = 0; i < sizeof rooms / sizeof *rooms; i++) {
      CHECK_EQ(write_to_full_disk(path, rooms[i], ENOSPC), ENOSPC);
      CHECK_EQ(write_to_full_disk(path, rooms[i], EIO), EIO);
      /* A write that takes nothing and says nothing must not go on for ever. */
      CHECK_EQ(write_to_full_disk(path, rooms[i], 0), ENOSPC);
      check_content(path, "old");
      CHECK(!has_part());
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
      CHECK(!has_part());
      check_nothing_left();
   }
}

/* A file that cannot be replaced, such as one that is mounted alone, is written
 * in place, and so is one in a directory that takes no new file. */
static void test_cannot_rename(void)
{
   const char* path = in_directory("rename");
   check_write_file(path, "old and longer", 14);
   ino_t inode = inode_of(path);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   cg2_sink_text(&sink, "profile");
   host.rename_error = EBUSY;
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "profile");
   CHECK_EQ(inode_of(path), inode);
   CHECK_EQ(sink.file.size, 7);
   CHECK(!has_part());
   check_nothing_left();
}

/* Where that fails, too, it is empty: no half of a profile. */
static void test_cannot_copy(void)
{
   const char* path = in_directory("copy");
   check_write_file(path, "old", 3);
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   write_lines(1);
   host.room = 16 + 5;
   host.rename_error = EBUSY;
   host.write_error = ENOSPC;
   CHECK_EQ(cg2_sink_finish(&sink), ENOSPC);
   check_content(path, "");
   CHECK(!has_part());
   check_nothing_left();
}

/*--- The file that a sink has left --------------------------------------*/

/* Writes a file; gives what the sink says of it. */
static SinkFile left_at(const char* path, const char* text)
{
   CHECK_EQ(cg2_sink_open(&sink, path), 0);
   cg2_sink_text(&sink, text);
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   return sink.file;
}

static void test_again(void)
{
   const char* path = in_directory("again");
   SinkFile file = left_at(path, "one");
   CHECK_EQ(file.size, 3);
   CHECK_EQ(file.inode, inode_of(path));
   CHECK(cg2_sink_open_again(&sink, path, &file));
   cg2_sink_text(&sink, "two");
   CHECK_EQ(cg2_sink_finish(&sink), 0);
   check_content(path, "onetwo");
   CHECK_EQ(sink.file.size, 6);
   CHECK_EQ(sink.file.inode, file.inode);
   check_nothing_left();
}

/* Nothing is opened where another file is, one of another size, or none. */
static void test_not_again(void)
{
   const char *path = in_directory("other"), *moved = in_directory("moved");
   SinkFile file = left_at(path, "one");
   CHECK_EQ(rename(path, moved), 0);
   CHECK(!cg2_sink_open_again(&sink, path, &file));
   check_write_file(path, "two", 3);
   CHECK(!cg2_sink_open_again(&sink, path, &file));
   check_write_file(moved, "one more", 8);
   CHECK(!cg2_sink_open_again(&sink, moved, &file));
   check_content(path, "two");
   check_nothing_left();
}

/* What was in the file stays, and what was written behind it is no text. */
static void test_full_disk_again(void)
{
   const char* path = in_directory("full_again");
   for (UInt room = 0; room < 2 * SINK_BYTES; room += SINK_BYTES / 2) {
      SinkFile file = left_at(path, "one");
      CHECK(cg2_sink_open_again(&sink, path, &file));
      host.room = room;
      host.write_error = ENOSPC;
      write_lines(3 * SINK_BYTES / 16);
      CHECK_EQ(sink.error, ENOSPC);
      host_reset();
      CHECK_EQ(cg2_sink_finish(&sink), ENOSPC);
      SizeT n;
      char* content = check_read_file(path, &n);
      CHECK_EQ(n, 3 + room);
      CHECK_EQ(strncmp(content, "one", 3), 0);
      for (SizeT i = 3; i < n; i++)
         CHECK_EQ(content[i], '\n');
      free(content);
      check_nothing_left();
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"text", test_text},
      {"empty", test_empty},
      {"large", test_large},
      {"buffer_sizes", test_buffer_sizes},
      {"mode", test_mode},
      {"unguessed", test_unguessed},
      {"link_of_others", test_link_of_others},
      {"stuck_link", test_stuck_link},
      {"directory_of_others", test_directory_of_others},
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
      {"cannot_copy", test_cannot_copy},
      {"again", test_again},
      {"not_again", test_not_again},
      {"full_disk_again", test_full_disk_again},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
