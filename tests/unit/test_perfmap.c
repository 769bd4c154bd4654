#include "check.h"
#include "profile/files/perfmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- A process with code and a file --------------------------------------*/

static const char* map_path(void)
{
   static char path[40];
   snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
   return path;
}

static void name_functions(void)
{
   cg2_perfmap_name_functions(False);
   CHECK_EQ(host.n_open, 0);
}

/* Names the functions by a file with `n` bytes of `text`. */
static void name_by_bytes(const char* text, SizeT n)
{
   unlink(map_path());
   check_write_file(map_path(), text, n);
   name_functions();
   unlink(map_path());
}

static void name_by(const char* text)
{
   name_by_bytes(text, strlen(text));
}

static Object* nowhere(void)
{
   static Object* object;
   if (object) return object;
   cg2_perfmap_begin_process();
   cg2_rules.standard.recursion_levels = 3;
   object =
      cg2_code_add_object(cg2_names_intern(&cg2_code.object_names, "???"), 0);
   return object;
}

static Function* at(Addr address)
{
   return cg2_code_function_at(nowhere(), address);
}

/* How a new function at `address` is named by such a file. */
static const char* named_by(Addr address, const char* text)
{
   Function* f = at(address);
   name_by(text);
   return f->name->text;
}

static const char* unnamed(Addr address)
{
   static char text[40];
   snprintf(text, sizeof text, "0x%016lx", address);
   return text;
}

/*--- Lines ---------------------------------------------------------------*/

static void test_lines(void)
{
   static const char text[] = "1000 10 first\n"
                              "0x1100 0x10 with prefix\n"
                              "ABC0 fF upper\n"
                              "  abf0 1 no entry\n"
                              "\n"
                              "1200 20  blanks  and\ttab \t \n"
                              "1300\t1\tby tabs\r\n"
                              "1400 0 empty\n"
                              "1500 1 99\n"
                              "1600 1 \"*\\(quoted)\" - 'x' \xc3\xa4 \xff\n"
                              "1700 1 the last one";
   at(0x1000);
   at(0x1100), at(0xabff), at(0xabf0), at(0x1200), at(0x1300), at(0x1400);
   at(0x1401), at(0x1500), at(0x1600), at(0x1700), at(0x1701);
   name_by(text);
   CHECK_TEXT(at(0x1000)->name->text, "first");
   CHECK_TEXT(at(0x1100)->name->text, "with prefix");
   CHECK_TEXT(at(0xabff)->name->text, "upper+0x3f");
   CHECK_TEXT(at(0xabf0)->name->text, "upper+0x30");
   CHECK_TEXT(at(0x1200)->name->text, "blanks  and?tab");
   CHECK_TEXT(at(0x1300)->name->text, "by tabs");
   CHECK_TEXT(at(0x1400)->name->text, "empty");
   CHECK_TEXT(at(0x1401)->name->text, unnamed(0x1401));
   CHECK_TEXT(at(0x1500)->name->text, "99");
   CHECK_TEXT(at(0x1600)->name->text, "\"*\\(quoted)\" - 'x' \xc3\xa4 \xff");
   CHECK_TEXT(at(0x1700)->name->text, "the last one");
   CHECK_TEXT(at(0x1701)->name->text, unnamed(0x1701));
}

static void test_malformed(void)
{
   static const char* const lines[] = {
      "",
      "\n\n\n",
      "2000",
      "2000 10",
      "2000 10 ",
      "2000 10  \t\r\n",
      " 2000 10 f",
      "2000  f",
      "200010 f",
      "2000 10f",
      "g000 10 f",
      "2000 1g f",
      "0x 10 f",
      "0x2000 0x f",
      "0X2000 10 f",
      "-2000 10 f",
      "2000,10,f",
      "10000000000002000 10 f",
      "2000 10000000000000000 f",
      "10000000000000000000000000000000000002000 10 f",
   };
   for (UInt i = 0; i < sizeof lines / sizeof *lines; i++)
      CHECK_TEXT(named_by(0x2000, lines[i]), unnamed(0x2000));
   CHECK_TEXT(named_by(0x2000, "bad\n2000 10 f\nworse"), "f");
}

