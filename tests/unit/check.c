#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN_FAILURES = 10, SURVIVED = 3 };

/* Shared with the children. */
static struct {
   ULong passed, failed;
} * counts;

static const char* current;
static char directory[] = "/tmp/cg2-unit-XXXXXX";

/*--- Checks -------------------------------------------------------------*/

static Bool fails(const char* file, int line)
{
   static UInt n; /* of this test, as its process is its own */
   counts->failed++;
   if (++n > SHOWN_FAILURES) return False;
   printf("%s:%d: in %s: ", file, line, current);
   return True;
}

void check_true(const char* file, int line, const char* what, Bool is_true)
{
   if (is_true)
      counts->passed++;
   else if (fails(file, line))
      printf("not so: %s\n", what);
}

void check_equal(
   const char* file, int line, const char* what, Long found, Long expected)
{
   if (found == expected)
      counts->passed++;
   else if (fails(file, line))
      printf("%s is %lld (0x%llx), expected %lld (0x%llx)\n", what, found,
             found, expected, expected);
}

static SizeT line_length(const char* text)
{
   return strcspn(text, "\n");
}

static void show_difference(const char* found, const char* expected)
{
   int line = 1;
   SizeT n = line_length(found);
   while (found[n] && n == line_length(expected) &&
          memcmp(found, expected, n + 1) == 0) {
      found += n + 1;
      expected += n + 1;
      n = line_length(found);
      line++;
   }
   printf("line %d is '%.*s', expected '%.*s'\n", line, (int)n, found,
          (int)line_length(expected), expected);
}

void check_text(const char* file,
                int line,
                const char* what,
                const char* found,
                const char* expected)
{
   if (strcmp(found, expected) == 0)
      counts->passed++;
   else if (fails(file, line)) {
      printf("%s: ", what);
      show_difference(found, expected);
   }
}

Bool check_in_child(const char* file, int line, const char* what)
{
   fflush(stdout);
   pid_t child = fork();
   if (child == 0) {
      /* What it says is what is wanted. */
      if (!freopen("/dev/null", "w", stderr)) check_survived();
      return True;
   }
   int status = 0;
   waitpid(child, &status, 0);
   if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
      counts->passed++;
   else if (fails(file, line))
      printf("%s does not fail an assertion\n", what);
   return False;
}

void check_survived(void)
{
   _exit(SURVIVED);
}

/*--- Running ------------------------------------------------------------*/

static void run(const Test* test)
{
   current = test->name;
   fflush(stdout);
   pid_t child = fork();
   if (child == 0) {
      test->run();
      fflush(stdout);
      _exit(0);
   }
   int status = 0;
   waitpid(child, &status, 0);
   if (status == 0) return;
   counts->failed++;
   if (WIFSIGNALED(status))
      printf("%s: ended by signal %d\n", test->name, WTERMSIG(status));
   else
      printf("%s: ended with status %d\n", test->name, WEXITSTATUS(status));
}

const char* check_name(void)
{
   return current;
}

static Bool is_chosen(const Test* test, int n_args, char** args)
{
   for (int i = 1; i < n_args; i++)
      if (strcmp(args[i], test->name) == 0) return True;
   return n_args <= 1;
}

static void remove_directory(void)
{
   char command[64];
   snprintf(command, sizeof command, "rm -rf %s", directory);
   if (system(command) != 0) printf("%s stays behind\n", directory);
}

int check_main(const Test* tests, UInt n, int n_args, char** args)
{
   counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (counts == MAP_FAILED || !mkdtemp(directory)) {
      perror("check");
      return 1;
   }
   for (UInt i = 0; i < n; i++)
      if (is_chosen(&tests[i], n_args, args)) run(&tests[i]);
   remove_directory();
   printf("%llu checks passed, %llu failed\n", counts->passed, counts->failed);
   return counts->failed || !counts->passed;
}

/*--- For tests ----------------------------------------------------------*/

const char* check_directory(void)
{
   return directory;
}

char* check_read_file(const char* path, SizeT* n)
{
   FILE* file = fopen(path, "r");
   if (!file) {
      perror(path);
      abort();
   }
   struct stat st;
   tl_assert(fstat(fileno(file), &st) == 0);
   char* content = malloc(st.st_size + 1);
   tl_assert(content);
   *n = fread(content, 1, st.st_size, file);
   content[*n] = '\0';
   fclose(file);
   return content;
}

void check_write_file(const char* path, const void* content, SizeT n)
{
   /* A file system writes one to the disk at once that it cuts to nothing. */
   remove(path);
   FILE* file = fopen(path, "w");
   if (!file) {
      perror(path);
      abort();
   }
   tl_assert(fwrite(content, 1, n, file) == n);
   tl_assert(fclose(file) == 0);
}

UInt check_rounds(UInt n)
{
   const char* size = getenv("CG2_TEST_SIZE");
   if (size == NULL) return n;
   const char* slash = strchr(size, '/');
   return n * (UInt)atoi(size) / (slash ? (UInt)atoi(slash + 1) : 1);
}
