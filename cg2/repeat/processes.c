#include "repeat/processes.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/chance.h"
#include "repeat/moment.h"
#include "repeat/places.h"

/* Source: Valgrind's core, which exports them to no tool. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length,
                                                      UInt prot,
                                                      Int fd,
                                                      Off64T offset);
extern Int VG_(fd_hard_limit);
extern Bool VG_(clo_trace_children);

enum {
   FIRST = 1000,
   PARENT = FIRST - 1,  /* of the first process */
   GROUP = FIRST - 2,   /* in which the run was started */
   SESSION = FIRST - 3, /* the same */
   MOST = 4194304       /* numbers of Linux */
};

/* What processes share. A pair is one word, so that none sees half of it: the
 * real number is the upper half. 0: it is free. */
enum { GIVEN = 3 };
typedef struct SharedNumbers {
   UInt group, session; /* real ones, in which the run was started */
   ULong given[GIVEN];  /* inodes of files that were open */
   Places pairs;
   ULong clocks[PLACES]; /* how far each has come */
   ULong spent[PLACES];  /* what each has spent, with children */
   ULong claims[PLACES]; /* when each goes on; 0: it has not said */
   ULong looked[PLACES]; /* when each has looked what has happened */
   SharedFile files[SHARED_FILES];
} SharedNumbers;

/* Reason for a mutable file-scope object: the numbers of the process. */
static struct {
   SharedNumbers* shared;
   Int file; /* which holds them */
   UInt own, parent;
   UInt n_made;   /* processes and threads */
   UInt made;     /* the number of the last */
   UInt* threads; /* by Valgrind's number: what is told of one that begins */
   UInt* places;  /* the same: where its pair was */
} numbers;

/*--- The table ----------------------------------------------------------*/

static UInt real_in(ULong pair)
{
   return pair >> 32;
}

static ULong get(ULong i)
{
   return cg2_places_get(&numbers.shared->pairs, i);
}

static ULong n_pairs(void)
{
   return cg2_places_n(&numbers.shared->pairs);
}

static void free_place(ULong i, ULong pair)
{
   SharedNumbers* s = numbers.shared;
   s->clocks[i] = s->spent[i] = s->claims[i] = s->looked[i] = 0;
   cg2_places_replace(&s->pairs, i, pair, 0);
}

UInt cg2_processes_told(UInt real)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++)
      if (real_in(get(i)) == real) return real ? (UInt)get(i) : 0;
   return 0;
}

/* Source: getppid(2): who has lost its parent has process 1; a parent of
 * another namespace of processes has 0. */
UInt cg2_processes_told_parent(UInt real)
{
   if (!real) return PARENT;
   UInt told = cg2_processes_told(real);
   return told ? told : 1;
}

UInt cg2_processes_told_group(UInt real)
{
   return real == numbers.shared->group ? GROUP : cg2_processes_told(real);
}

UInt cg2_processes_told_session(UInt real)
{
   return real == numbers.shared->session ? SESSION : cg2_processes_told(real);
}

UInt cg2_processes_real(UInt told)
{
   if (told == GROUP) return numbers.shared->group;
   if (told == SESSION) return numbers.shared->session;
   for (ULong i = 0, n = n_pairs(); i < n; i++)
      if ((UInt)get(i) == told && told) return real_in(get(i));
   return PROCESSES_NOBODY;
}

static void remove_pair(UInt real)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++) {
      ULong pair = get(i);
      if (pair && real_in(pair) == real) free_place(i, pair);
   }
}

/* Whether nothing has the number any more. A group may outlive the process by
 * which it is called. */
static Bool is_gone(UInt real)
{
   return cg2_kernelcall_make(__NR_kill, real, 0, 0, 0) == -VKI_ESRCH &&
          cg2_kernelcall_make(__NR_kill, -(Word)real, 0, 0, 0) == -VKI_ESRCH;
}

/* A process that has ended keeps its number until somebody needs the place:
 * what is said of it may come later. */
static void remove_ended(void)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++) {
      ULong pair = get(i);
      if (pair && is_gone(real_in(pair))) free_place(i, pair);
   }
}

void cg2_processes_add(UInt real, UInt told)
{
   Places* pairs = &numbers.shared->pairs;
   ULong pair = (ULong)real << 32 | told;
   enum { OFTEN = 1024 };
   if (cg2_processes_told(real) == told) return;
   remove_pair(real);
   if (cg2_places_add_to_free(pairs, pair)) return;
   if (n_pairs() % OFTEN == OFTEN - 1) remove_ended();
   if (cg2_places_add_to_free(pairs, pair)) return;
   if (cg2_places_add_to_end(pairs, pair)) return;
   VG_(umsg)("--repeatable=yes: more than %u processes and threads\n", PLACES);
   VG_(exit)(1);
}

/*--- How far they have come ---------------------------------------------*/

