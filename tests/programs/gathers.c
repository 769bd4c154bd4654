/* Thirty gathers of eight numbers in a row. */
static int numbers[64];
static const int places[8] = {1, 4, 9, 16, 25, 36, 49, 63};

__attribute__((noinline)) static void gather(void)
{
   __asm__ volatile("vmovdqu (%1), %%ymm1\n"
                    ".rept 30\n"
                    "vpcmpeqd %%ymm3, %%ymm3, %%ymm3\n"
                    "vpgatherdd %%ymm3, (%0,%%ymm1,4), %%ymm2\n"
                    ".endr\n"
                    "vzeroupper\n"
                    :
                    : "r"(numbers), "r"(places)
                    : "xmm1", "xmm2", "xmm3", "memory");
}

int main(void)
{
   gather();
   return 0;
}
