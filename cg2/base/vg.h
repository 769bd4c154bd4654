/* The one door to Valgrind's basics: types, memory, strings, assertions,
 * printing. Every module includes this; only those that the table in
 * docs/design.md names know more of Valgrind than this header.
 *
 * With CG2_HOST defined the same names come from a small stand-in, so that
 * the modules run in ordinary test programs. */
#ifndef CG2_VG_H
#define CG2_VG_H

#ifdef CG2_HOST
#include "host_vg.h"
#else
#include "pub_tool_basics.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#endif

#endif
