#include "repeat/others.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "repeat/moment.h"
#include "repeat/processes.h"
#include "repeat/turns.h"

enum { OFTEN = 8 };      /* looks, until sleep is believed */
enum { SHORT = 300000 }; /* nanoseconds between two of them */
/* Real time in which none of them gets on, as programs do not that take long to
 * start. */
#define PATIENCE (60ULL * MOMENT_SECOND)

/* Reason for a mutable file-scope object: what was seen of the others. */
static struct {
   ULong moment; /* that is asked for */
   ULong since;  /* real time: none has got on */
   ULong last;   /* the same, when it was looked last */
   ULong clocks; /* the sum of those that were behind it */
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
   ULong moment;      /* those who have come so far are not looked at */
   ULong claim;       /* when who asks goes on */
   UInt own;          /* his number */
   ULong clocks;      /* the sum of those that have not come so far */
   Bool runs, sleeps; /* some of them do */
} Lag;

/* Whether somebody goes on first. Of two that go on at the same moment, the
 * lower number is first. */
static Bool is_before(const Participant* p, const Lag* lag)
{
   return p->claim != lag->claim ? p->claim < lag->claim : p->told < lag->own;
}

static void look_at(const Participant* p, void* data)
{
   Lag* lag = data;
   if (p->clock >= lag->moment || is_own(p->real)) return;
   HChar state = state_of(p->real);
   if (state == 'Z' || state == 'X' ||
       cg2_processes_clock(p->real) >= lag->moment)
      return;
   lag->clocks += p->clock;
   Bool is_stopped = state == 'T' || state == 't';
   if (p->claim && !is_stopped)
      lag->runs |= is_before(p, lag);
   else if (state == 'R' || state == 'D')
      lag->runs = True;
   else
      lag->sleeps = True;
}

static void begin(ULong moment, ULong now)
{
   seen.moment = moment;
   seen.since = now;
   seen.last = 0;
   seen.n = 0;
}

/* Looks once more. Whether all others have come to `moment`, or sleep. */
static Bool look(ULong moment, ULong claim)
{
   ULong now = cg2_turns_real_time();
   Lag lag = {.moment = moment, .claim = claim, .own = cg2_processes_own()};
   if (seen.moment != moment || now - seen.last > PATIENCE) begin(moment, now);
   cg2_processes_claim(claim);
   cg2_processes_visit(look_at, &lag);
   if (lag.clocks != seen.clocks) seen.since = now;
   seen.clocks = lag.clocks;
   if (lag.runs) seen.n = 0;
   if (!lag.runs && now - seen.last > SHORT) seen.n++;
   if (now - seen.last > SHORT) seen.last = now;
   return (!lag.runs && !lag.sleeps) || seen.n > OFTEN ||
          now - seen.since > PATIENCE;
}

Bool cg2_others_have_reached(ULong moment)
{
   return look(moment, moment);
}

Bool cg2_others_are_done(ULong limit)
{
   return look(limit, cg2_moment_now());
}

static void take_later(const Participant* p, void* data)
{
   ULong* latest = data;
   if (p->clock != MOMENT_NEVER && p->clock > *latest) *latest = p->clock;
}

ULong cg2_others_latest(void)
{
   ULong latest = cg2_moment_now();
   cg2_processes_visit(take_later, &latest);
   return latest;
}

void cg2_others_go_on(void)
{
   cg2_processes_claim(0);
}
