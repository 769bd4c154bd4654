#include "code/debugfile.h"

#include "code/buildid.h"

static const HChar DIRECTORY[] = "/usr/lib/debug";

enum { PATH_BYTES = 4096, CHUNK = 1 << 20 };

/* What tells whose a debug file is. */
typedef struct Identity {
   BuildId id;
   HChar* link;   /* what .gnu_debuglink has, to be freed; or NULL */
   UInt checksum; /* of the file that `link` names */
} Identity;

/*--- What a file says ---------------------------------------------------*/

static SizeT aligned(SizeT n)
{
   return (n + 3) & ~(SizeT)3;
}

/* Takes the name and the checksum, which lie one behind the other. */
static void take_link(Identity* of, HChar* section, SizeT n)
{
   SizeT end = 0;
   while (end < n && section[end])
      end++;
   SizeT at = aligned(end + 1);
   if (!end || at > n || n - at < sizeof of->checksum || of->link) {
      VG_(free)(section);
      return;
   }
   VG_(memcpy)(&of->checksum, section + at, sizeof of->checksum);
   of->link = section;
}

static Identity identify(const ElfParts* parts)
{
   Identity found = {.id = cg2_buildid_read(parts)};
   for (UInt i = 0; i < parts->n_sections; i++) {
      const ElfSection* s = &parts->sections[i];
      Bool is_link =
         s->sh_type == SHT_PROGBITS &&
         VG_(strcmp)(cg2_elfparts_name(parts, s), ".gnu_debuglink") == 0;
      HChar* bytes =
         is_link ? cg2_elfparts_read(parts, s->sh_offset, s->sh_size) : NULL;
      if (bytes) take_link(&found, bytes, s->sh_size);
   }
   return found;
}

/*--- Whether a file is it -----------------------------------------------*/

/* Goes on with a checksum of a file. Source: GDB's manual, the same chapter:
 * the cyclic redundancy check of IEEE 802.3. */
static UInt add_to_checksum(UInt checksum, const UChar* bytes, SizeT n)
{
   enum { POLYNOMIAL = 0xedb88320, BITS = 8 };
   checksum = ~checksum;
   for (SizeT i = 0; i < n; i++) {
      checksum ^= bytes[i];
      for (UInt bit = 0; bit < BITS; bit++)
         checksum = checksum >> 1 ^ (checksum & 1 ? POLYNOMIAL : 0);
   }
   return ~checksum;
}

static Bool has_checksum(const ElfParts* parts, UInt wanted)
{
   UInt checksum = 0;
   for (ULong at = 0; at < parts->size;) {
      ULong left = parts->size - at;
      SizeT n = left < CHUNK ? left : CHUNK;
      UChar* bytes = cg2_elfparts_read(parts, at, n);
      if (!bytes) return False;
      checksum = add_to_checksum(checksum, bytes, n);
      VG_(free)(bytes);
      at += n;
   }
   return checksum == wanted;
}

static Bool is_of(const ElfParts* debug, const Identity* wanted)
{
   Identity found = identify(debug);
   if (found.link) VG_(free)(found.link);
   if (wanted->id.n)
      return found.id.n == wanted->id.n &&
             VG_(memcmp)(found.id.bytes, wanted->id.bytes, found.id.n) == 0;
   return wanted->link && has_checksum(debug, wanted->checksum);
}

/* Opens the file of a path that is made of four texts, if it is the one. */
static Bool
open_one(ElfParts* debug, const Identity* wanted, const HChar* const texts[4])
{
   HChar path[PATH_BYTES];
   SizeT length = 0;
   for (UInt i = 0; i < 4; i++)
      length += VG_(strlen)(texts[i]);
   if (length >= sizeof path) return False;
   VG_(sprintf)(path, "%s%s%s%s", texts[0], texts[1], texts[2], texts[3]);
   if (!cg2_elfparts_open(debug, path)) return False;
   if (is_of(debug, wanted)) return True;
   cg2_elfparts_close(debug);
   return False;
}

/*--- Where it may be ----------------------------------------------------*/

/* Opens what debuginfod's client has fetched. */
static Bool open_fetched(ElfParts* debug, const Identity* of, const HChar* id)
{
   static const HChar* const caches[][2] = {
      {"DEBUGINFOD_CACHE_PATH", "/"},
      {"XDG_CACHE_HOME", "/debuginfod_client/"},
      {"HOME", "/.cache/debuginfod_client/"}};
   for (UInt i = 0; i < sizeof caches / sizeof *caches; i++) {
      const HChar* folder = VG_(getenv)(caches[i][0]);
      const HChar* const path[] = {folder, caches[i][1], id, "/debuginfo"};
      if (folder && open_one(debug, of, path)) return True;
   }
   return False;
}

static Bool open_by_id(ElfParts* debug, const Identity* of)
{
   HChar id[BUILD_ID_TEXT], first[sizeof "/.build-id/00/"];
   if (!of->id.n) return False;
   cg2_buildid_print(&of->id, id);
   VG_(sprintf)(first, "/.build-id/%02x/", (UInt)of->id.bytes[0]);
   const HChar* const path[] = {DIRECTORY, first, id + 2, ".debug"};
   return open_one(debug, of, path) || open_fetched(debug, of, id);
}

static Bool open_by_link(ElfParts* debug, const Identity* of, const HChar* path)
{
   HChar folder[PATH_BYTES];
   const HChar* end = VG_(strrchr)(path, '/');
   if (!of->link || !end || end - path + 2 > PATH_BYTES) return False;
   VG_(memcpy)(folder, path, end - path + 1);
   folder[end - path + 1] = '\0';
   const HChar* const places[][4] = {{folder, of->link, "", ""},
                                     {folder, ".debug/", of->link, ""},
                                     {DIRECTORY, folder, of->link, ""}};
   for (UInt i = 0; i < sizeof places / sizeof *places; i++)
      if (open_one(debug, of, places[i])) return True;
   return False;
}

Bool cg2_debugfile_open(ElfParts* debug,
                        const ElfParts* stripped,
                        const HChar* path)
{
   Identity of = identify(stripped);
   Bool is_open = open_by_id(debug, &of) || open_by_link(debug, &of, path);
   if (of.link) VG_(free)(of.link);
   return is_open;
}
