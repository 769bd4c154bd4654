/* cg2.h: what a program can ask of cg2 while it runs under it. Where it does
 * not, each of these costs a few instructions and does nothing.
 *
 * Copyright (C) 2026 the cg2 authors. All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without
 * modification, are permitted provided that the following conditions are met:
 *
 * 1. Redistributions of source code must retain the above copyright notice,
 * this list of conditions and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice,
 *    this list of conditions and the following disclaimer in the documentation
 *    and/or other materials provided with the distribution.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
 * AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
 * ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE
 * LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
 * CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
 * SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
 * INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
 * CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
 * ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
 * POSSIBILITY OF SUCH DAMAGE.
 *
 * Programs that use valgrind/callgrind.h need not be changed: cg2 takes its
 * requests, too. */
#ifndef CG2_H
#define CG2_H

#include <valgrind/valgrind.h>

typedef enum {
   CG2_USERREQ_CALLGRIND = VG_USERREQ_TOOL_BASE('C', 'T'),
   CG2_USERREQ_DUMP = VG_USERREQ_TOOL_BASE('C', '2'),
   CG2_USERREQ_ZERO,
   CG2_USERREQ_TOGGLE_COLLECT,
   CG2_USERREQ_DUMP_AT,
   CG2_USERREQ_START_INSTRUMENTATION,
   CG2_USERREQ_STOP_INSTRUMENTATION,
   CG2_USERREQ_PHASE,
   CG2_USERREQ_READ_EVENT,
   CG2_USERREQ_SKIP_OBJECT,
   CG2_USERREQ_DESCRIBE
} Cg2ClientRequest;

/* Writes what was counted since the last part as a part of the profile, and
 * starts from zero. */
#define CG2_DUMP                                                               \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_DUMP, 0, 0, 0, 0, 0)

/* Writes a part, as CG2_DUMP does; `text` says why in the part's header. */
#define CG2_DUMP_AT(text)                                                      \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_DUMP_AT, text, 0, 0, 0, 0)

/* Forgets what was counted since the last part. */
#define CG2_ZERO                                                               \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_ZERO, 0, 0, 0, 0, 0)

/* Collects from now on, if it did not before; and the other way round. */
#define CG2_TOGGLE_COLLECT                                                     \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_TOGGLE_COLLECT, 0, 0, 0, 0, 0)

/* A phase of the program begins, and the one before it ends: that is written as
 * a part. `text` is what the part of the new one gives as its trigger. */
#define CG2_PHASE(text)                                                        \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_PHASE, text, 0, 0, 0, 0)

/* How often the event `name`, such as "Ir", was counted for this thread since
 * the last part. Puts it into *value, an unsigned long long, and is 1; or
 * leaves that alone and is 0 if the event is not counted or the program does
 * not run under cg2. */
#define CG2_READ_EVENT(name, value)                                            \
   VALGRIND_DO_CLIENT_REQUEST_EXPR(0, CG2_USERREQ_READ_EVENT, name, value, 0,  \
                                   0, 0)

/* From now on, what functions of object files whose path matches `path` cost
 * and call is their callers', as with --obj-skip. Calls that are open go on as
 * they are. */
#define CG2_SKIP_OBJECT(path)                                                  \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_SKIP_OBJECT, path, 0, 0, 0, 0)

/* Each part that is written from now on has `text` in its header, as a line
 * `desc: text`. It should be "type: value". */
#define CG2_DESCRIBE(text)                                                     \
   VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_DESCRIBE, text, 0, 0, 0, 0)

#endif