static UInt find_place(UInt told)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++)
      if ((UInt)get(i) == told) return i;
   return 0;
}

static void say(ThreadId tid, UInt told, ULong* values, ULong moment)
{
   UInt* place = &numbers.places[tid];
   if ((UInt)get(*place) != told) *place = find_place(told);
   if ((UInt)get(*place) == told)
      __atomic_store_n(&values[*place], moment, __ATOMIC_RELEASE);
}

/* Place 0, which no thread has, is where the process's own is kept. */
void cg2_processes_say_clock(ThreadId tid, ULong moment)
{
   ULong* clocks = numbers.shared->clocks;
   say(0, numbers.own, clocks, moment);
   if (numbers.threads[tid]) say(tid, numbers.threads[tid], clocks, moment);
}

void cg2_processes_claim(ULong moment)
{
   say(0, numbers.own, numbers.shared->claims, moment);
}

void cg2_processes_say_looked(ULong real_time)
{
   say(0, numbers.own, numbers.shared->looked, real_time);
}

ULong cg2_processes_clock(UInt real)
{
   ULong clock = 0;
   for (ULong i = 0, n = n_pairs(); i < n; i++) {
      ULong said = numbers.shared->clocks[i];
      if (real_in(get(i)) == real && said > clock) clock = said;
   }
   return clock;
}

void cg2_processes_note_gone(UInt real)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++)
      if (real_in(get(i)) == real) numbers.shared->clocks[i] = MOMENT_NEVER;
}

void cg2_processes_say_spent(ULong spent)
{
   say(0, numbers.own, numbers.shared->spent, spent);
}

ULong cg2_processes_spent(UInt real)
{
   for (ULong i = 0, n = n_pairs(); i < n; i++)
      if (real_in(get(i)) == real) return numbers.shared->spent[i];
   return 0;
}

/* Who has started the run takes no part in it. */
void cg2_processes_visit(void (*visit)(const Participant* p, void* data),
                         void* data)
{
   const SharedNumbers* s = numbers.shared;
   for (ULong i = 0, n = n_pairs(); i < n; i++) {
      ULong pair = get(i);
      Participant p = {real_in(pair), pair, s->clocks[i], s->claims[i],
                       s->looked[i]};
      if (pair && p.told != PARENT) visit(&p, data);
   }
}

SharedFile* cg2_processes_files(void)
{
   return numbers.shared->files;
}

/*--- What is made -------------------------------------------------------*/

/* Whether something goes by that number now. */
static Bool is_taken(UInt told)
{
   UInt real = cg2_processes_real(told);
   if (real == PROCESSES_NOBODY) return False;
   if (!is_gone(real)) return True;
   remove_pair(real);
   return False;
}

static UInt next_number(void)
{
   ULong mixed = cg2_chance_mix(((ULong)numbers.own << 32) + ++numbers.n_made);
   UInt number;
   do {
      number = FIRST + 1 + mixed % (MOST - FIRST - 1);
      mixed = cg2_chance_mix(mixed);
   } while (is_taken(number));
   return number;
}

void cg2_processes_make_process(void)
{
   numbers.made = next_number();
}

void cg2_processes_make_thread(ThreadId tid)
{
   numbers.threads[tid] = numbers.made = next_number();
}

UInt cg2_processes_made(void)
{
   return numbers.made;
}

void cg2_processes_begin_thread(ThreadId tid)
{
   if (numbers.threads[tid])
      cg2_processes_add(VG_(gettid)(), numbers.threads[tid]);
}

UInt cg2_processes_thread(ThreadId tid)
{
   return numbers.threads[tid];
}

UInt cg2_processes_number(ThreadId tid)
{
   return numbers.threads[tid] ? numbers.threads[tid] : numbers.own;
}

/* The first thread's number is the process's. */
void cg2_processes_end_thread(void)
{
   if (VG_(gettid)() != VG_(getpid)()) remove_pair(VG_(gettid)());
}

void cg2_processes_forked(void)
{
   numbers.parent = numbers.own;
   numbers.own = numbers.made;
   numbers.n_made = 0;
   VG_(memset)(numbers.threads, 0, VG_N_THREADS * sizeof *numbers.threads);
   VG_(memset)(numbers.places, 0, VG_N_THREADS * sizeof *numbers.places);
   cg2_processes_add(VG_(getpid)(), numbers.own);
}

UInt cg2_processes_own(void)
{
   return numbers.own;
}

UInt cg2_processes_parent(void)
{
   return numbers.parent;
}

/*--- Begin --------------------------------------------------------------*/

static void refuse(const HChar* what)
{
   VG_(umsg)("--repeatable=yes: the kernel does not give %s\n", what);
   VG_(exit)(1);
}

/* Programs do not see files from that number on. Source: fcntl(2):
 * F_DUPFD_CLOEXEC. */
