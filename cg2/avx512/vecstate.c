#include "avx512/vecstate.h"

enum { N_UPPERS = 16 };

Int cg2_vecstate_vector(const VecState* state, UInt v)
{
   return v < N_UPPERS ? state->vectors + (Int)v * VEC_HALF
                       : state->wholes + (Int)(v - N_UPPERS) * VEC_WHOLE;
}

Int cg2_vecstate_upper(const VecState* state, UInt v)
{
   return state->uppers + (Int)v * VEC_HALF;
}

Int cg2_vecstate_mask(const VecState* state, UInt k)
{
   return state->masks + (Int)k * VEC_MASK;
}

Int cg2_vecstate_word(const VecState* state, UInt r)
{
   return state->words + (Int)r * 8;
}
