/* Checks that say where they failed and what they saw.
 *
 *    static void test_sum(void) { CHECK_EQ(1 + 1, 2); }
 *
 *    int main(int n, char** names)
 *    {
 *       static const Test tests[] = {{"sum", test_sum}};
 *       return check_main(tests, sizeof tests / sizeof *tests, n, names);
 *    }
 *
 * Each test runs in a process of its own, as the engine's state is the
 * process's and there is no way back. */
#ifndef CHECK_H
#define CHECK_H

#include "host_vg.h"

/* A failed check is reported, and the test goes on. */
#define CHECK(condition)                                                       \
   check_true(__FILE__, __LINE__, #condition, (condition) ? True : False)
#define CHECK_EQ(found, expected)                                              \
   check_equal(__FILE__, __LINE__, #found, (Long)(found), (Long)(expected))
#define CHECK_TEXT(found, expected)                                            \
   check_text(__FILE__, __LINE__, #found, (found), (expected))
/* The call ends in a failed tl_assert. */
#define CHECK_ASSERTS(call)                                                    \
   do {                                                                        \
      if (check_in_child(__FILE__, __LINE__, #call)) {                         \
         call;                                                                 \
         check_survived();                                                     \
      }                                                                        \
   } while (0)

void check_true(const char* file, int line, const char* what, Bool is_true);
void check_equal(
   const char* file, int line, const char* what, Long found, Long expected);
/* Long texts are compared line by line. */
void check_text(const char* file,
                int line,
                const char* what,
                const char* found,
                const char* expected);

/* True in a child, which is to fail an assertion; the parent checks that. */
Bool check_in_child(const char* file, int line, const char* what);
__attribute__((noreturn)) void check_survived(void);

typedef struct Test {
   const char* name;
   void (*run)(void);
} Test;

/* Runs those tests that are named, all if none is. Prints how many checks
 * passed; returns 1 if one failed, or a test crashed, or there was none. */
int check_main(const Test* tests, UInt n, int n_args, char** args);

/* The name of the test that runs. */
const char* check_name(void);

/* The directory of this run's scratch files. */
const char* check_directory(void);
/* The content of a file of which a test knows that it is there, with a NUL. To
 * be freed with free(). */
char* check_read_file(const char* path, SizeT* n);
void check_write_file(const char* path, const void* content, SizeT n);

/* The rounds of a long-running test that has `n` at its usual size: so many
 * times CG2_TEST_SIZE, which is a number or a fraction, such as 20 or 1/5. */
UInt check_rounds(UInt n);

/* All files test_*.c are linked into one program, as linking takes longer than
 * most of them run: programs.c has its main, which runs the one that is named.
 * They are compiled with CHECK_PROGRAM, the file's name, and with another name
 * for their own main. */
typedef int CheckProgram(int n, char** names);
void check_add_program(const char* name, CheckProgram* run);

#ifdef CHECK_PROGRAM
CheckProgram main;
__attribute__((constructor)) static void check_add_this(void)
{
   check_add_program(CHECK_PROGRAM, main);
}
#endif

#endif
