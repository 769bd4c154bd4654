#include "translate/cpuidcode.h"

#include "arch/vexcpu.h"
#include "avx512/vecconfig.h"
#include "pub_tool_libcproc.h"
#include "translate/translateconfig.h"

/* Reason for a mutable file-scope object: the core tells of the host with each
 * block. */
static struct {
   Bool has_begun;       /* The first block has come. */
   HChar text[CPU_TEXT]; /* what cg2_cpuidcode_told says; empty: nothing */
} told;

/*--- What is told -------------------------------------------------------*/

/* What can run on a host of which VEX knows `host`. */
static Cpu executed_on(const Cpu* host)
{
   Cpu most = *host;
   if (most.class == CPU_AVX2 && cg2_vec.config.executes &&
       cg2_vec.config.host_has)
      most.class = CPU_V4;
   return most;
}

static void check_chosen(const Cpu* host)
{
   const CpuidcodeConfig* config = &cg2_translate_config.cpu;
   const Cpu most = executed_on(host);
   if (cg2_cpu_covers(&most, &config->cpu)) return;
   HChar wanted[CPU_TEXT], there[CPU_TEXT];
   cg2_cpu_describe(&config->cpu, wanted);
   cg2_cpu_describe(&most, there);
   if (config->cpu.class == CPU_V4 && cg2_vec.config.mode == AVX512_NO)
      VG_(umsg)("--avx512=no: ");
   VG_(umsg)("--cpu=%s: a program would be told of %s; expected no more than "
             "this processor has: %s\n",
             config->chosen, wanted, there);
   VG_(exit)(1);
}

/* Makes `native` what is executed here: without AVX2, what VEX knows. */
static void complete(Cpu* native, const Cpu* host)
{
   *native = executed_on(host);
   native->is_native = host->class == CPU_AVX2 && cg2_vec.config.executes;
}

static void begin(UInt hwcaps)
{
   CpuidcodeConfig* config = &cg2_translate_config.cpu;
   Cpu host;
   told.has_begun = True;
   if (!cg2_vexcpu_host(hwcaps, &host)) return;
   if (config->chosen && config->cpu.is_native) complete(&config->cpu, &host);
   if (config->chosen) check_chosen(&host);
   cg2_cpu_describe(config->chosen ? &config->cpu : &host, told.text);
}

const Cpu* cg2_cpuidcode_chosen(void)
{
   const CpuidcodeConfig* config = &cg2_translate_config.cpu;
   return config->chosen ? &config->cpu : NULL;
}

const HChar* cg2_cpuidcode_told(void)
{
   return told.text[0] ? told.text : NULL;
}

/*--- Blocks -------------------------------------------------------------*/

static IRExpr* flag(Bool is_there)
{
   return mkIRExpr_HWord(is_there);
}

/* Has a call that answers CPUID answer for `cpu`. What it reads and writes of
 * the guest's state stays. */
static void redirect(IRDirty* call, const Cpu* cpu)
{
   VexCpuid answer = cg2_vexcpu_answer(cpu);
   call->cee = mkIRCallee(0, answer.name, answer.function);
   call->args = mkIRExprVec_4(IRExpr_GSPTR(), flag(cpu->has_f16c),
                              flag(cpu->has_rdrand), flag(cpu->has_rdseed));
}

/* Ends a block at the instruction in statement `mark`: the program gets SIGILL
 * in place of what that does. */
static void end_at(IRSB* block, Int mark)
{
   Addr address = block->stmts[mark]->Ist.IMark.addr;
   block->stmts_used = mark + 1;
   block->next = mkIRExpr_HWord(address);
   block->jumpkind = Ijk_NoDecode;
}

void cg2_cpuidcode_rewrite(IRSB* block, UInt hwcaps)
{
   const CpuidcodeConfig* config = &cg2_translate_config.cpu;
   if (!told.has_begun) begin(hwcaps);
   if (!config->chosen) return;
   for (Int i = 0; i < block->stmts_used; i++) {
      const IRStmt* s = block->stmts[i];
      if (s->tag == Ist_Dirty &&
          cg2_vexcpu_answers(s->Ist.Dirty.details->cee->addr))
         redirect(s->Ist.Dirty.details, &config->cpu);
      if (s->tag == Ist_IMark &&
          cg2_cpu_lacks(&config->cpu, (const UChar*)s->Ist.IMark.addr,
                        s->Ist.IMark.len))
         end_at(block, i);
   }
}
