#include "profile/files/summaryfile.h"

#include "profile/files/outpath.h"
#include "pub_tool_options.h"

static const HChar option[] = "--json-summary";

/* Reason for a mutable file-scope object: the files of one process. */
static struct {
   OutPath out;
   HChar* exec_path; /* the file that is written because the program is being
                        replaced, or NULL */
} files;

static Bool is_wanted(void)
{
   return cg2_profile_config.summary != NULL;
}

static const HChar* out_path(void)
{
   return cg2_outpath_get(&files.out, option, cg2_profile_config.summary);
}

static void print_failure(const HChar* path, Int error)
{
   cg2_outpath_print_failure("summary", path, error);
}

void cg2_summaryfile_check(void)
{
   if (!is_wanted()) return;
   Int error = cg2_outpath_try(out_path());
   cg2_outpath_pass_on(option, cg2_profile_config.summary);
   if (!error) return;
   print_failure(out_path(), error);
   VG_(exit)(1);
}

void cg2_summaryfile_note(const WriterHeader* header,
                          const ULong* total,
                          const HChar* path)
{
   if (is_wanted()) cg2_jsonsummary_note(header, total, path);
}

static Bool write_to(const HChar* path, const WriterHeader* header)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = cg2_sink_open(sink, path);
   if (!error) {
      cg2_jsonsummary_write(sink, header);
      error = cg2_sink_finish(sink);
   }
   VG_(free)(sink);
   if (error) print_failure(path, error);
   if (!error && VG_(clo_verbosity) > 1) VG_(umsg)("Summary to %s\n", path);
   return error == 0;
}

Bool cg2_summaryfile_write(const WriterHeader* header)
{
   return !is_wanted() || write_to(out_path(), header);
}

/*--- Processes and programs ---------------------------------------------*/

void cg2_summaryfile_write_replaced(const WriterHeader* header)
{
   if (!is_wanted()) return;
   files.exec_path = cg2_outpath_of_replaced(out_path());
   write_to(files.exec_path, header);
}

void cg2_summaryfile_not_replaced(void)
{
   if (!files.exec_path) return;
   if (cg2_sink_replaces(files.exec_path)) VG_(unlink)(files.exec_path);
   VG_(free)(files.exec_path);
   files.exec_path = NULL;
   cg2_jsonsummary_drop();
}

void cg2_summaryfile_forked(void)
{
   if (!is_wanted()) return;
   if (files.exec_path) VG_(free)(files.exec_path);
   files.exec_path = NULL;
   cg2_outpath_forked(&files.out, option, cg2_profile_config.summary);
   cg2_jsonsummary_clear();
}
