#include "code/debugfile.h"

static const HChar DIRECTORY[] = "/usr/lib/debug";

enum { ID_MAX = 64, PATH_BYTES = 4096, CHUNK = 1 << 20 };

/* What tells whose a debug file is. */
typedef struct Identity {
   UChar id[ID_MAX]; /* the build-id */
   UInt n_id;        /* its bytes; 0: it has none */
   HChar* link;      /* what .gnu_debuglink has, to be freed; or NULL */
   UInt checksum;    /* of the file that `link` names */
} Identity;

/*--- What a file says ---------------------------------------------------*/

static SizeT aligned(SizeT n)
{
   return (n + 3) & ~(SizeT)3;
}

/* Looks for the build-id among the notes of a section. */
static void search_notes(Identity* of, const UChar* notes, SizeT n)
{
   UInt head[3]; /* bytes of the name, of what is said, and which note it is */
   for (SizeT at = 0; n - at > sizeof head;) {
      VG_(memcpy)(head, notes + at, sizeof head);
      SizeT name = at + sizeof head;
      if (head[0] > n || head[1] > n) return;
      SizeT said = name + aligned(head[0]);
      if (said > n || head[1] > n - said) return;
      Bool is_id = head[2] == NT_GNU_BUILD_ID && head[0] == sizeof "GNU" &&
                   VG_(memcmp)(notes + name, "GNU", sizeof "GNU") == 0;
      if (is_id && head[1] > 1 && head[1] <= ID_MAX) {
         VG_(memcpy)(of->id, notes + said, head[1]);
         of->n_id = head[1];
         return;
      }
      at = said + aligned(head[1]);
      if (at > n) return;
   }
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
   Identity found = {.n_id = 0};
   for (UInt i = 0; i < parts->n_sections; i++) {
      const ElfSection* s = &parts->sections[i];
      Bool is_note = s->sh_type == SHT_NOTE && !found.n_id;
      Bool is_link =
         s->sh_type == SHT_PROGBITS &&
         VG_(strcmp)(cg2_elfparts_name(parts, s), ".gnu_debuglink") == 0;
      void* bytes = is_note || is_link
                       ? cg2_elfparts_read(parts, s->sh_offset, s->sh_size)
                       : NULL;
      if (!bytes) continue;
      if (is_link) {
         take_link(&found, bytes, s->sh_size);
      } else {
         search_notes(&found, bytes, s->sh_size);
         VG_(free)(bytes);
      }
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
   if (wanted->n_id)
      return found.n_id == wanted->n_id &&
             VG_(memcmp)(found.id, wanted->id, wanted->n_id) == 0;
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
   HChar id[2 * ID_MAX + 1], first[sizeof "/.build-id/00/"];
   if (!of->n_id) return False;
   for (UInt i = 0; i < of->n_id; i++)
      VG_(sprintf)(id + 2 * i, "%02x", (UInt)of->id[i]);
   VG_(sprintf)(first, "/.build-id/%02x/", (UInt)of->id[0]);
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
