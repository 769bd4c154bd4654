#include "sink.h"

static Bool is_regular_or_missing(const HChar* path)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   return sr_isError(res) || VKI_S_ISREG(st.mode);
}

Int cg2_sink_open(Sink* sink, const HChar* path)
{
   sink->error = 0;
   sink->n = 0;
   sink->path = path;
   sink->in_place = !is_regular_or_missing(path);
   sink->beside =
      VG_(malloc)("cg2.sink", VG_(strlen)(path) + sizeof ".part");
   VG_(sprintf)(sink->beside, sink->in_place ? "%s" : "%s.part", path);
   Int flags = VKI_O_WRONLY | VKI_O_TRUNC | (sink->in_place ? 0 : VKI_O_CREAT);
   SysRes res =
      VG_(open)(sink->beside, flags, VKI_S_IRUSR | VKI_S_IWUSR);
   if (sr_isError(res)) {
      VG_(free)(sink->beside);
      return sink->error = sr_Err(res);
   }
   sink->fd = sr_Res(res);
   return 0;
}

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
