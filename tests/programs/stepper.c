/* Runs a program instruction by instruction, and writes how often control went
 * from each of an object's instructions to each: stepper OBJECT OUT PROGRAM...
 * A line is "from to count", in hexadecimal, decimal the count; addresses are
 * those of the ELF file, 0 is outside. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EDGES = 1 << 16 };

typedef struct Edge {
   uint64_t from, to, count;
} Edge;

static Edge edges[EDGES];
static uint64_t low, high, bias;

static void count(uint64_t from, uint64_t to)
{
   uint64_t at = (from * 0x9e3779b97f4a7c15ull + to) * 0x9e3779b97f4a7c15ull >> 48;
   while (edges[at].count && (edges[at].from != from || edges[at].to != to))
      at = (at + 1) % EDGES;
   edges[at].from = from;
   edges[at].to = to;
   edges[at].count++;
}

/* Finds where the object is in memory. */
static void find(pid_t child, const char* object, int is_fixed)
{
   char path[64], line[8192];
   snprintf(path, sizeof path, "/proc/%d/maps", child);
   FILE* maps = fopen(path, "r");
   while (maps && fgets(line, sizeof line, maps)) {
      unsigned long begin, end;
      char* name = strchr(line, '/');
      if (!name || sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
      name[strcspn(name, "\n")] = 0;
      if (strcmp(name, object)) continue;
      if (!high) low = begin;
      high = end;
   }
   if (maps) fclose(maps);
   bias = is_fixed ? 0 : low;
}

static uint64_t place(uint64_t address)
{
   return high && address >= low && address < high ? address - bias : 0;
}

static int is_fixed(const char* object)
{
   Elf64_Ehdr header = {.e_type = 0};
   int file = open(object, O_RDONLY);
   if (file < 0 || read(file, &header, sizeof header) != sizeof header) exit(2);
   close(file);
   return header.e_type == ET_EXEC;
}

/* Where the loader jumps to once it has done its work. */
static uint64_t entry_of(pid_t child)
{
   char path[64];
   snprintf(path, sizeof path, "/proc/%d/auxv", child);
   Elf64_auxv_t item;
   uint64_t entry = 0;
   FILE* items = fopen(path, "r");
   while (items && fread(&item, sizeof item, 1, items) == 1)
      if (item.a_type == AT_ENTRY) entry = item.a_un.a_val;
   if (items) fclose(items);
   return entry;
}

/* Runs the loader at full speed: two of three instructions are its, and outside of the object. */
static void run_to_entry(pid_t child)
{
   struct user_regs_struct registers;
   int status;
   uint64_t entry = entry_of(child);
   long code = ptrace(PTRACE_PEEKTEXT, child, entry, 0);
   ptrace(PTRACE_POKETEXT, child, entry, (code & ~0xffl) | 0xcc);
   ptrace(PTRACE_CONT, child, 0, 0);
   if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) exit(3);
   ptrace(PTRACE_POKETEXT, child, entry, code);
   ptrace(PTRACE_GETREGS, child, 0, &registers);
   if (registers.rip != entry + 1) exit(4);
   registers.rip = entry;
   ptrace(PTRACE_SETREGS, child, 0, &registers);
}

static void watch(pid_t child, const char* object)
{
   struct user_regs_struct registers;
   int status;
   uint64_t last = 0;
   if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) exit(5);
   run_to_entry(child);
   find(child, object, is_fixed(object));
   do {
      ptrace(PTRACE_GETREGS, child, 0, &registers);
      uint64_t now = place(registers.rip);
      if ((last || now) && last != now) count(last, now);
      last = now;
      int signal = WSTOPSIG(status);
      ptrace(PTRACE_SINGLESTEP, child, 0, signal == 5 ? 0 : signal);
   } while (waitpid(child, &status, 0) == child && WIFSTOPPED(status));
}

int main(int argc, char** argv)
{
   if (argc < 4) return 2;
   pid_t child = fork();
   if (!child) {
      ptrace(PTRACE_TRACEME, 0, 0, 0);
      execv(argv[3], argv + 3);
      _exit(127);
   }
   watch(child, argv[1]);
   FILE* out = fopen(argv[2], "w");
   for (int i = 0; out && i < EDGES; i++)
      if (edges[i].count)
         fprintf(out, "%lx %lx %lu\n", edges[i].from, edges[i].to,
                 edges[i].count);
   return out && !fclose(out) ? 0 : 1;
}
