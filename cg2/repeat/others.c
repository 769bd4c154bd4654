#include "repeat/others.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "repeat/moment.h"
#include "repeat/processes.h"
#include "repeat/turns.h"

enum { OFTEN = 8 };                     /* looks, until sleep is believed */
enum { SHORT = 300000 };                /* nanoseconds between two of them */
#define PATIENCE (4ULL * MOMENT_SECOND) /* of real time */

/* Reason for a mutable file-scope object: what was seen of the others. */
static struct {
   ULong moment; /* that is asked for */
   ULong since;  /* real time */
   ULong last;   /* the same, when it was looked last */
   UInt n;       /* times that those behind it were asleep */
} seen;

/* The state of a process or thread of the kernel; 'Z': it has ended. Source:
 * proc(5): it stands behind the name, which is in parentheses. */
static HChar state_of(UInt real)
{
   HChar path[64], text[256];
   VG_(sprintf)(path, "/proc/%u/stat", real);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return 'Z';
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* state = VG_(strrchr)(text, ')');
   return state && state[1] ? state[2] : 'Z';
}

static Bool is_own(UInt real)
{
   HChar path[64];
   struct vg_stat st;
   VG_(sprintf)(path, "/proc/self/task/%u", real);
   return !sr_isError(VG_(stat)(path, &st));
}

typedef struct Lag {
   ULong moment;
   Bool runs, sleeps; /* some that have not come so far */
} Lag;

static void look_at(UInt real, ULong clock, void* data)
{
   Lag* lag = data;
   if (clock >= lag->moment || is_own(real)) return;
   switch (state_of(real)) {
   case 'Z':
   case 'X':
      break;
   case 'R':
   case 'D':
      lag->runs = True;
      break;
   default:
      lag->sleeps = True;
   }
}

static void begin(ULong moment, ULong now)
{
   seen.moment = moment;
   seen.since = now;
   seen.last = 0;
   seen.n = 0;
}

Bool cg2_others_have_reached(ULong moment)
{
   ULong now = cg2_turns_real_time();
   Lag lag = {.moment = moment};
   if (seen.moment != moment || now - seen.last > PATIENCE) begin(moment, now);
   cg2_processes_visit(look_at, &lag);
   if (lag.runs) seen.n = 0;
   if (!lag.runs && now - seen.last > SHORT) seen.n++;
   if (now - seen.last > SHORT) seen.last = now;
   return (!lag.runs && !lag.sleeps) || seen.n > OFTEN ||
          now - seen.since > PATIENCE;
}
