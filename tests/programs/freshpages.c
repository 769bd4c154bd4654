/* Writes a byte to each line of 64 pages: of the program's own memory, of maps
   that are new, given back, moved or of a file, of memory that grows, and of
   maps older than the counting. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

enum { SIZE = 64 * 4096, LINE = 64 };
enum { READS_WRITES = PROT_READ | PROT_WRITE };

static char bss[SIZE] __attribute__((aligned(4096)));

#define FILL(name)                                                             \
   __attribute__((noinline)) static void name(volatile char* p)                \
   {                                                                           \
      for (int i = 0; i < SIZE; i += LINE)                                     \
         p[i] = 1;                                                             \
   }

FILL(fill_bss)
FILL(fill_map)
FILL(fill_map_again)
FILL(fill_moved)
FILL(fill_grown)
FILL(fill_brk)
FILL(fill_brk_again)
FILL(fill_file)
FILL(fill_old)
FILL(fill_new)

static char* map(void* address, int flags, int fd)
{
   return mmap(address, SIZE, READS_WRITES, MAP_PRIVATE | flags, fd, 0);
}

int main(void)
{
   fill_bss(bss);

   char* place =
      mmap(NULL, 4 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   char* p = map(NULL, MAP_ANONYMOUS, -1);
   fill_map(p);
   munmap(p, SIZE);
   p = map(p, MAP_ANONYMOUS | MAP_FIXED, -1);
   fill_map_again(p);
   p = mremap(p, SIZE, 2 * SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, place + SIZE);
   fill_moved(p);
   fill_grown(p + SIZE);

   p = sbrk(SIZE);
   fill_brk(p);
   sbrk(-SIZE);
   fill_brk_again(sbrk(SIZE));

   fill_file(map(NULL, 0, open("/proc/self/exe", O_RDONLY)));

   CALLGRIND_STOP_INSTRUMENTATION;
   p = map(NULL, MAP_ANONYMOUS, -1);
   CALLGRIND_START_INSTRUMENTATION;
   fill_old(p);
   fill_new(map(NULL, MAP_ANONYMOUS, -1));
   return 0;
}