static Int hide(Int file)
{
   enum { DUPLICATE = 1030 };
   Word hidden =
      cg2_kernelcall_make(__NR_fcntl, file, DUPLICATE, VG_(fd_hard_limit), 0);
   if (hidden < 0) return file;
   VG_(close)(file);
   return hidden;
}

/* The limit of the size of files, which the program has set for its own, does
 * not hold meanwhile. Source: getrlimit(2): who exceeds it gets a signal. */
static Bool enlarge(Int file)
{
   enum { SIZE_OF_FILE = 1 };
   struct {
      ULong soft, hard;
   } was, open;
   if (cg2_kernelcall_make(__NR_prlimit64, 0, SIZE_OF_FILE, 0, (UWord)&was) < 0)
      return False;
   open.soft = open.hard = was.hard;
   if (was.hard < sizeof(SharedNumbers)) return False;
   cg2_kernelcall_make(__NR_prlimit64, 0, SIZE_OF_FILE, (UWord)&open, 0);
   Word answer =
      cg2_kernelcall_make(__NR_ftruncate, file, sizeof(SharedNumbers), 0, 0);
   cg2_kernelcall_make(__NR_prlimit64, 0, SIZE_OF_FILE, (UWord)&was, 0);
   return answer == 0;
}

/* Source: memfd_create(2): 1 closes it by exec. */
static Int new_file(void)
{
   Word file = cg2_kernelcall_make(__NR_memfd_create, (UWord) "cg2", 1, 0, 0);
   if (file < 0 || !enlarge(file)) refuse("a file in memory (ulimit -f)");
   return file;
}

static void share(Int file)
{
   numbers.file = hide(file);
   SysRes map = VG_(am_shared_mmap_file_float_valgrind)(
      sizeof(SharedNumbers), VKI_PROT_READ | VKI_PROT_WRITE, numbers.file, 0);
   if (sr_isError(map)) refuse("memory that processes share");
   numbers.shared = (SharedNumbers*)sr_Res(map);
}

static void note_given(void)
{
   struct vki_stat st;
   for (UInt fd = 0; fd < GIVEN; fd++)
      if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) == 0)
         numbers.shared->given[fd] = st.st_ino;
}

static void begin_run(void)
{
   share(new_file());
   numbers.own = FIRST;
   cg2_processes_add(VG_(getpid)(), FIRST);
   if (VG_(getppid)()) cg2_processes_add(VG_(getppid)(), PARENT);
   numbers.shared->group = cg2_kernelcall_make(__NR_getpgrp, 0, 0, 0, 0);
   numbers.shared->session = cg2_kernelcall_make(__NR_getsid, 0, 0, 0, 0);
   note_given();
}

Bool cg2_processes_was_given(ULong inode)
{
   for (UInt fd = 0; fd < GIVEN; fd++)
      if (numbers.shared->given[fd] == inode) return True;
   return False;
}

static UInt next_in(const HChar** text)
{
   HChar* end;
   UInt number = VG_(strtoull10)(*text, &end);
   *text = *end ? end + 1 : end;
   return number;
}

/* The table is not there where who has started the program has closed it. */
static Bool has_table(Int file)
{
   struct vki_stat st;
   return cg2_kernelcall_make(__NR_fstat, file, (UWord)&st, 0, 0) == 0 &&
          st.st_size == sizeof(SharedNumbers);
}

void cg2_processes_start(const HChar* inherited)
{
   numbers.threads =
      VG_(calloc)("cg2.processes", VG_N_THREADS, sizeof *numbers.threads);
   numbers.places =
      VG_(calloc)("cg2.processes", VG_N_THREADS, sizeof *numbers.places);
   if (!inherited) {
      begin_run();
      return;
   }
   Int file = next_in(&inherited);
   if (!has_table(file)) refuse("the table of processes of this run");
   share(file);
   numbers.own = next_in(&inherited);
   numbers.parent = next_in(&inherited);
   numbers.n_made = next_in(&inherited);
   cg2_processes_add(VG_(getpid)(), numbers.own);
}

/* A program that starts goes on before all others, however long the kernel has
 * it wait for its files: that is no sleep. */
HChar* cg2_processes_hand_on(HChar* text)
{
   enum { AT_ONCE = 1 };
   cg2_processes_claim(AT_ONCE);
   if (!VG_(clo_trace_children))
      say(0, numbers.own, numbers.shared->clocks, MOMENT_NEVER);
   UWord closes = VG_(clo_trace_children) ? 0 : VKI_FD_CLOEXEC;
   cg2_kernelcall_make(__NR_fcntl, numbers.file, VKI_F_SETFD, closes, 0);
   return text + VG_(sprintf)(text, "%d,%u,%u,%u,", numbers.file, numbers.own,
                              numbers.parent, numbers.n_made);
}
