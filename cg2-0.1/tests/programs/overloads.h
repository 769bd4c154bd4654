#define NOINLINE __attribute__((noinline, noipa))

extern volatile int n;
void others();
