#include "dwarf/unpacked.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
   PIECE = 1 << 17, /* bytes that are read, and written, at a time */
   RATIO_MAX = 64,  /* compilers' is 2 to 10: what claims more is left alone */
   SMALL = 64 * 1024, /* but for so few packed bytes */
   BY_ZSTD = 2        /* ELFCOMPRESS_ZSTD, which older headers do not have */
};

/* A section that is packed. */
typedef struct Packed {
   Elf_Scn* section;
   uint64_t start;     /* where it is in the file, */
   uint64_t from, end; /* and its packed bytes */
   uint64_t size;      /* unpacked */
   uint64_t align;     /* of it */
   uint32_t by;
   bool is_left_out;
} Packed;

typedef struct UnpackedCopy {
   int from, to;
   bool has_places;   /* of variables */
   Elf* elf;          /* of `from` */
   uint8_t encoding;  /* of its numbers */
   uint64_t sections; /* where the headers of its sections are */
   uint64_t end;      /* of what was written */
   uint8_t* in;       /* PIECE bytes */
   uint8_t* out;      /* the same */
} UnpackedCopy;

/*--- Bytes --------------------------------------------------------------*/

static bool read_at(int fd, void* bytes, size_t size, uint64_t offset)
{
   for (size_t n = 0; n < size;) {
      ssize_t got = pread(fd, (char*)bytes + n, size - n, offset + n);
      if (got <= 0) return false;
      n += got;
   }
   return true;
}

static bool write_at(int fd, const void* bytes, size_t size, uint64_t offset)
{
   for (size_t n = 0; n < size;) {
      ssize_t put = pwrite(fd, (const char*)bytes + n, size - n, offset + n);
      if (put <= 0) return false;
      n += put;
   }
   return true;
}

/* Copies a stretch of the file to the same place. */
static bool copy_stretch(UnpackedCopy* copy, uint64_t offset, uint64_t end)
{
   while (offset < end) {
      size_t size = end - offset < PIECE ? end - offset : PIECE;
      if (!read_at(copy->from, copy->in, size, offset) ||
          !write_at(copy->to, copy->in, size, offset))
         return false;
      offset += size;
   }
   return true;
}

/*--- Sections -----------------------------------------------------------*/

static bool begins(const char* text, const char* with)
{
   return !strncmp(text, with, strlen(with));
}

/* Whether a section is debug information; and the copy has it. */
static bool
is_debug(UnpackedCopy* copy, const GElf_Shdr* header, bool* is_left_out)
{
   size_t names;
   if (elf_getshdrstrndx(copy->elf, &names)) return false;
   const char* name = elf_strptr(copy->elf, names, header->sh_name);
   *is_left_out = !copy->has_places && name && begins(name, ".debug_loc");
   return name && begins(name, ".debug_");
}

/* Reads how a section is packed, without the rest of it. */
static bool read_how(UnpackedCopy* copy, uint64_t offset, Packed* packed)
{
   union {
      Elf32_Chdr of_32;
      Elf64_Chdr of_64;
   } stored, made;
   size_t size = gelf_fsize(copy->elf, ELF_T_CHDR, 1, EV_CURRENT);
   Elf_Data from = {.d_buf = &stored,
                    .d_type = ELF_T_CHDR,
                    .d_size = size,
                    .d_version = EV_CURRENT};
   Elf_Data to = {.d_buf = &made, .d_size = size, .d_version = EV_CURRENT};
   if (!read_at(copy->from, &stored, size, offset) ||
       !gelf_xlatetom(copy->elf, &to, &from, copy->encoding))
      return false;
   bool is_64 = gelf_getclass(copy->elf) == ELFCLASS64;
   packed->by = is_64 ? made.of_64.ch_type : made.of_32.ch_type;
   packed->size = is_64 ? made.of_64.ch_size : made.of_32.ch_size;
   packed->align = is_64 ? made.of_64.ch_addralign : made.of_32.ch_addralign;
   packed->from = offset + size;
   return true;
}

