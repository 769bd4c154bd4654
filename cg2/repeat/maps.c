#include "repeat/maps.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "repeat/inodes.h"

/*--- The kernel's -------------------------------------------------------*/

/* All that the file says; NULL: it cannot be read. */
static HChar* read_real(void)
{
   enum { PIECE = 65536 };
   SysRes file = VG_(open)("/proc/self/maps", VKI_O_RDONLY, 0);
   if (sr_isError(file)) return NULL;
   HChar* text = NULL;
   SizeT size = 0;
   Int n;
   do {
      text = VG_(realloc)("cg2.maps", text, size + PIECE + 1);
      n = VG_(read)(sr_Res(file), text + size, PIECE);
      if (n > 0) size += n;
   } while (n > 0);
   VG_(close)(sr_Res(file));
   text[size] = '\0';
   return text;
}

static Bool is_of_program(Addr start)
{
   const NSegment* s = VG_(am_find_nsegment)(start);
   return s && (s->kind == SkFileC || s->kind == SkAnonC || s->kind == SkShmC);
}

/* Source: proc(5): "p" behind the rights says that a change is private. */
static Bool is_private(const HChar* line)
{
   enum { RIGHTS = 3 };
   const HChar* rights = VG_(strchr)(line, ' ');
   return rights && rights[1 + RIGHTS] == 'p';
}

static Bool has(const HChar* line, Addr at)
{
   HChar* next;
   Addr start = VG_(strtoull16)(line, &next);
   return start <= at && at < VG_(strtoull16)(next + 1, NULL);
}

Bool cg2_maps_is_shared(Addr at)
{
   Bool is_shared = True;
   HChar* real = read_real();
   const HChar* line = real;
   while (line && *line && !has(line, at)) {
      line = VG_(strchr)(line, '\n');
      line = line ? line + 1 : NULL;
   }
   if (line && *line) is_shared = !is_private(line);
   if (real) VG_(free)(real);
   return is_shared;
}

/*--- The program's ------------------------------------------------------*/

/* Behind the next `n` blanks. */
static const HChar* skip(const HChar* text, UInt n)
{
   while (n > 0 && *text)
      n -= *text++ == ' ';
   return text;
}

/* Source: proc(5): addresses, rights and an offset stand in front of the device
 * and the inode; a name begins at a fixed column. */
static HChar* write_line(HChar* to, const HChar* line, const HChar* end)
{
   enum { FIELDS = 3, NAME = 73 };
   const HChar* start = to;
   const HChar* of_device = skip(line, FIELDS);
   HChar* next;
   ULong major = VG_(strtoull16)(of_device, &next);
   ULong minor = VG_(strtoull16)(next + 1, &next);
   ULong inode = VG_(strtoull10)(next + 1, &next);
   /* The device as struct stat has it. */
   ULong device = (minor & 0xff) | major << 8 | (minor & ~0xffULL) << 12;
   ULong told = inode ? cg2_inodes_told_device(device) : 0;
   while (line < of_device)
      *to++ = *line++;
   to += VG_(sprintf)(to, "%02llx:%02llx %llu ", told >> 8, told & 0xff,
                      inode ? cg2_inodes_told(device, inode) : 0);
   while (*next == ' ')
      next++;
   while (next < end - 1 && to - start < NAME)
      *to++ = ' ';
   while (next < end)
      *to++ = *next++;
   return to;
}

/* Source: proc(5), smaps: what stands behind a line of maps. */
static HChar* write_sizes(HChar* to, const HChar* line)
{
   enum { KILOBYTE = 1024 };
   HChar* next;
   ULong start = VG_(strtoull16)(line, &next);
   ULong size = (VG_(strtoull16)(next + 1, NULL) - start) / KILOBYTE;
   return to +
          VG_(sprintf)(to,
                       "Size:           %8llu kB\nKernelPageSize:        4 kB\n"
                       "MMUPageSize:           4 kB\n"
                       "Rss:                   0 kB\n"
                       "Pss:                   0 kB\n",
                       size);
}

HChar* cg2_maps_text(Bool has_sizes)
{
   enum { LONGER = 8 }; /* than a line of the kernel's, at most so many times */
   HChar* real = read_real();
   if (!real) return NULL;
   HChar* text = VG_(malloc)("cg2.maps", LONGER * VG_(strlen)(real) + 1);
   HChar* to = text;
   for (const HChar *line = real, *end; (end = VG_(strchr)(line, '\n'));
        line = end + 1) {
      if (!is_of_program(VG_(strtoull16)(line, NULL))) continue;
      to = write_line(to, line, end + 1);
      if (has_sizes) to = write_sizes(to, line);
   }
   *to = '\0';
   VG_(free)(real);
   return text;
}
