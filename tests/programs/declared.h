/* Three instructions that are inlined wherever they are used; see declared.c. */
static inline __attribute__((always_inline)) void three_nops(void)
{
   __asm__ volatile("nop; nop; nop");
}
