#define _GNU_SOURCE /* dl_iterate_phdr */
#include "check.h"
#include "data/static/statics.h"
#include "data/static/threadlocals.h"
#include "guest.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* The test looks into its own memory: into its own variables, those of libc,
 * and those of a library that it loads. */

__thread long shown[5];
static __thread char hidden[7];

/*--- What is mapped -----------------------------------------------------*/

enum { OBJECTS_MAX = 30 };
static Mapping mappings[OBJECTS_MAX];

static int add_object(struct dl_phdr_info* info, size_t size, void* n)
{
   (void)size;
   const char* path = *(UInt*)n ? info->dlpi_name : "/proc/self/exe";
   const Name* name = cg2_names_intern(&cg2_code.object_names, path);
   Object* object = cg2_code_find_object(name, 1);
   if (!object) object = cg2_code_add_object(name, 1);
   tl_assert(*(UInt*)n < OBJECTS_MAX);
   mappings[(*(UInt*)n)++] =
      (Mapping){.object = object, .bias = info->dlpi_addr};
   return 0;
}

static void map_all(void)
{
   guest.n_mappings = 0;
   dl_iterate_phdr(add_object, &guest.n_mappings);
   guest.mappings = mappings;
   guest.epoch++;
   guest.threadpointer = (Addr)__builtin_thread_pointer();
   cg2_threadlocals_begin(getauxval(AT_PHDR));
}

/* The address, which may be of no data object at all, is in one of this name,
 * and where that begins. */
static DataObject*
check_found(const void* address, const char* name, Addr start, SizeT size)
{
   DataPiece piece;
   Bool is_found = cg2_statics_find((Addr)address, &piece);
   CHECK(is_found);
   if (!is_found) return NULL;
   CHECK_TEXT(piece.object->name, name);
   CHECK_EQ(piece.origin, start);
   CHECK_EQ(piece.start, start);
   if (size) CHECK_EQ(piece.end, start + size);
   return piece.object;
}

/*--- Variables that are there when the program begins -------------------*/

static void check_own(void)
{
   check_found(&shown[4], "shown (thread-local)", (Addr)shown, sizeof shown);
   check_found(&hidden[6], "hidden (test_threadlocals.c, thread-local)",
               (Addr)hidden, sizeof hidden);
}

static void test_program(void)
{
   map_all();
   check_own();
}

static void test_libc(void)
{
   map_all();
   check_found(&errno, "errno (thread-local)", (Addr)&errno, sizeof errno);
}

/* glibc says how large its own block is. */
static void test_control(void)
{
   map_all();
   const UInt* size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
   const char* tp = (char*)guest.threadpointer;
   SizeT n = size ? *size : 8 * sizeof(Addr);
   DataPiece piece;
   check_found(tp, "thread control block", (Addr)tp, n);
   DataObject* block =
      check_found(tp + n - 1, "thread control block", (Addr)tp, n);
   CHECK_EQ(block->kind, DATA_OTHER);
   CHECK(!cg2_statics_find((Addr)tp + n, &piece));
}

/* Before a thread has a thread pointer nothing is found. */
static void test_no_pointer(void)
{
   DataPiece piece;
   map_all();
   guest.threadpointer = 0;
   CHECK(!cg2_statics_find((Addr)shown, &piece));
}

/*--- Other threads ------------------------------------------------------*/

static pthread_barrier_t barrier;
static void* theirs;

static void* be_other(void* unused)
{
   guest.threadpointer = (Addr)__builtin_thread_pointer();
   theirs = &shown[1];
   check_own();
   pthread_barrier_wait(&barrier);
   pthread_barrier_wait(&barrier);
   return unused;
}

/* The variables of another thread are found by any thread, until its memory is
 * unmapped; they are the same objects. */
static void test_threads(void)
{
   pthread_t other;
   map_all();
   DataObject* object =
      check_found(shown, "shown (thread-local)", (Addr)shown, sizeof shown);
   pthread_barrier_init(&barrier, NULL, 2);
   CHECK_EQ(pthread_create(&other, NULL, be_other, NULL), 0);
   pthread_barrier_wait(&barrier);
   guest.threadpointer = (Addr)__builtin_thread_pointer();
   Addr start = (Addr)theirs - sizeof(long);
   CHECK(theirs != &shown[1]);
   CHECK(object ==
         check_found(theirs, "shown (thread-local)", start, sizeof shown));
   check_own();
   pthread_barrier_wait(&barrier);
   pthread_join(other, NULL);
   DataPiece piece;
   cg2_statics_unmapped((Addr)theirs & ~(Addr)4095, 2 * 4096);
   CHECK(!cg2_statics_find((Addr)theirs, &piece));
   check_own();
}

/*--- Libraries that are loaded later ------------------------------------*/

static const char SOURCE[] = "#ifndef N\n#define N 2000\n#endif\n"
                             "__thread long loaded[N] = {7};\n"
                             "static __thread int local;\n"
                             "long* ask(void) { return loaded; }\n"
                             "int* ask_local(void) { return &local; }\n";

typedef long* (*Ask)(void);

static void* load(const char* options)
{
   char path[200], command[700];
   snprintf(path, sizeof path, "%s/loaded", check_directory());
   snprintf(command, sizeof command, "%s.c", path);
   check_write_file(command, SOURCE, sizeof SOURCE - 1);
   snprintf(command, sizeof command,
            "gcc -m%d -O1 -shared -fPIC %s %s.c -o %s.so", 8 * VG_WORDSIZE,
            options, path, path);
   CHECK_EQ(system(command), 0);
   strcat(path, ".so");
   void* library = dlopen(path, RTLD_NOW);
   if (!library) fprintf(stderr, "%s\n", dlerror());
   return library;
}

static Ask function(void* library, const char* name)
{
   Ask f;
   *(void**)&f = dlsym(library, name);
   return f;
}

/* The vector knows where the variables are, once they are there. */
static void test_loaded(void)
{
   void* library = load("");
   CHECK(library != NULL);
   map_all();
   DataPiece piece;
   check_own();
   long* start = function(library, "ask")();
   check_found(start + 1999, "loaded (thread-local)", (Addr)start,
               2000 * sizeof *start);
   long* local = function(library, "ask_local")();
   check_found(local, "local (loaded.c, thread-local)", (Addr)local,
               sizeof(int));
   CHECK(!cg2_statics_find((Addr)start - 4096, &piece));
   check_own();
   CHECK_EQ(dlclose(library), 0);
   map_all();
   CHECK(!cg2_statics_find((Addr)start, &piece));
   check_own();
}

/* A library that is linked for a fixed distance, and has room for that. */
static void test_initial_exec(void)
{
   void* library = load("-ftls-model=initial-exec -DN=3");
   if (!library) return;
   map_all();
   long* start = function(library, "ask")();
   check_found(start, "loaded (thread-local)", (Addr)start, 3 * sizeof *start);
}

int main(int n, char** names)
{
   cg2_now.tid = 1;
   static const Test tests[] = {
      {"program", test_program},           {"libc", test_libc},
      {"control", test_control},           {"no_pointer", test_no_pointer},
      {"threads", test_threads},           {"loaded", test_loaded},
      {"initial_exec", test_initial_exec},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
