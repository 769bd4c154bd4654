#include "base/sink.h"

static Bool is_link(const HChar* path)
{
   HChar target;
   return VG_(readlink)(path, &target, 1) >= 0;
}

/* Whether others than this user, root, and the group that the program runs as
 * may make links in the directory that a path is in. */
static Bool is_in_open_directory(const HChar* path)
{
   HChar* directory = VG_(strdup)("cg2.sink", path);
   HChar* slash = VG_(strrchr)(directory, '/');
   if (slash) slash[slash == directory] = '\0';
   struct vg_stat st;
   SysRes res = VG_(stat)(slash ? directory : ".", &st);
   VG_(free)(directory);
   if (sr_isError(res)) return False;
   return (st.uid != 0 && (Int)st.uid != VG_(geteuid)()) ||
          (st.mode & VKI_S_IWOTH) ||
          ((st.mode & VKI_S_IWGRP) && (Int)st.gid != VG_(getegid)());
}

Bool cg2_sink_replaces(const HChar* path)
{
   struct vg_stat st;
   if (is_link(path)) return is_in_open_directory(path);
   return sr_isError(VG_(stat)(path, &st)) || VKI_S_ISREG(st.mode);
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

/* A number that no other program can guess; 0 without the kernel's random
 * numbers. */
static UInt guess_proof(void)
{
   UInt number = 0;
   Int fd = VG_(fd_open)("/dev/urandom", VKI_O_RDONLY, 0);
   if (fd >= 0) {
      VG_(read)(fd, &number, sizeof number);
      VG_(close)(fd);
   }
   return number;
}

/* A path for the file that will replace the one at `path`, another one for each
 * `attempt`. The caller frees the text. */
static HChar* path_beside(const HChar* path, UInt attempt)
{
   HChar end[32];
   SizeT n_end = VG_(sprintf)(end, ".%d-%08x.part", VG_(getpid)(),
                              guess_proof() ^ attempt);
   HChar* beside = VG_(malloc)("cg2.sink", VG_(strlen)(path) + n_end + 1);
   VG_(sprintf)(beside, "%s", path);
   HChar* slash = VG_(strrchr)(beside, '/');
   HChar* name = slash ? slash + 1 : beside;
   VG_(sprintf)(name + room_in_front(VG_(strlen)(name), n_end), "%s", end);
   return beside;
}

/* Makes a new file beside the one at `path`, for its owner alone. `beside` is
 * its path, which the caller frees. */
static SysRes create_beside(const HChar* path, HChar** beside)
{
   enum { TRIES = 100 };
   Int flags = VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL;
   SysRes res;
   for (UInt i = 0; i < TRIES; i++) {
      *beside = path_beside(path, i);
      res = VG_(open)(*beside, flags, VKI_S_IRUSR | VKI_S_IWUSR);
      if (!sr_isError(res) || sr_Err(res) != VKI_EEXIST) break;
      if (i + 1 < TRIES) VG_(free)(*beside);
   }
   return res;
}

static void forget_beside(Sink* sink)
{
   if (sink->beside) VG_(free)(sink->beside);
   sink->beside = NULL;
}

/* Opens the file at `path` itself. */
static SysRes open_in_place(const HChar* path, Int flags)
{
   return VG_(open)(path, VKI_O_WRONLY | flags, VKI_S_IRUSR | VKI_S_IWUSR);
}

/* Opens the file at `path`, which could not be replaced because of the failure
 * `why`, itself. A link there is of others, and is not followed. */
static SysRes open_unreplaced(const HChar* path, Int flags, SysRes why)
{
   return is_link(path) ? why : open_in_place(path, flags);
}

/* Whether an errno says that a directory takes no new file: one that is there
 * may still be written. */
static Bool is_closed(Int error)
{
   return error == VKI_EACCES || error == VKI_EPERM || error == VKI_EROFS;
}

/* Opens the file at `path`, with these flags if it is written in place, or a
 * new one beside it. Returns 0 or the errno of the failure. */
static Int open_file(Sink* sink, const HChar* path, Int in_place_flags)
{
   *sink = (Sink){.path = path, .in_place = !cg2_sink_replaces(path)};
   SysRes res = sink->in_place
                   ? open_in_place(path, VKI_O_CREAT | in_place_flags)
                   : create_beside(path, &sink->beside);
   if (sr_isError(res) && !sink->in_place && is_closed(sr_Err(res))) {
      SysRes other = open_unreplaced(path, VKI_O_TRUNC, res);
      if (!sr_isError(other)) {
         res = other;
         sink->in_place = True;
         forget_beside(sink);
      }
   }
   if (sr_isError(res)) {
      forget_beside(sink);
      return sink->error = sr_Err(res);
   }
   sink->fd = sr_Res(res);
   return 0;
}

Int cg2_sink_try(const HChar* path)
{
   if (!cg2_sink_replaces(path)) return 0;
   HChar* beside;
   SysRes res = create_beside(path, &beside);
   Int error = sr_isError(res) ? sr_Err(res) : 0;
   if (!error) VG_(unlink)(beside);
   VG_(free)(beside);
   if (error && is_closed(error)) res = open_unreplaced(path, 0, res);
   if (sr_isError(res)) return error;
   VG_(close)(sr_Res(res));
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
      if (n == -VKI_EINTR) continue;
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
      if (got == -VKI_EINTR) continue;
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

/* Which file is open. 0, or an errno. */
static Int look(Int fd, SinkFile* file)
{
   struct vg_stat st;
   if (VG_(fstat)(fd, &st) != 0) return VKI_EIO;
   *file = (SinkFile){st.dev, st.ino, st.size};
   return 0;
}

/* Notes which file was written: without that, nobody can go on behind it. */
static void note_file(Sink* sink)
{
   Int error = look(sink->fd, &sink->file);
   if (!sink->error) sink->error = error;
}

Bool cg2_sink_open_again(Sink* sink, const HChar* path, const SinkFile* file)
{
   SysRes res = open_in_place(path, 0);
   if (sr_isError(res)) return False;
   Int fd = sr_Res(res);
   SinkFile found;
   if (look(fd, &found) || found.device != file->device ||
       found.inode != file->inode || found.size != file->size ||
       VG_(lseek)(fd, file->size, VKI_SEEK_SET) != (Off64T)file->size) {
      VG_(close)(fd);
      return False;
   }
   *sink = (Sink){.fd = fd,
                  .path = path,
                  .in_place = True,
                  .is_behind = True,
                  .start = file->size};
   return True;
}

/* Makes ends of lines of what was written behind others: nobody reads them. The
 * disk has the room already. */
static void blank(Sink* sink)
{
   Int error = sink->error;
   ULong end = VG_(lseek)(sink->fd, 0, VKI_SEEK_END);
   VG_(lseek)(sink->fd, sink->start, VKI_SEEK_SET);
   sink->error = 0;
   for (ULong at = sink->start; at < end; at++)
      cg2_sink_char(sink, '\n');
   flush(sink);
   sink->error = error;
}

/* Copies the file beside the wanted one into that, which cannot be replaced. It
 * is empty if that fails. */
static void copy_over(Sink* sink)
{
   if (is_link(sink->path)) {
      sink->error = VKI_EACCES;
      return;
   }
   SysRes res = open_in_place(sink->path, VKI_O_TRUNC);
   if (sr_isError(res)) {
      sink->error = sr_Err(res);
      return;
   }
   sink->fd = sr_Res(res);
   copy(sink, sink->beside, sink->file.size);
   note_file(sink);
   VG_(close)(sink->fd);
   VG_(unlink)(sink->beside);
   if (!sink->error) return;
   res = open_in_place(sink->path, VKI_O_TRUNC);
   if (!sr_isError(res)) VG_(close)(sr_Res(res));
}

Int cg2_sink_finish(Sink* sink)
{
   flush(sink);
   note_file(sink);
   if (sink->error && sink->is_behind) blank(sink);
   VG_(close)(sink->fd);
   if (!sink->in_place) {
      if (!sink->error && VG_(rename)(sink->beside, sink->path) != 0)
         copy_over(sink);
      if (sink->error) VG_(unlink)(sink->beside);
   }
   forget_beside(sink);
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