/* A NUL is no end, as a crash leaves them in the middle of a file. */
static void test_nul(void)
{
   static const char text[] = "1000 10 a\0b\n\0\0\0\0\n2000 10 g\n";
   at(0x1000), at(0x2000);
   name_by_bytes(text, sizeof text - 1);
   CHECK_TEXT(at(0x1000)->name->text, "a?b");
   CHECK_TEXT(at(0x2000)->name->text, "g");
}

/* Entries up to the last address, and beyond. */
static void test_ends(void)
{
   const Addr last = ~(Addr)0;
   char text[100];
   snprintf(text, sizeof text, "%lx ffff far\n0 1 zero\n", last - 4);
   at(last), at(last - 4), at(last - 5), at(0);
   name_by(text);
   CHECK_TEXT(at(last)->name->text, "far+0x4");
   CHECK_TEXT(at(last - 4)->name->text, "far");
   CHECK_TEXT(at(last - 5)->name->text, unnamed(last - 5));
   CHECK_TEXT(at(0)->name->text, "zero");
}

/*--- Names ---------------------------------------------------------------*/

static void test_inside(void)
{
   at(0x1014), at(0x1000), at(0x100f), at(0x0fff), at(0x1020);
   name_by("1000 20 f\n");
   CHECK_TEXT(at(0x1000)->name->text, "f");
   CHECK_TEXT(at(0x100f)->name->text, "f+0xf");
   CHECK_TEXT(at(0x1014)->name->text, "f+0x14");
   CHECK_TEXT(at(0x0fff)->name->text, unnamed(0x0fff));
   CHECK_TEXT(at(0x1020)->name->text, unnamed(0x1020));
}

/* Entries of one name are numbered in the order in which they first ran, so
 * that a later dump keeps the numbers. */
static void test_same_name(void)
{
   static const char text[] = "1000 20 f\n2000 20 f\n3000 20 f\n4000 20 g\n";
   at(0x3010), at(0x4000), at(0x2000);
   name_by(text);
   CHECK_TEXT(at(0x3010)->name->text, "f+0x10");
   CHECK_TEXT(at(0x2000)->name->text, "f [2]");
   CHECK_TEXT(at(0x4000)->name->text, "g");
   at(0x1000), at(0x3000), at(0x2004), at(0x4001);
   name_by(text);
   CHECK_TEXT(at(0x3000)->name->text, "f");
   CHECK_TEXT(at(0x3010)->name->text, "f+0x10");
   CHECK_TEXT(at(0x2000)->name->text, "f [2]");
   CHECK_TEXT(at(0x2004)->name->text, "f [2]+0x4");
   CHECK_TEXT(at(0x1000)->name->text, "f [3]");
   CHECK_TEXT(at(0x4001)->name->text, "g+0x1");
}

/* Nothing that a reader takes for an id of a name or a recursion level, and
 * only what is part of a line. */
static void test_odd_names(void)
{
   static const struct {
      const char *given, *shown;
   } names[] = {
      {"(12)", "[12]"},
      {"(12) f", "[12] f"},
      {"()", "()"},
      {"(12", "(12"},
      {"(1x)", "(1x)"},
      {"(anonymous) 1", "(anonymous) 1"},
      {"f'2", "f'2+0x0"},
      {"'10", "'10+0x0"},
      {"f'", "f'"},
      {"f2", "f2"},
      {"7", "7"},
      {"f'2'", "f'2'"},
      {"a\tb\x7f\x01", "a?b??"},
   };
   for (UInt i = 0; i < sizeof names / sizeof *names; i++) {
      char line[100];
      snprintf(line, sizeof line, "1000 10 %s\n", names[i].given);
      CHECK_TEXT(named_by(0x1000, line), names[i].shown);
   }
   at(0x2000), at(0x3000), at(0x3001);
   name_by("2000 10 h'2\n3000 10 h'2\n");
   CHECK_TEXT(at(0x2000)->name->text, "h'2+0x0");
   CHECK_TEXT(at(0x3000)->name->text, "h'2 [2]");
   CHECK_TEXT(at(0x3001)->name->text, "h'2 [2]+0x1");
}

