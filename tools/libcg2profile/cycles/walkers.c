#include "cycles/walkers.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { WARM_UP = 500, MEASURED = 2000 }; /* spots of a window */

/* How many windows make what is drawn matter less than a percent. */
static uint64_t count_windows(const ControlGraph* graph)
{
   enum { LEAST = 100, MOST = 4000, SPOTS_A_WINDOW = 4 };
   uint64_t n = graph->n / SPOTS_A_WINDOW;
   return n < LEAST ? LEAST : n > MOST ? MOST : n;
}

/*--- A walker -----------------------------------------------------------*/

/* All memory that it needs is its own before it walks: it cannot fail then. */
static void begin(Walker* walker,
                  Failure* failure,
                  const Ground* ground,
                  uint64_t number,
                  uint64_t seed)
{
   /* How far apart they begin in the one sequence of random numbers. */
   seed += number << 40;
   walker->first = number;
   walker->windows = count_windows(ground->graph);
   cg2p_walk_begin(&walker->walk, failure, ground->graph, seed);
   walker->pipeline = cg2p_memory_allocate(failure, sizeof *walker->pipeline);
   cg2p_pipeline_begin(walker->pipeline, failure, ground->core, ground->graph,
                       ground->workload, ground->forwards, WARM_UP + MEASURED,
                       seed);
}

/* Where control was lost, the window goes on at another spot. */
static void walk_window(Walker* walker, uint64_t number)
{
   Walk* walk = &walker->walk;
   Pipeline* pipeline = walker->pipeline;
   uint32_t spot = cg2p_walk_start(walk, number, walker->windows);
   if (spot == CG2P_NONE) return;
   cg2p_pipeline_forget(pipeline);
   for (int i = 0; i < WARM_UP + MEASURED; i++) {
      bool taken;
      if (i == WARM_UP) pipeline->is_charged = true;
      uint32_t next = cg2p_walk_next(walk, spot, &taken);
      bool is_known = next != CG2P_NONE && walk->graph->spots[next].operation;
      if (is_known) cg2p_pipeline_expect(pipeline, next);
      cg2p_pipeline_step(pipeline, spot, taken);
      spot = is_known ? next : cg2p_walk_start(walk, number, walker->windows);
   }
}

static void* walk_windows(void* of)
{
   Walker* walker = of;
   for (uint64_t i = walker->first; i < walker->windows; i += WALKERS)
      walk_window(walker, i);
   return NULL;
}

static void end(Walker* walker)
{
   if (walker->pipeline) cg2p_pipeline_free(walker->pipeline);
   free(walker->pipeline);
   walker->pipeline = NULL;
   cg2p_walk_free(&walker->walk);
   walker->walk = (Walk){.graph = NULL};
}

/*--- All of them --------------------------------------------------------*/

/* Starts those behind the first, each in a thread. Returns how many there are
 * then: the system may have no more threads. Signals are for other threads. */
static int start(Walkers* walkers, pthread_t threads[WALKERS])
{
   sigset_t all, before;
   int n = 1;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &before);
   while (n < WALKERS &&
          !pthread_create(&threads[n], NULL, walk_windows, &walkers->of[n]))
      n++;
   pthread_sigmask(SIG_SETMASK, &before, NULL);
   return n;
}

static void walk_all(Walkers* walkers)
{
   pthread_t threads[WALKERS];
   int n = start(walkers, threads);
   walk_windows(&walkers->of[0]);
   for (int i = n; i < WALKERS; i++)
      walk_windows(&walkers->of[i]);
   for (int i = 1; i < n; i++)
      pthread_join(threads[i], NULL);
}

/* Adds what spots of one walker are charged with to those of another. */
static void add_charges(Walker* to, const Walker* from)
{
   Pipeline *sum = to->pipeline, *more = from->pipeline;
   for (uint32_t i = 0; i < sum->graph->n; i++)
      cg2p_charges_add_all(&sum->charges[i], &more->charges[i]);
   for (size_t i = 0; i < sum->workload->rates.n; i++)
      cg2p_charges_add_happened(&sum->rated[i].happened,
                                &more->rated[i].happened);
}

void cg2p_walkers_walk(Walkers* walkers,
                       Failure* failure,
                       const Ground* ground,
                       uint64_t seed)
{
   for (int i = 0; i < WALKERS; i++)
      begin(&walkers->of[i], failure, ground, i, seed);
   walk_all(walkers);
   for (int i = 1; i < WALKERS; i++) {
      add_charges(&walkers->of[0], &walkers->of[i]);
      end(&walkers->of[i]);
   }
}

void cg2p_walkers_free(Walkers* walkers)
{
   for (int i = 0; i < WALKERS; i++)
      end(&walkers->of[i]);
}