/* Goes to the next section that is packed; false: there is none. */
static bool find_next(UnpackedCopy* copy, Packed* packed)
{
   GElf_Shdr header;
   while ((packed->section = elf_nextscn(copy->elf, packed->section)))
      if (gelf_getshdr(packed->section, &header) &&
          (header.sh_flags & SHF_COMPRESSED) && header.sh_type != SHT_NOBITS &&
          is_debug(copy, &header, &packed->is_left_out) &&
          read_how(copy, header.sh_offset, packed)) {
         packed->start = header.sh_offset;
         packed->end = header.sh_offset + header.sh_size;
         return true;
      }
   return false;
}

/* Unpacks what zlib packed. */
static bool unpack_zlib(UnpackedCopy* copy, const Packed* packed)
{
   z_stream z = {.avail_in = 0};
   if (inflateInit(&z) != Z_OK) return false;
   uint64_t at = packed->from, done = 0;
   int status = Z_OK;
   while (status == Z_OK) {
      if (!z.avail_in && at < packed->end) {
         size_t size = packed->end - at < PIECE ? packed->end - at : PIECE;
         if (!read_at(copy->from, copy->in, size, at)) break;
         at += size;
         z.next_in = copy->in;
         z.avail_in = size;
      }
      z.next_out = copy->out;
      z.avail_out = PIECE;
      status = inflate(&z, Z_NO_FLUSH);
      size_t made = PIECE - z.avail_out;
      if (made > packed->size - done ||
          !write_at(copy->to, copy->out, made, copy->end + done))
         break;
      done += made;
   }
   inflateEnd(&z);
   return status == Z_STREAM_END && done == packed->size;
}

/* The same of zstd. */
static bool unpack_zstd(UnpackedCopy* copy, const Packed* packed)
{
   ZSTD_DStream* z = ZSTD_createDStream();
   uint64_t at = packed->from, done = 0;
   size_t left = 1;
   ZSTD_inBuffer in = {copy->in, 0, 0};
   while (z && left) {
      if (in.pos == in.size && at < packed->end) {
         size_t size = packed->end - at < PIECE ? packed->end - at : PIECE;
         if (!read_at(copy->from, copy->in, size, at)) break;
         at += size;
         in = (ZSTD_inBuffer){copy->in, size, 0};
      }
      ZSTD_outBuffer out = {copy->out, PIECE, 0};
      size_t before = in.pos;
      left = ZSTD_decompressStream(z, &out, &in);
      if (ZSTD_isError(left) || (!out.pos && in.pos == before) ||
          out.pos > packed->size - done ||
          !write_at(copy->to, copy->out, out.pos, copy->end + done))
         break;
      done += out.pos;
   }
   ZSTD_freeDStream(z);
   return !left && done == packed->size;
}

/* Unpacks a section to the end of the copy. */
static bool unpack(UnpackedCopy* copy, const Packed* packed)
{
   uint64_t bytes = packed->end - packed->from;
   if (packed->is_left_out) return true;
   if (packed->size / RATIO_MAX > bytes + SMALL) return false;
   switch (packed->by) {
   case ELFCOMPRESS_ZLIB:
      return unpack_zlib(copy, packed);
   case BY_ZSTD:
      return unpack_zstd(copy, packed);
   default:
      return false;
   }
}

