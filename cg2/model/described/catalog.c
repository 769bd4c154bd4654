#include "model/described/catalog.h"

static const HChar directory_name[] = "cg2-machines";
static const HChar ending[] = ".machine";

static HChar* join(const HChar* directory, const HChar* name, const HChar* end)
{
   HChar* path = VG_(malloc)(
      "cg2.catalog", VG_(strlen)(directory) + VG_(strlen)(directory_name) +
                        VG_(strlen)(name) + VG_(strlen)(end) + 3);
   VG_(sprintf)(path, "%s/%s/%s%s", directory, directory_name, name, end);
   return path;
}

HChar* cg2_catalog_path(const HChar* machine)
{
   for (const HChar* c = machine; *c; c++)
      if (*c == '/' || *c == '.') return VG_(strdup)("cg2.catalog", machine);
   return join(VG_(libdir), machine, ending);
}

static HChar* read_all(Int fd, const HChar** why)
{
   HChar* text = VG_(malloc)("cg2.catalog", CATALOG_FILE_MAX + 1);
   Int n = 0, done = 1;
   while (n < CATALOG_FILE_MAX && done > 0) {
      done = VG_(read)(fd, text + n, CATALOG_FILE_MAX - n);
      if (done > 0) n += done;
   }
   *why = done < 0                ? "cannot be read"
          : n == CATALOG_FILE_MAX ? "is larger than 1 MB"
                                  : NULL;
   for (Int i = 0; !*why && i < n; i++)
      if (text[i] == '\0') *why = "is no text";
   if (*why) {
      VG_(free)(text);
      return NULL;
   }
   text[n] = '\0';
   return text;
}

HChar* cg2_catalog_read(const HChar* path, const HChar** why)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   *why = "there is no such file";
   if (sr_isError(res)) return NULL;
   *why = "is no file";
   if (!VKI_S_ISREG(st.mode)) return NULL;
   res = VG_(open)(path, VKI_O_RDONLY, 0);
   *why = "cannot be read";
   if (sr_isError(res)) return NULL;
   HChar* text = read_all(sr_Res(res), why);
   VG_(close)(sr_Res(res));
   return text;
}

/*--- Names --------------------------------------------------------------*/

typedef struct MachineNames {
   HChar** of;
   UInt n;
} MachineNames;

static void add(MachineNames* names, const HChar* file)
{
   SizeT length = VG_(strlen)(file), end = sizeof ending - 1;
   if (length <= end || VG_(strcmp)(file + length - end, ending) != 0) return;
   HChar* name = VG_(strdup)("cg2.catalog", file);
   name[length - end] = '\0';
   names->of = VG_(realloc)("cg2.catalog", names->of,
                            (names->n + 1) * sizeof *names->of);
   names->of[names->n++] = name;
}

static Int compare_names(const void* a, const void* b)
{
   return VG_(strcmp)(*(HChar* const*)a, *(HChar* const*)b);
}

static void read_names(Int fd, MachineNames* names)
{
   ULong buffer[512]; /* aligned as the entries are */
   for (;;) {
      Int n = VG_(getdents64)(fd, (struct vki_dirent64*)buffer, sizeof buffer);
      if (n <= 0) return;
      for (Int at = 0; at < n;) {
         struct vki_dirent64* entry =
            (struct vki_dirent64*)((HChar*)buffer + at);
         add(names, entry->d_name);
         at += entry->d_reclen;
      }
   }
}

UInt cg2_catalog_list(void (*say)(const HChar* name))
{
   MachineNames names = {NULL, 0};
   HChar* path = join(VG_(libdir), "", "");
   SysRes res = VG_(open)(path, VKI_O_RDONLY, 0);
   VG_(free)(path);
   if (sr_isError(res)) return 0;
   read_names(sr_Res(res), &names);
   VG_(close)(sr_Res(res));
   if (names.n == 0) return 0;
   VG_(ssort)(names.of, names.n, sizeof *names.of, compare_names);
   for (UInt i = 0; i < names.n; i++) {
      say(names.of[i]);
      VG_(free)(names.of[i]);
   }
   VG_(free)(names.of);
   return names.n;
}
