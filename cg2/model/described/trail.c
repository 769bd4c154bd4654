#include "model/described/trail.h"

void cg2_trail_init(Trail* trail, UInt longest)
{
   tl_assert(longest >= 1 && longest <= TRAIL_MAX);
   VG_(memset)(trail, 0, sizeof *trail);
   trail->power = trail->undone = 1;
   trail->end = trail->steps + TRAIL_MAX;
   for (UInt i = 0; i < TRAIL_LENGTHS; i++) {
      UInt length = longest >> (TRAIL_LENGTHS - 1 - i);
      trail->oldest[i] = length ? -(PtrdiffT)length : -1;
   }
}

void cg2_trail_move(Trail* trail)
{
   VG_(memcpy)(trail->steps, trail->end - TRAIL_MAX,
               TRAIL_MAX * sizeof *trail->steps);
   trail->end = trail->steps + TRAIL_MAX;
}
