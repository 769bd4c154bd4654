#include "repeat/others.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "repeat/moment.h"
#include "repeat/processes.h"
#include "repeat/realtime.h"

enum { OFTEN = 8 };      /* looks, until sleep is believed */
enum { SHORT = 300000 }; /* nanoseconds between two of them */
/* Real time in which none of them gets on, as programs do not that take long to
 * start. */
#define PATIENCE (60ULL * MOMENT_SECOND)

/* Reason for a mutable file-scope object: what was seen of the others. */
static struct {
   ULong moment; /* that is asked for */
   ULong wanted; /* the earliest that was asked for since the program ran */
   ULong since;  /* real time: none has got on */
   ULong last;   /* the same, when it was looked last */
   ULong quiet;  /* the same: none has run since; MOMENT_NEVER: one has */
   ULong clocks; /* the sum of those that were behind it */
   UInt n;       /* times that those behind it were asleep */
   UInt n_first; /* that go on before who asks */
} seen = {.wanted = MOMENT_NEVER};

/* The state of a process or thread of the kernel; 0: it is gone. Source:
 * proc(5): it stands behind the name, which is in parentheses. */
static HChar state_of(UInt real)
{
   HChar path[64], text[256];
   VG_(sprintf)(path, "/proc/%u/stat", real);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return '\0';
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* state = VG_(strrchr)(text, ')');
   return state && state[1] ? state[2] : '\0';
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
   ULong now;         /* real time */
   ULong clocks;      /* the sum of those that have not come so far */
   Bool runs, sleeps; /* some of them do */
   Bool is_unsure;    /* some wait that may not have seen what has happened */
   UInt n_first;      /* that go on before who asks */
} Lag;

/* Whether somebody goes on first. Of two that go on at the same moment, the
 * lower number is first. */
static Bool is_before(const Participant* p, const Lag* lag)
{
   return p->claim != lag->claim ? p->claim < lag->claim : p->told < lag->own;
}

/* What the kernel says of a process whose own word says nothing for sure. */
static void look_at_state(const Participant* p, Lag* lag)
{
   HChar state = state_of(p->real);
   if (!state) cg2_processes_note_gone(p->real);
   if (!state || state == 'Z' || state == 'X' || is_own(p->real) ||
       cg2_processes_clock(p->real) >= lag->moment)
      return;
   Bool is_stopped = state == 'T' || state == 't';
   if (p->claim && !is_stopped) {
      lag->runs |= is_before(p, lag);
      lag->is_unsure |= p->looked < seen.quiet;
   } else if (state == 'R' || state == 'D') {
      lag->runs = True;
   } else {
      lag->sleeps = True;
   }
}

/* Many wait at once: the kernel is not asked for those that have looked just
 * now. */
static void look_at(const Participant* p, void* data)
{
   Lag* lag = data;
   if (p->clock >= lag->moment || p->told == lag->own) return;
   lag->clocks += p->clock;
   Bool is_first = p->claim && is_before(p, lag);
   if (is_first) lag->n_first++;
   if (lag->runs) return;
   if (is_first && p->looked + MOMENT_SECOND > lag->now)
      lag->runs = True;
   else if (is_first || !p->claim || p->looked < seen.quiet)
      look_at_state(p, lag);
}

static void begin(ULong moment, ULong now)
{
   seen.moment = moment;
   seen.since = now;
   seen.last = 0;
   seen.n = 0;
   seen.quiet = MOMENT_NEVER;
}

/* What follows from how the others were found at `now`. */
static void note(const Lag* lag, ULong now)
{
   Bool has_changed = lag->clocks != seen.clocks;
   if (has_changed) seen.since = now;
   if (has_changed || lag->runs) {
      seen.quiet = MOMENT_NEVER;
      seen.n = 0;
   } else if (seen.quiet == MOMENT_NEVER) {
      seen.quiet = cg2_realtime_now();
   }
   seen.clocks = lag->clocks;
   if (now - seen.last <= SHORT) return;
   if (!lag->runs) seen.n++;
   seen.last = now;
}

/* Looks once more. Whether all others have come to `moment`, or sleep. */
static Bool look(ULong moment, ULong claim)
{
   ULong now = cg2_realtime_now();
   Lag lag = {
      .moment = moment, .claim = claim, .own = cg2_processes_own(), .now = now};
   if (seen.moment != moment || now - seen.last > PATIENCE) begin(moment, now);
   cg2_processes_claim(claim);
   cg2_processes_visit(look_at, &lag);
   note(&lag, now);
   seen.n_first = lag.n_first;
   if (now - seen.since > PATIENCE) return True;
   return !lag.runs && !lag.is_unsure && (!lag.sleeps || seen.n > OFTEN);
}

/* If several moments are asked for, the earliest comes first. */
Bool cg2_others_have_reached(ULong moment)
{
   if (moment > seen.wanted) return False;
   seen.wanted = moment;
   if (!look(moment, moment)) return False;
   seen.wanted = MOMENT_NEVER;
   return True;
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

/* The more go on first, the longer it lasts. */
static void nap(void)
{
   enum { LONG = 16 };
   UInt n = 1 + seen.n_first / 4;
   cg2_realtime_nap(n < LONG ? n : LONG);
}

void cg2_others_rest(ULong until, ULong looked)
{
   cg2_processes_say_looked(looked);
   cg2_processes_claim(until < seen.wanted ? until : seen.wanted);
   nap();
}

/* Nothing of what they do matters meanwhile. */
void cg2_others_nap(void)
{
   cg2_processes_say_looked(cg2_realtime_now());
   nap();
}

void cg2_others_go_on(void)
{
   seen.wanted = MOMENT_NEVER;
   seen.n_first = 0;
   cg2_processes_claim(0);
}
