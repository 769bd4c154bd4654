/* A machine with a stack that runs a program of random expressions, by a
 * switch. */
#include "bench.h"
enum { CODE = 3000, PASSES = 10 };
enum { PUSH, LOAD, ADD, SUB, MUL, XOR, SHIFT, STORE, SWAP, DUP, END };
static uint8_t code[CODE + 8];
static int64_t variables[16];

void setup(void) {}

void prepare(void)
{
   int depth = 0, i = 0;
   while (i < CODE - 2) {
      uint64_t r = rnd();
      uint8_t op = (uint8_t)(r % 10);
      if (depth < 2)
         op = r >> 8 & 1 ? PUSH : LOAD;
      else if (depth > 10 && (op == PUSH || op == LOAD || op == DUP))
         op = XOR;
      code[i++] = op;
      if (op == PUSH || op == LOAD || op == STORE)
         code[i++] = (uint8_t)(r >> 16 & 15);
      depth += op == PUSH || op == LOAD || op == DUP ? 1
               : op == SHIFT || op == SWAP           ? 0
                                                     : -1;
   }
   code[i] = END;
}

static NI void run(void)
{
   int64_t stack[32], *top = stack;
   const uint8_t* p = code;
   for (;;) {
      switch (*p++) {
      case PUSH:
         *++top = *p++;
         break;
      case LOAD:
         *++top = variables[*p++];
         break;
      case ADD:
         top--, *top += top[1];
         break;
      case SUB:
         top--, *top -= top[1];
         break;
      case MUL:
         top--, *top *= top[1];
         break;
      case XOR:
         top--, *top ^= top[1];
         break;
      case SHIFT:
         *top >>= 1;
         break;
      case STORE:
         variables[*p++] = *top--;
         break;
      case SWAP: {
         int64_t t = *top;
         *top = top[-1], top[-1] = t;
         break;
      }
      case DUP:
         top++, *top = top[-1];
         break;
      default:
         return;
      }
   }
}

void bench(void)
{
   for (int i = 0; i < PASSES; i++)
      run();
   KEEP(variables);
}