/* Contexts that there are, and those to come. */
static void test_contexts(void)
{
   Function* f = at(0x1000);
   Context* first =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* second =
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0}));
   name_by("1000 10 some thing\n");
   CHECK_TEXT(first->name->text, "some thing");
   CHECK_TEXT(second->name->text, "some thing'2");
   CHECK_TEXT(
      cg2_context_get(f, 2, cg2_context_separation((Separation){.thread = 0}))
         ->name->text,
      "some thing'3");
   name_by("1000 10 other\n");
   CHECK_TEXT(first->name->text, "other");
   CHECK_TEXT(second->name->text, "other'2");
}

/* Functions of object files keep their names, wherever they are. */
static void test_others(void)
{
   Function* f = at(0x1000);
   Object* object = cg2_code_add_object(
      cg2_names_intern(&cg2_code.object_names, "a.out"), 4096);
   Function* other = cg2_code_function_at(object, 0x1000);
   name_by("1000 10 f\n");
   CHECK_TEXT(f->name->text, "f");
   CHECK_TEXT(other->name->text, unnamed(0x1000));
}

static void test_no_code(void)
{
   name_by("1000 10 f\n");
   nowhere();
   name_by("1000 10 f\n");
   CHECK_EQ(cg2_code.n_functions, 0);
}

/*--- Which entry ---------------------------------------------------------*/

/* Memory is used again: what is written later holds. */
static void test_overlap(void)
{
   at(0x1000), at(0x1010), at(0x1020), at(0x1030), at(0x1040);
   name_by("1000 100 all\n"
           "1010 10 old\n"
           "1020 10 also\n"
           "1018 10 between\n"
           "1010 8 new\n"
           "1040 0 none\n"
           "1038 9 tail\n");
   CHECK_TEXT(at(0x1000)->name->text, "all");
   CHECK_TEXT(at(0x1010)->name->text, "new");
   CHECK_TEXT(at(0x1020)->name->text, "between+0x8");
   CHECK_TEXT(at(0x1030)->name->text, "all+0x30");
   CHECK_TEXT(at(0x1040)->name->text, "tail+0x8");
}

/* The file is taken anew each time; what it no longer has keeps its name. */
static void test_again(void)
{
   at(0x1000), at(0x2000);
   name_functions();
   CHECK_TEXT(at(0x1000)->name->text, unnamed(0x1000));
   name_by("1000 10 f\n2000 10 g\n");
   name_functions();
   CHECK_TEXT(at(0x1000)->name->text, "f");
   CHECK_TEXT(at(0x2000)->name->text, "g");
   name_by("1000 10 h\n");
   CHECK_TEXT(at(0x1000)->name->text, "h");
   CHECK_TEXT(at(0x2000)->name->text, "g");
   Long before = host.n_allocated;
   name_by("1000 10 h\n");
   CHECK_EQ(host.n_allocated, before);
}

enum { N_FUNCTIONS = 500, N_ENTRIES = 20000, SPACE = 100000 };

static UInt next_random(UInt limit)
{
   static UInt state = 12345;
   state = state * 1664525 + 1013904223;
   return (state >> 8) % limit;
}

/* Against a search of all entries for each function; the file is some buffers
 * long, with lines of many lengths. */
