/* A function of a trait, named as rustc names it. */
__attribute__((noinline)) int area(int side) __asm__(
   "_ZN42_$LT$app..Square$u20$as$u20$app..Shape$GT$4area17h0123456789abcdefE");

int area(int side)
{
   volatile int result = side * side;
   return result;
}

int main(void)
{
   return area(3) != 9;
}
