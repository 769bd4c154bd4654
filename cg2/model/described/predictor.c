#include "model/described/predictor.h"

#include "model/callgrind/branch.h"
#include "model/described/ittage.h"
#include "model/described/tage.h"

_Static_assert(PREDICTOR_HISTORY_MAX <= (int)TRAIL_MAX,
               "a trail is as long as a description says");

/* Reason for a mutable file-scope object: the predictor of the process's
 * machine. */
static struct {
   PredictorConfig config;
   UWord mask;           /* entries - 1 */
   ULong history;        /* a bit for each outcome, the newest lowest */
   UChar* counters;      /* gshare: [entry]: 0 to 3; taken from 2 on */
   signed char* weights; /* perceptron: [entry][1 + history]: bias first */
   Trail trail;          /* tage */
   Tage tage;
   Ittage ittage;
   Returns returns;
} predictor;

/*--- Counters -----------------------------------------------------------*/

/* Moves a counter from 0 to 3 towards the outcome. */
static inline void move_counter(UChar* counter, Bool is_taken)
{
   if (is_taken)
      *counter += *counter < 3;
   else
      *counter -= *counter > 0;
}

/* The last n outcomes, the newest lowest. */
static inline ULong last_outcomes(UInt n)
{
   return n < 64 ? predictor.history & ((1ULL << n) - 1) : predictor.history;
}

static Bool gshare(Addr addr, Bool is_taken)
{
   ULong past = last_outcomes(predictor.config.history);
   UChar* counter = &predictor.counters[(addr ^ past) & predictor.mask];
   Bool is_predicted = *counter >= 2;
   move_counter(counter, is_taken);
   return is_predicted != is_taken;
}

/*--- Perceptrons --------------------------------------------------------*/

enum { WEIGHT_MIN = -128, WEIGHT_MAX = 127 };

/* Moves a weight by one. */
static void move_weight(signed char* weight, Bool up)
{
   if (up)
      *weight += *weight < WEIGHT_MAX;
   else
      *weight -= *weight > WEIGHT_MIN;
}

static Bool perceptron(Addr addr, Bool is_taken)
{
   UInt n = predictor.config.history;
   signed char* weights = predictor.weights + (addr & predictor.mask) * (n + 1);
   Int sum = weights[0], threshold = (193 * n + 1400) / 100;
   for (UInt i = 0; i < n; i++)
      sum += predictor.history >> i & 1 ? weights[i + 1] : -weights[i + 1];
   Bool is_predicted = sum >= 0;
   if (is_predicted != is_taken || (sum <= threshold && sum >= -threshold)) {
      move_weight(&weights[0], is_taken);
      for (UInt i = 0; i < n; i++)
         move_weight(&weights[i + 1], (predictor.history >> i & 1) == is_taken);
   }
   return is_predicted != is_taken;
}

/*--- The machine's predictor --------------------------------------------*/

Bool cg2_predictor_conditional(Addr addr, Bool is_taken)
{
   Bool is_wrong = False;
   switch (predictor.config.kind) {
   case PREDICT_CALLGRIND:
      return cg2_branch_conditional(addr, is_taken);
   case PREDICT_TAGE:
      return cg2_tage_predict(&predictor.tage, &predictor.trail, addr,
                              is_taken);
   case PREDICT_GSHARE:
      is_wrong = gshare(addr, is_taken);
      break;
   case PREDICT_PERCEPTRON:
      is_wrong = perceptron(addr, is_taken);
      break;
   }
   predictor.history = predictor.history << 1 | is_taken;
   return is_wrong;
}

Bool cg2_predictor_indirect(Addr addr, Addr target)
{
   if (predictor.config.kind != PREDICT_TAGE)
      return cg2_branch_indirect(addr, target);
   return cg2_ittage_predict(&predictor.ittage, &predictor.trail, addr, target);
}

Returns* cg2_predictor_returns(void)
{
   return &predictor.returns;
}

void cg2_predictor_clear(void)
{
   const PredictorConfig* config = &predictor.config;
   UWord n = predictor.mask + 1;
   predictor.history = 0;
   if (predictor.counters) VG_(memset)(predictor.counters, 0, n);
   if (predictor.weights)
      VG_(memset)(predictor.weights, 0, n * (config->history + 1));
   if (config->kind == PREDICT_TAGE) {
      cg2_trail_init(&predictor.trail, config->history);
      cg2_tage_clear(&predictor.tage);
      cg2_ittage_clear(&predictor.ittage);
   }
   VG_(memset)(&predictor.returns, 0, sizeof predictor.returns);
   cg2_branch_clear();
}

void cg2_predictor_init(const PredictorConfig* config)
{
   UWord n = (UWord)1 << config->bits;
   VG_(memset)(&predictor, 0, sizeof predictor);
   predictor.config = *config;
   predictor.mask = n - 1;
   if (config->kind == PREDICT_GSHARE)
      predictor.counters = VG_(calloc)("cg2.predictor", n, 1);
   if (config->kind == PREDICT_PERCEPTRON)
      predictor.weights =
         VG_(calloc)("cg2.predictor", n * (config->history + 1), 1);
   if (config->kind != PREDICT_TAGE) return;
   cg2_trail_init(&predictor.trail, config->history);
   cg2_tage_init(&predictor.tage, config->bits);
   cg2_ittage_init(&predictor.ittage, config->bits);
}