static void test_large(void)
{
   static struct {
      Addr start, size;
   } entries[N_ENTRIES];
   char* text = malloc(N_ENTRIES * 1200);
   SizeT n = 0;
   for (UInt i = 0; i < N_ENTRIES; i++) {
      entries[i].start = next_random(SPACE);
      entries[i].size = 1 + next_random(i % 100 ? 60 : SPACE / 10);
      n += sprintf(text + n, "%lx %lx f%u%*s|\n", entries[i].start,
                   entries[i].size, i, i % 97 ? 1 : (int)next_random(1000), "");
   }
   Addr places[N_FUNCTIONS];
   for (UInt i = 0; i < N_FUNCTIONS; i++)
      at(places[i] = next_random(SPACE));
   name_by_bytes(text, n);
   free(text);
   UInt n_named = 0;
   for (UInt i = 0; i < N_FUNCTIONS; i++) {
      UInt e = N_ENTRIES;
      while (e > 0 && (places[i] < entries[e - 1].start ||
                       places[i] - entries[e - 1].start >= entries[e - 1].size))
         e--;
      UInt found;
      const char* name = at(places[i])->name->text;
      if (!e || sscanf(name, "f%u ", &found) != 1) {
         CHECK_TEXT(name, unnamed(places[i]));
         continue;
      }
      n_named++;
      CHECK_EQ(found, e - 1);
   }
   CHECK(n_named > N_FUNCTIONS / 2);
}

/* Entries that each cover all that there is take no longer than others. */
static void test_covering(void)
{
   enum { ROUNDS = 200 * 1000, EACH = 20 };
   for (UInt i = 1; i <= 20000; i++)
      at(16 * i);
   at(8);
   char* text = malloc(ROUNDS * EACH + 100);
   SizeT n = 0;
   for (UInt i = 0; i < ROUNDS; i++)
      n += sprintf(text + n, "10 100000 f%u\n", i);
   name_by_bytes(text, n);
   free(text);
   CHECK_TEXT(at(16)->name->text, "f199999");
   CHECK_TEXT(at(16 * 20000)->name->text, "f199999+0x4e1f0");
   CHECK_TEXT(at(8)->name->text, unnamed(8));
}

/* Lines that end just before, at and behind the place where a buffer does, and
 * one that is too long for it. */
static void test_boundaries(void)
{
   enum { BUFFER = 64 * 1024 };
   char* text = malloc(3 * BUFFER);
   for (Int tail = BUFFER - 40; tail < BUFFER + 20; tail++) {
      at(0x1000), at(0x2000), at(0x3000);
      SizeT n = sprintf(text, "1000 10 a%d\n2000 10 b%d\n", tail, tail);
      SizeT last = n;
      n += sprintf(text + n, "3000 10 ");
      memset(text + n, 'x', BUFFER);
      n = last + tail;
      text[n - 1] = '\n';
      name_by_bytes(text, n);
      char expected[40];
      sprintf(expected, "a%d", tail);
      CHECK_TEXT(at(0x1000)->name->text, expected);
      expected[0] = 'b';
      CHECK_TEXT(at(0x2000)->name->text, expected);
   }
   CHECK_TEXT(named_by(0x4000, "4000 1 before\n"), "before");
   SizeT n = sprintf(text, "4000 10 early\n5000 10 ");
   memset(text + n, 'y', 2 * BUFFER + 1000);
   n += 2 * BUFFER + 1000;
   n += sprintf(text + n, "\n6000 10 late\n");
   at(0x5000), at(0x6000);
   name_by_bytes(text, n);
   CHECK_TEXT(at(0x4000)->name->text, "early");
   CHECK_TEXT(at(0x5000)->name->text, unnamed(0x5000));
   CHECK_TEXT(at(0x6000)->name->text, "late");
   free(text);
}

/*--- Files ---------------------------------------------------------------*/