/* Has a section's header say where it is in the copy, unpacked. */
static bool write_header(UnpackedCopy* copy, const Packed* packed)
{
   union {
      Elf32_Shdr of_32;
      Elf64_Shdr of_64;
   } made, stored;
   size_t size = gelf_fsize(copy->elf, ELF_T_SHDR, 1, EV_CURRENT);
   if (gelf_getclass(copy->elf) == ELFCLASS64) {
      made.of_64 = *elf64_getshdr(packed->section);
      if (packed->is_left_out) made.of_64.sh_type = SHT_NOBITS;
      made.of_64.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
      made.of_64.sh_offset = copy->end;
      made.of_64.sh_size = packed->size;
      made.of_64.sh_addralign = packed->align;
   } else {
      if (copy->end + packed->size > UINT32_MAX) return false;
      made.of_32 = *elf32_getshdr(packed->section);
      if (packed->is_left_out) made.of_32.sh_type = SHT_NOBITS;
      made.of_32.sh_flags &= ~(uint32_t)SHF_COMPRESSED;
      made.of_32.sh_offset = copy->end;
      made.of_32.sh_size = packed->size;
      made.of_32.sh_addralign = packed->align;
   }
   Elf_Data from = {.d_buf = &made,
                    .d_type = ELF_T_SHDR,
                    .d_size = size,
                    .d_version = EV_CURRENT};
   Elf_Data to = {.d_buf = &stored, .d_size = size, .d_version = EV_CURRENT};
   return gelf_xlatetof(copy->elf, &to, &from, copy->encoding) &&
          write_at(copy->to, &stored, size,
                   copy->sections + elf_ndxscn(packed->section) * size);
}

/*--- The copy -----------------------------------------------------------*/

/* A file that has no name, and goes when it is closed. */
static int open_nameless(void)
{
   const char* directory = getenv("TMPDIR");
   if (!directory || !*directory) directory = "/tmp";
   int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
   if (fd >= 0) return fd;
   char path[PATH_MAX];
   int n = snprintf(path, sizeof path, "%s/cg2-debug-XXXXXX", directory);
   if (n < 0 || (size_t)n >= sizeof path) return -1;
   fd = mkostemp(path, O_CLOEXEC);
   if (fd >= 0) unlink(path);
   return fd;
}

/* Copies what stands before, between and behind packed sections, and leaves
 * holes in their place. False, too: they are not in order, so that one may have
 * the bytes of another. */
static bool copy_rest(UnpackedCopy* copy, uint64_t size)
{
   Packed packed = {.section = NULL};
   uint64_t at = 0;
   while (find_next(copy, &packed)) {
      if (packed.start < at || packed.from > packed.end || packed.end > size ||
          !copy_stretch(copy, at, packed.start))
         return false;
      at = packed.end;
   }
   return copy_stretch(copy, at, size);
}

static bool unpack_all(UnpackedCopy* copy)
{
   enum { ALIGN = 64 };
   Packed packed = {.section = NULL};
   while (find_next(copy, &packed)) {
      copy->end = (copy->end + ALIGN - 1) / ALIGN * ALIGN;
      if (packed.is_left_out) packed.size = 0;
      if (!unpack(copy, &packed) || !write_header(copy, &packed)) return false;
      copy->end += packed.size;
   }
   return true;
}

static bool make(UnpackedCopy* copy)
{
   struct stat file;
   GElf_Ehdr header;
   copy->elf = elf_begin(copy->from, ELF_C_READ, NULL);
   if (!copy->elf || elf_kind(copy->elf) != ELF_K_ELF ||
       !gelf_getehdr(copy->elf, &header) || fstat(copy->from, &file))
      return false;
   copy->encoding = header.e_ident[EI_DATA];
   copy->sections = header.e_shoff;
   if (!find_next(copy, &(Packed){.section = NULL})) return false;
   copy->to = open_nameless();
   copy->in = malloc(PIECE);
   copy->out = malloc(PIECE);
   copy->end = file.st_size;
   return copy->to >= 0 && copy->in && copy->out &&
          copy_rest(copy, file.st_size) && unpack_all(copy);
}

int cg2d_unpacked_copy(int fd, bool has_places)
{
   UnpackedCopy copy = {.from = fd, .to = -1, .has_places = has_places};
   elf_version(EV_CURRENT);
   bool is_made = make(&copy);
   elf_end(copy.elf);
   free(copy.in);
   free(copy.out);
   if (is_made) return copy.to;
   if (copy.to >= 0) close(copy.to);
   return -1;
}
