/* A plugin of QEMU's user emulation: how often each block of the host's code
 * was run.
 *
 *    qemu-x86_64 -plugin libblockcount.so,out=FILE PROGRAM...
 *
 * When the program ends, FILE has a line for each block that QEMU translated:
 * its address (hexadecimal), its instructions and how often they were run
 * (decimal). A block's address occurs again when other code came to lie there.
 *
 * The declarations are those of QEMU's plugin interface, version 1, as its
 * manual "QEMU TCG Plugins" states them; Debian has no header of it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void translated_cb(qemu_plugin_id_t id, struct qemu_plugin_tb* block);
typedef void ended_cb(qemu_plugin_id_t id, void* data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           translated_cb* f);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
                                    ended_cb* f,
                                    void* data);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block,
                                              enum qemu_plugin_op op,
                                              void* counter,
                                              uint64_t increment);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb* block);

API int qemu_plugin_version = 1;

typedef struct Block {
   struct Block* next;
   uint64_t address, n_instructions, n_runs;
} Block;

static Block* blocks;
static const char* path;

static void on_translated(qemu_plugin_id_t id, struct qemu_plugin_tb* block)
{
   (void)id;
   Block* b = calloc(1, sizeof *b);
   if (!b) abort();
   *b = (Block){.next = blocks,
                .address = qemu_plugin_tb_vaddr(block),
                .n_instructions = qemu_plugin_tb_n_insns(block)};
   blocks = b;
   qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64,
                                            &b->n_runs, 1);
}

static void on_end(qemu_plugin_id_t id, void* data)
{
   (void)id, (void)data;
   FILE* out = fopen(path, "w");
   if (!out) {
      perror(path);
      exit(1);
   }
   for (const Block* b = blocks; b; b = b->next)
      if (b->n_runs)
         fprintf(out, "%llx %llu %llu\n", (unsigned long long)b->address,
                 (unsigned long long)b->n_instructions,
                 (unsigned long long)b->n_runs);
   fclose(out);
}

API int qemu_plugin_install(qemu_plugin_id_t id,
                            const qemu_info_t* info,
                            int argc,
                            char** argv)
{
   (void)info;
   if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
      fputs("blockcount: expected out=FILE\n", stderr);
      return -1;
   }
   path = strdup(argv[0] + 4);
   qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
   qemu_plugin_register_atexit_cb(id, on_end, NULL);
   return 0;
}