static void test_owner(void)
{
   host.owner = geteuid() + 1;
   CHECK_TEXT(named_by(0x1000, "1000 10 f\n"), unnamed(0x1000));
   host.owner = 0;
   CHECK_TEXT(named_by(0x1000, "1000 10 roots\n"), "roots");
   host.owner = geteuid();
   CHECK_TEXT(named_by(0x1000, "1000 10 own\n"), "own");
   host_reset();
}

/* Links, directories and pipes are left alone, and nobody waits for one. */
static void test_irregular(void)
{
   at(0x1000);
   char path[100];
   snprintf(path, sizeof path, "%s/map", check_directory());
   check_write_file(path, "1000 10 f\n", 10);
   unlink(map_path()); /* of an earlier process with this id */
   CHECK_EQ(symlink(path, map_path()), 0);
   name_functions();
   CHECK_TEXT(at(0x1000)->name->text, unnamed(0x1000));
   unlink(map_path());
   CHECK_EQ(mkdir(map_path(), 0700), 0);
   name_functions();
   CHECK_TEXT(at(0x1000)->name->text, unnamed(0x1000));
   rmdir(map_path());
   CHECK_EQ(mkfifo(map_path(), 0600), 0);
   name_functions();
   CHECK_TEXT(at(0x1000)->name->text, unnamed(0x1000));
   unlink(map_path());
   host.open_error = VKI_EACCES;
   CHECK_TEXT(named_by(0x1000, "1000 10 f\n"), unnamed(0x1000));
   host_reset();
   CHECK_TEXT(named_by(0x1000, "1000 10 f\n"), "f");
}

/* What a child of a fork calls the functions at 0x1000 and 0x2000: its own
 * file's names before its parent's. */
static void check_child(const char* text, const char* a, const char* b)
{
   pid_t child = fork();
   if (child == 0) {
      cg2_perfmap_begin_process();
      if (text)
         name_by(text);
      else
         name_functions();
      _exit(strcmp(at(0x1000)->name->text, a) ||
            strcmp(at(0x2000)->name->text, b));
   }
   int status = 1;
   CHECK(waitpid(child, &status, 0) == child);
   CHECK_EQ(status, 0);
}

static void test_fork(void)
{
   at(0x1000), at(0x2000);
   static const char text[] = "1000 10 f\n2000 10 g\n";
   check_write_file(map_path(), text, strlen(text));
   check_child(NULL, "f", "g");
   check_child("", "f", "g");
   check_child("2000 20 own\n", "f", "own");
   check_child("1000 1 x\n2000 1 y\n", "x", "y");
   unlink(map_path());
   check_child(NULL, unnamed(0x1000), at(0x2000)->name->text);
}

/* Only so many ancestors are known. */
static void test_generations(void)
{
   at(0x1000), at(0x2000);
   check_write_file(map_path(), "1000 10 f\n2000 10 g\n", 20);
   for (UInt i = 0; i < 6; i++)
      cg2_perfmap_begin_process();
   check_child(NULL, "f", "g");
   pid_t child = fork();
   if (child == 0) {
      for (UInt i = 0; i < 20; i++)
         cg2_perfmap_begin_process();
      name_functions();
      _exit(strcmp(at(0x1000)->name->text, unnamed(0x1000)) != 0);
   }
   int status = 1;
   CHECK(waitpid(child, &status, 0) == child);
   CHECK_EQ(status, 0);
   unlink(map_path());
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"lines", test_lines},
      {"malformed", test_malformed},
      {"nul", test_nul},
      {"ends", test_ends},
      {"inside", test_inside},
      {"same_name", test_same_name},
      {"odd_names", test_odd_names},
      {"contexts", test_contexts},
      {"others", test_others},
      {"no_code", test_no_code},
      {"overlap", test_overlap},
      {"again", test_again},
      {"large", test_large},
      {"covering", test_covering},
      {"boundaries", test_boundaries},
      {"owner", test_owner},
      {"irregular", test_irregular},
      {"fork", test_fork},
      {"generations", test_generations},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
