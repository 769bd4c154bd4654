/* Functions of libc that are chosen by the processor, on strings that end at
 * each place of some vectors. Prints what they answer. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

enum { MOST = 200 };

static uint64_t sum = 17;

static void add(uint64_t answer)
{
   sum = (sum ^ answer) * 0x100000001b3;
}

static void try_bytes(size_t n, size_t at)
{
   char a[2 * MOST], b[2 * MOST], c[2 * MOST];
   char *s = a + at, *t = b + at / 2, *r = c + at / 3;
   for (size_t i = 0; i < n; i++)
      s[i] = (char)(33 + (i * 7 + n) % 60);
   s[n] = 0;
   memset(c, 'x', sizeof c);
   memcpy(t, s, n + 1);
   memmove(t + 1, t, n);
   memmove(t, s, n + 1);
   add(strlen(s)), add(strnlen(s, 50)), add(!memcmp(s, t, n));
   add(!strcmp(s, t)), add(!strncmp(s, t, 40)), add(!strcasecmp(s, t));
   t[n / 2] ^= 1;
   add(memcmp(s, t, n) > 0), add(strcmp(s, t) > 0);
   add(strncmp(s, t, n) > 0), add(strncasecmp(s, t, n) > 0);
   char* found[] = {strchr(s, 'M'),    strrchr(s, 'M'),    strchrnul(s, 'z'),
                    memchr(s, 'Q', n), memrchr(s, 'Q', n), rawmemchr(s, 0),
                    strpbrk(s, "QM"),  strstr(s, "BI")};
   for (size_t i = 0; i < sizeof found / sizeof *found; i++)
      add(found[i] ? found[i] - s : -1);
   add(strspn(s, "abcABC")), add(strcspn(s, "Q"));
   add(stpcpy(r, s) - r), add(strlen(strcpy(r, s))), add(stpncpy(r, s, 30) - r);
   add(strlen(strncpy(r, s, n + 1))), add(strlen(strcat(r, "tail")));
   memset(r, n, n), add((uint64_t)r[n / 2]);
}

static void try_wide(size_t n)
{
   wchar_t s[MOST + 1], t[MOST + 1];
   for (size_t i = 0; i < n; i++)
      s[i] = (wchar_t)(100 + (i * 11 + n) % 90);
   s[n] = 0;
   wmemcpy(t, s, n + 1);
   add(wcslen(s)), add(wcsnlen(s, 70)), add(!wcscmp(s, t)),
      add(!wmemcmp(s, t, n));
   const wchar_t *at = wcschr(s, 150), *last = wcsrchr(s, 150);
   const wchar_t* in = wmemchr(s, 170, n);
   add(at ? at - s : -1), add(last ? last - s : -1), add(in ? in - s : -1);
   wmemset(t, 7, n), add(!wcsncmp(s, t, 3));
}

int main(void)
{
   for (size_t n = 0; n < MOST; n += 3)
      for (size_t at = 0; at < 64; at += 7)
         try_bytes(n, at);
   for (size_t n = 0; n < MOST; n++)
      try_wide(n);
   printf("%016lx\n", sum);
   return 0;
}
