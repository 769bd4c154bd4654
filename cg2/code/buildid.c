#include "code/buildid.h"

static SizeT aligned(SizeT n)
{
   return (n + 3) & ~(SizeT)3;
}

/* Looks for the build-id among `n` bytes of notes. */
static void search_notes(BuildId* id, const UChar* notes, SizeT n)
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
      if (is_id && head[1] > 1 && head[1] <= BUILD_ID_MAX) {
         VG_(memcpy)(id->bytes, notes + said, head[1]);
         id->n = head[1];
         return;
      }
      at = said + aligned(head[1]);
      if (at > n) return;
   }
}

/* The same among those at `offset` of a file, unless it was found. */
static void
search_file(BuildId* id, const ElfParts* parts, ULong offset, ULong n)
{
   UChar* notes = id->n ? NULL : cg2_elfparts_read(parts, offset, n);
   if (!notes) return;
   search_notes(id, notes, n);
   VG_(free)(notes);
}

/* A debug file has the sections, but its segments may lie elsewhere; a file
 * without sections has segments. */
BuildId cg2_buildid_read(const ElfParts* parts)
{
   BuildId id = {.n = 0};
   for (UInt i = 0; i < parts->n_sections; i++)
      if (parts->sections[i].sh_type == SHT_NOTE)
         search_file(&id, parts, parts->sections[i].sh_offset,
                     parts->sections[i].sh_size);
   for (UInt i = 0; i < parts->header.e_phnum; i++)
      if (parts->segments[i].p_type == PT_NOTE)
         search_file(&id, parts, parts->segments[i].p_offset,
                     parts->segments[i].p_filesz);
   return id;
}

void cg2_buildid_print(const BuildId* id, HChar text[BUILD_ID_TEXT])
{
   text[0] = '\0';
   for (UInt i = 0; i < id->n; i++)
      VG_(sprintf)(text + 2 * i, "%02x", (UInt)id->bytes[i]);
}
