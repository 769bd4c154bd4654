#include "repeat/machinefiles.h"

#include "repeat/chance.h"
#include "repeat/moment.h"
#include "repeat/repeatconfig.h"

enum { LINES = 512 }; /* bytes that the lines of a processor need */

static HChar* new_text(SizeT size)
{
   HChar* text = VG_(malloc)("cg2.machine", size);
   text[0] = '\0';
   return text;
}

/*--- Processors ---------------------------------------------------------*/

/* The instructions that a program may ask for are those of CPUID, not of this
 * list. */
static HChar* cpuinfo(void)
{
   UInt n = cg2_repeat_config.n_cpus;
   HChar* text = new_text(n * LINES + 1);
   HChar* end = text;
   for (UInt i = 0; i < n; i++)
      end += VG_(sprintf)(
         end,
         "processor\t: %u\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
         "model\t\t: 60\nmodel name\t: cg2\nstepping\t: 3\ncpu MHz\t\t: "
         "1000.000\ncache size\t: 8192 KB\nphysical id\t: 0\nsiblings\t: %u\n"
         "core id\t\t: %u\ncpu cores\t: %u\nfpu\t\t: yes\n"
         "flags\t\t: fpu tsc cx8 cmov mmx fxsr sse sse2 ht syscall nx lm\n"
         "bogomips\t: 2000.00\nclflush size\t: 64\n\n",
         i, n, i, n);
   return text;
}

static HChar* stat_file(void)
{
   UInt n = cg2_repeat_config.n_cpus;
   ULong ticks = cg2_moment_now() / 10000000;
   HChar* text = new_text((n + 4) * LINES);
   HChar* end =
      text + VG_(sprintf)(text, "cpu  %llu 0 0 0 0 0 0 0 0 0\n", ticks);
   for (UInt i = 0; i < n; i++)
      end +=
         VG_(sprintf)(end, "cpu%u %llu 0 0 0 0 0 0 0 0 0\n", i, i ? 0 : ticks);
   VG_(sprintf)
   (end,
    "intr 0\nctxt 0\nbtime %llu\nprocesses 1\nprocs_running 1\n"
    "procs_blocked 0\n",
    cg2_repeat_config.epoch);
   return text;
}

/* The range of processors, as in /sys/devices/system/cpu/online. */
static HChar* cpu_range(void)
{
   UInt n = cg2_repeat_config.n_cpus;
   HChar* text = new_text(LINES);
   VG_(sprintf)(text, n > 1 ? "0-%u\n" : "%u\n", n - 1);
   return text;
}

/*--- Memory, and what else there is -------------------------------------*/

static HChar* meminfo(void)
{
   ULong all = MACHINEFILES_MEMORY / 1024;
   HChar* text = new_text(LINES);
   VG_(sprintf)
   (text,
    "MemTotal:       %8llu kB\nMemFree:        %8llu kB\n"
    "MemAvailable:   %8llu kB\nBuffers:               0 kB\n"
    "Cached:                0 kB\nSwapCached:            0 kB\n"
    "SwapTotal:             0 kB\nSwapFree:              0 kB\n",
    all, all / 2, all / 2);
   return text;
}

static HChar* uptime(void)
{
   ULong now = cg2_moment_now() / 10000000;
   HChar* text = new_text(LINES);
   VG_(sprintf)(text, "%llu.%02llu 0.00\n", now / 100, now % 100);
   return text;
}

static HChar* load(void)
{
   HChar* text = new_text(LINES);
   VG_(strcpy)(text, "0.00 0.00 0.00 1/100 1000\n");
   return text;
}

static HChar* version(void)
{
   HChar* text = new_text(LINES);
   VG_(strcpy)
   (text,
    "Linux version " MACHINEFILES_RELEASE " (cg2) " MACHINEFILES_VERSION "\n");
   return text;
}

static HChar* release(void)
{
   HChar* text = new_text(LINES);
   VG_(strcpy)(text, MACHINEFILES_RELEASE "\n");
   return text;
}

static HChar* node(void)
{
   HChar* text = new_text(LINES);
   VG_(strcpy)(text, MACHINEFILES_NODE "\n");
   return text;
}

/* Source: RFC 9562, section 5.4. */
static HChar* uuid_of(ULong high, ULong low)
{
   UChar b[16];
   HChar* text = new_text(LINES);
   VG_(memcpy)(b, &high, sizeof high);
   VG_(memcpy)(b + sizeof high, &low, sizeof low);
   b[6] = 0x40 | (b[6] & 0xf);
   b[8] = 0x80 | (b[8] & 0x3f);
   HChar* end = text;
   for (UInt i = 0; i < sizeof b; i++)
      end += VG_(sprintf)(
         end, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", b[i]);
   VG_(strcpy)(end, "\n");
   return text;
}

static HChar* uuid(void)
{
   ULong high = cg2_chance_next();
   return uuid_of(high, cg2_chance_next());
}

/* The same whenever it is read. */
static HChar* boot(void)
{
   ULong high = cg2_chance_mix(cg2_repeat_config.seed);
   return uuid_of(high, cg2_chance_mix(high));
}

/*--- All ----------------------------------------------------------------*/

HChar* cg2_machinefiles_text(const HChar* path)
{
   static const struct {
      const HChar* path;
      HChar* (*text)(void);
   } files[] = {
      {"/proc/cpuinfo", cpuinfo},
      {"/proc/stat", stat_file},
      {"/proc/meminfo", meminfo},
      {"/proc/uptime", uptime},
      {"/proc/loadavg", load},
      {"/proc/version", version},
      {"/proc/sys/kernel/osrelease", release},
      {"/proc/sys/kernel/hostname", node},
      {"/etc/hostname", node},
      {"/proc/sys/kernel/random/uuid", uuid},
      {"/proc/sys/kernel/random/boot_id", boot},
      {"/sys/devices/system/cpu/online", cpu_range},
      {"/sys/devices/system/cpu/possible", cpu_range},
      {"/sys/devices/system/cpu/present", cpu_range},
   };
   for (UInt i = 0; i < sizeof files / sizeof *files; i++)
      if (VG_STREQ(path, files[i].path)) return files[i].text();
   return NULL;
}
