#include "run/usage.h"

#include "model/described/catalog.h"
#include "model/described/description.h"

/* The lines of the source are the lines of the help. */
/* clang-format off */

static const HChar files[] =
"\n"
"   profile file options:\n"
"    --cg2-out-file=<f>          file name of the profile [cg2.out.%p]; %p is\n"
"                                the process id, %q{VAR} an environment\n"
"                                variable, %n a number, %% a %\n"
"    --callgrind-out-file=<f>    the same\n"
"    --paths-out-file=<f>        file name for --contexts=full [cg2.paths.%p]\n"
"    --json-summary=<f>          also what each process cost and wrote, as JSON\n"
"                                for programs, to <f>, a name of the same form\n"
"    --combine-dumps=no|yes      all parts in one file [no]\n"
"    --keep-all=no|yes           no program overwrites the profile of another: one\n"
"                                that is replaced leaves <f>.exec1, a child whose\n"
"                                file would be its parent's <f>.pid77 [yes]\n"
"    --dump-line=no|yes          costs per source line [yes]\n"
"    --dump-instr=no|yes         costs per instruction [no]\n"
"    --dump-bb=no|yes            costs per basic block [no]\n"
"    --compress-strings=no|yes   write each name once, then its number [yes]\n"
"    --compress-pos=no|yes       write positions as differences [yes]\n"
"    --function-files=declared|first  the file of a function: where it is declared,\n"
"                                or that of its first instruction, which may be\n"
"                                inlined from elsewhere [declared]\n"
"    --format=callgrind|spec     as Callgrind writes it, or exactly as the\n"
"                                format's specification says [callgrind]\n";

static const HChar control[] =
"\n"
"   when to write a part, and what to collect:\n"
"    --dump-every-bb=<n>         write a part every <n> blocks, 0: never [0]\n"
"    --dump-before=<fn>          write a part before <fn> is entered; <fn> is the\n"
"                                name of a function, with * and ?\n"
"    --dump-after=<fn>           write a part when <fn> has been left\n"
"    --zero-before=<fn>          start from zero when <fn> is entered\n"
"    --toggle-collect=<fn>       collect only inside <fn>\n"
"    --collect-atstart=no|yes    collect from the start [yes]\n"
"    --instr-atstart=no|yes|inherit  count from the start; if not, the program\n"
"                                runs as without a tool until it is told to;\n"
"                                inherit: as the program that it replaces, the\n"
"                                first one does not [yes]\n"
"    --collect-jumps=no|yes      count jumps and conditional branches [no]\n"
"    --collect-systime=no|yes|msec|usec|nsec  count system calls and their\n"
"                                time; yes: in milliseconds; nsec: CPU time, too\n"
"                                [no]\n"
"    --collect-alloc=no|yes      count allocations and their bytes [no]\n"
"    --collect-bus=no|yes        count atomic accesses to memory [no]\n"
"    --collect-scope=thread|process|session  whether a function that toggles it\n"
"                                does so for its own thread or for all; session:\n"
"                                programs started by exec go on as it is [thread]\n";

