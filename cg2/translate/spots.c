#include "translate/spots.h"

#include "translate/emit.h"

static Spot base_itself(IRTemp temporary)
{
   return (Spot){temporary, 0};
}

void cg2_spots_init(Spots* spots, const IRSB* in)
{
   for (Int t = 0; t < in->tyenv->types_used && t < SPOTS_MAX; t++)
      spots->of[t] = base_itself(t);
}

Spot cg2_spots_at(const Spots* spots, const IRExpr* atom)
{
   if (atom->tag == Iex_Const)
      return (Spot){SPOT_FIXED, cg2_emit_address(atom->Iex.Const.con)};
   IRTemp t = atom->Iex.RdTmp.tmp;
   return t < SPOTS_MAX ? spots->of[t] : base_itself(t);
}

/* The spot of temporary `t`, which is `e`: the sum or difference of a spot and
 * a constant, if the constant is not large, else a base. */
static Spot of_sum(const Spots* spots, IRTemp t, const IRExpr* e)
{
   IROp op = e->Iex.Binop.op;
   const IRExpr *a = e->Iex.Binop.arg1, *b = e->Iex.Binop.arg2;
   Bool adds = op == Iop_Add64 || op == Iop_Add32;
   if (!adds && op != Iop_Sub64 && op != Iop_Sub32) return base_itself(t);
   if (adds && a->tag == Iex_Const) {
      const IRExpr* constant = a;
      a = b;
      b = constant;
   }
   if (a->tag != Iex_RdTmp || b->tag != Iex_Const) return base_itself(t);
   Bool is_64 = op == Iop_Add64 || op == Iop_Sub64;
   Addr constant = cg2_emit_address(b->Iex.Const.con);
   Long by = is_64 ? (Long)constant : (Long)(Int)constant;
   Spot spot = cg2_spots_at(spots, a);
   enum { FAR = 1 << 30 };
   if (by > FAR || by < -FAR || spot.offset > FAR || spot.offset < -FAR)
      return base_itself(t);
   spot.offset += adds ? by : -by;
   return spot;
}

void cg2_spots_read(Spots* spots, const IRStmt* s)
{
   if (s->tag != Ist_WrTmp) return;
   IRTemp t = s->Ist.WrTmp.tmp;
   const IRExpr* e = s->Ist.WrTmp.data;
   if (t >= SPOTS_MAX) return;
   if (e->tag == Iex_RdTmp) spots->of[t] = cg2_spots_at(spots, e);
   if (e->tag == Iex_Binop) spots->of[t] = of_sum(spots, t, e);
}
