#include "translate/instrument.h"

#include "avx512/vecblock.h"
#include "engine/arrival.h"
#include "engine/threads.h"
#include "translate/blockrecord.h"
#include "translate/cpuidcode.h"
#include "translate/translateconfig.h"
#include "translate/writeblock.h"

/* Has the thread arrive at the block if that is what it was on its way to. */
static void meet_thread(Block* block, UInt tid)
{
   if (!cg2_thread_has_arrived() && !cg2_now.is_unknown &&
       cg2_threads_is_running(tid))
      cg2_arrival_at(block);
}

/* A copy of a block up to its first instruction. */
static IRSB* copy_head(const ReadBlock* read)
{
   IRSB* out = deepCopyIRSBExceptStmts(read->in);
   for (Int i = 0; i < read->first; i++)
      addStmtToIRSB(out, read->in->stmts[i]);
   return out;
}

IRSB* cg2_instrument(VgCallbackClosure* closure,
                     IRSB* in,
                     const VexGuestLayout* layout,
                     const VexGuestExtents* extents,
                     const VexArchInfo* arch,
                     IRType guest_word,
                     IRType host_word)
{
   BlockEvents events;
   AccessSites sites;
   Branches branches;
   events.n = branches.n = 0; /* all else of these is large, and not read */
   cg2_vecblock_rewrite(in, (VexGuestExtents*)extents);
   cg2_cpuidcode_rewrite(in, arch->hwcaps);
   cg2_sites_init(&sites, in);
   ReadBlock read = {
      .in = in, .events = &events, .sites = &sites, .branches = &branches};
   if (!cg2_translate_config.is_on || !cg2_readblock_read(&read)) return in;
   Block* block = cg2_blockrecord_find(&read);
   Bool is_guarded = cg2_blockrecord_announce(&read, block, closure->nraddr);
   if (!is_guarded && !read.is_stub) meet_thread(block, closure->tid);
   IRSB* out = copy_head(&read);
   cg2_writeblock_write(&read, block, is_guarded, layout->offset_SP,
                        (Emitter){out, guest_word, host_word});
   return out;
}