static const HChar simulation[] =
"\n"
"   simulation options:\n"
"    --cache-sim=no|yes          count accesses to memory and cache misses [no];\n"
"                                each of the next seven switches it on\n"
"    --I1=<size>,<ways>,<line>   the cache for code: bytes, ways, bytes\n"
"    --D1=<size>,<ways>,<line>   the cache for data\n"
"    --L2=<size>,<ways>,<line>   a private second level behind I1 and D1, before\n"
"                                the last level (none)\n"
"    --LL=<size>,<ways>,<line>   the last level; I1, D1 and LL are by default as\n"
"                                the processor has them\n"
"    --simulate-wb=no|yes        count dirty lines that are written back [no]\n"
"    --simulate-hwpref=no|yes    streams are fetched in advance [no]\n"
"    --cacheuse=no|yes           say how well lines are used before they go [no]\n"
"    --data=no|misses|accesses|together  charge misses, or all accesses, to data\n"
"                                objects, too: blocks of the heap, variables,\n"
"                                frames; into a file of its own. together: and\n"
"                                say what is accessed together [no]\n"
"    --data-out-file=<f>         name of that file [cg2.data.%p]\n"
"    --data-callers=<n>          tell lines that allocate apart by <n> calls [1]\n"
"    --data-alloc=<f>[,size=<a>[*<a>]][,free=<f>]  function f gives out memory:\n"
"                                argument <a> (1, 2, ...) says how much\n"
"    --branch-sim=no|yes         count branches and those that are mispredicted\n"
"                                [no]\n"
"    --cache-sweep=<c>:<from>..<to>[,<key>=<n>...]  misses in caches of all these\n"
"                                sizes, such as D:8k..1m; <c>: I, D or LL, which\n"
"                                switches --cache-sim on; keys: sets or ways,\n"
"                                which all have (sets=1); line (64); step (sizes\n"
"                                double)\n"
"    --machine=<name>|<file>     simulate a described machine instead; help\n"
"                                lists the names\n"
"    --private-caches=no|yes     each thread has caches of its own, but for the\n"
"                                shared ones [no]\n"
"    --cpu=host|avx2|avx|sse4.2|ssse3|baseline  the processor that the program is\n"
"                                told of, by which libraries choose code [host];\n"
"                                on arm64 host, lse, crypto, baseline\n";

static const HChar separation[] =
"\n"
"   cost separation options:\n"
"    --separate-recs=<n>         keep <n> recursion levels apart, 1 to 1000:\n"
"                                f, f'2, ... [2]\n"
"    --separate-recs<n>=<fn>     keep <n> recursion levels of <fn> apart\n"
"    --separate-callers=<n>      keep functions apart by their last <n> callers:\n"
"                                f'caller1'caller2 [0]\n"
"    --separate-callers<n>=<fn>  keep <fn> apart by its last <n> callers\n"
"    --contexts=function|full    full: also write what each path of calls costs\n"
"                                [function]\n"
"    --contexts-max=<n>          keep <n> paths at most [1000000]\n"
"    --separate-threads=no|yes   a profile for each thread [no]\n"
"    --fn-group<n>=<fn>          functions of group <n> count as one among callers\n"
"    --fn-skip=<fn>              costs of <fn> are its caller's, at the call\n"
"    --obj-skip=<file>           the same for all functions of an object file\n"
"    --skip-direct-rec=no|yes    calls of a function by itself do not count [no]\n"
"    --pop-on-jump[=<fn>]        a jump out of any function, or of <fn>, is a\n"
"                                return and a call\n"
"    --skip-plt=no|yes           calls through .plt, .plt.sec and .plt.got go\n"
"                                straight to the function [yes]\n";

static const HChar debugging[] =
"    --check-cells=no|yes        stop where a block counts in another's cells [no]\n"
"    --inherited-state=<state>   what a program hands on to the one that replaces\n"
"                                it, as cg2 itself gives it (none)\n";

/* clang-format on */

/* Prints the line of one machine: its name, and what the machine is. */
static void print_machine(const HChar* name)
{
   Processor p;
   HChar error[PROCESSOR_TEXT];
   const HChar* why;
   UInt line;
   HChar* path = cg2_catalog_path(name);
   HChar* text = cg2_catalog_read(path, &why);
   if (text && cg2_description_parse(text, &p, error, &line))
      VG_(printf)("    %-16s %s\n", name, p.name);
   if (text) VG_(free)(text);
   VG_(free)(path);
}

void cg2_usage_print_machines(void)
{
   VG_(printf)("\n   machines that --machine=<name> simulates:\n");
   cg2_catalog_list(print_machine);
}

void cg2_usage_print(void)
{
   VG_(printf)("%s%s%s", files, control, simulation);
   cg2_usage_print_machines();
   VG_(printf)("%s", separation);
}

void cg2_usage_print_debug(void)
{
   VG_(printf)("%s", debugging);
}
