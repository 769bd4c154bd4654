/* An instruction that no processor has, and Valgrind does not know. */
int main(void)
{
   __asm__ volatile(".byte 0x0f, 0xff, 0xc0");
   return 0;
}
