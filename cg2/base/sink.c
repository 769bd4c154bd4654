#include "base/sink.h"

static Bool is_link(const HChar* path)
{
   HChar target;
   return VG_(readlink)(path, &target, 1) >= 0;
}

Bool cg2_sink_replaces(const HChar* path)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   return !is_link(path) && (sr_isError(res) || VKI_S_ISREG(st.mode));
}

/* How much of a name may stand in front of another end of `n_end` characters:
 * all of a short one. The name of a file that can be written is no longer with
 * the other end, whatever the file system's limit. */
static SizeT room_in_front(SizeT n_name, SizeT n_end)
{
   enum { SHORT = 100 };
   if (n_name + n_end <= SHORT) return n_name;
   return n_name > n_end ? n_name - n_end : 0;
}

HChar* cg2_sink_beside(const HChar* path)
{
   HChar end[24];
   SizeT n_end = VG_(sprintf)(end, ".%d.part", VG_(getpid)());
   HChar* beside = VG_(malloc)("cg2.sink", VG_(strlen)(path) + n_end + 1);
   VG_(sprintf)(beside, "%s", path);
   HChar* slash = VG_(strrchr)(beside, '/');
   HChar* name = slash ? slash + 1 : beside;
   VG_(sprintf)(name + room_in_front(VG_(strlen)(name), n_end), "%s", end);
   return beside;
}

/* Opens the file at `path`, with these flags if it is written in place, or a
 * new one beside it. Returns 0 or the errno of the failure. */
static Int open_file(Sink* sink, const HChar* path, Int in_place_flags)
{
   sink->error = 0;
   sink->n = 0;
   sink->path = path;
   sink->in_place = !cg2_sink_replaces(path);
   sink->beside =
      sink->in_place ? VG_(strdup)("cg2.sink", path) : cg2_sink_beside(path);
   /* A file that a killed run left there would keep its mode. */
   if (!sink->in_place) VG_(unlink)(sink->beside);
   Int flags = VKI_O_WRONLY | VKI_O_CREAT |
               (sink->in_place ? in_place_flags : VKI_O_EXCL);
   SysRes res = VG_(open)(sink->beside, flags, VKI_S_IRUSR | VKI_S_IWUSR);
   if (sr_isError(res)) {
      VG_(free)(sink->beside);
      return sink->error = sr_Err(res);
   }
   sink->fd = sr_Res(res);
   return 0;
}

Int cg2_sink_open(Sink* sink, const HChar* path)
{
   return open_file(sink, path, VKI_O_TRUNC);
}

/* Writes what is in the buffer, and empties it. */
static void flush(Sink* sink)
{
   for (UInt done = 0; done < sink->n && !sink->error;) {
      Int n = VG_(write)(sink->fd, sink->buffer + done, sink->n - done);
      if (n < 0)
         sink->error = -n;
      else if (n == 0)
         sink->error = VKI_ENOSPC;
      else
         done += n;
   }
   sink->n = 0;
}

/* Copies the first `n` bytes of the file at `path` into the sink. */
static void copy(Sink* sink, const HChar* path, ULong n)
{
   SysRes res = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(res)) {
      sink->error = sr_Err(res);
      return;
   }
   while (n > 0 && !sink->error) {
      Int most = n < SINK_BYTES ? n : SINK_BYTES;
      Int got = VG_(read)(sr_Res(res), sink->buffer, most);
      if (got <= 0) sink->error = got < 0 ? -got : VKI_EIO;
      sink->n = got > 0 ? got : 0;
      n -= sink->n;
      flush(sink);
   }
   VG_(close)(sr_Res(res));
}

Int cg2_sink_open_behind(Sink* sink,
                         const HChar* path,
                         const HChar* from,
                         ULong n)
{
   if (open_file(sink, path, VKI_O_APPEND)) return sink->error;
   if (!sink->in_place) copy(sink, from, n);
   return 0;
}

Int cg2_sink_finish(Sink* sink)
{
   flush(sink);
   VG_(close)(sink->fd);
   if (!sink->in_place) {
      if (!sink->error && VG_(rename)(sink->beside, sink->path) != 0)
         sink->error = VKI_EACCES;
      if (sink->error) VG_(unlink)(sink->beside);
   }
   VG_(free)(sink->beside);
   return sink->error;
}

void cg2_sink_char(Sink* sink, HChar c)
{
   if (sink->n == SINK_BYTES) flush(sink);
   sink->buffer[sink->n++] = c;
}

void cg2_sink_text(Sink* sink, const HChar* text)
{
   while (*text)
      cg2_sink_char(sink, *text++);
}

static void digits(Sink* sink, ULong n, UInt base)
{
   HChar text[24];
   UInt i = sizeof text;
   do {
      text[--i] = "0123456789abcdef"[n % base];
      n /= base;
   } while (n);
   for (; i < sizeof text; i++)
      cg2_sink_char(sink, text[i]);
}

void cg2_sink_decimal(Sink* sink, ULong n)
{
   digits(sink, n, 10);
}

void cg2_sink_hex(Sink* sink, ULong n)
{
   cg2_sink_text(sink, "0x");
   digits(sink, n, 16);
}
