/* Numbers of processes and threads: the program is told others than the
 * kernel's, which are the same in each run. The first process has number 1000.
 * That of each other one, or of a thread, follows from the number of the
 * process that has made it, and from how many that had made before.
 *
 * A table that all processes of the run share says which number the kernel has
 * given. What is not in it does not belong to the run, and is not there for the
 * program, as outside a namespace of processes. */
#ifndef CG2_PROCESSES_H
#define CG2_PROCESSES_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* Begins a run, or goes on with one whose text is `inherited`. Called once. */
void cg2_processes_start(const HChar* inherited);

/* What is handed on to the program that replaces this one: numbers with commas
 * between them, at `text`. Where they end. Programs that are traced get the
 * table, too. */
HChar* cg2_processes_hand_on(HChar* text);

/* The process's own number, and its parent's; 0: that is outside. */
UInt cg2_processes_own(void);
UInt cg2_processes_parent(void);

/* The process is about to have another one, or a thread `tid`. */
void cg2_processes_make_process(void);
void cg2_processes_make_thread(ThreadId tid);
/* The number of what was made last. */
UInt cg2_processes_made(void);

/* The thread that calls this begins, as `tid`, or ends. */
void cg2_processes_begin_thread(ThreadId tid);
void cg2_processes_end_thread(void);
/* The number of a thread that another one has made; 0: of the first. */
UInt cg2_processes_thread(ThreadId tid);
/* The number of a thread. */
UInt cg2_processes_number(ThreadId tid);
/* The process that was made begins. */
void cg2_processes_forked(void);

/* The kernel's number `real` now belongs to `told`. */
void cg2_processes_add(UInt real, UInt told);

/* The thread has come to a moment, and the process with it; MOMENT_NEVER: it
 * goes on without the tool. */
void cg2_processes_say_clock(ThreadId tid, ULong moment);
/* The moment that a process or thread has said last; 0: none. */
ULong cg2_processes_clock(UInt real);

/* The kernel knows nothing of it any more: nobody waits for it. */
void cg2_processes_note_gone(UInt real);

/* What the process has spent, with the children that it has waited for; what
 * one has said last. */
void cg2_processes_say_spent(ULong spent);
ULong cg2_processes_spent(UInt real);

/* The process goes on at a moment, unless something happens before; 0: it does
 * not know, or goes on now. */
void cg2_processes_claim(ULong moment);
/* The process has looked whether something has happened, and began to at a
 * moment of real time. */
void cg2_processes_say_looked(ULong real_time);

/* A process or thread of the run, and what it has said. */
typedef struct Participant {
   UInt real, told;
   ULong clock;  /* the moment that it has come to */
   ULong claim;  /* when it goes on; 0: it has not said */
   ULong looked; /* real time: what has happened before it knows */
} Participant;

/* Whether a pipe or socket of that inode was open when the run began: others
 * than the run's may write to it. */
Bool cg2_processes_was_given(ULong inode);

/* Shows all of them. */
void cg2_processes_visit(void (*visit)(const Participant* p, void* data),
                         void* data);

/* What all processes know of a file that one of them has written: filetimes
 * has it. */
typedef struct SharedFile {
   ULong key;      /* 0: it is free */
   ULong modified; /* as the kernel said it last */
   ULong told;
} SharedFile;
enum { SHARED_FILES = 65536 };
SharedFile* cg2_processes_files(void);

/* What the program is told of a real number; 0: it is not of the run. */
UInt cg2_processes_told(UInt real);
/* The same of a parent, a group of processes, or a session. Those that the run
 * was started by and in are called the same, whoever they are. */
UInt cg2_processes_told_parent(UInt real);
UInt cg2_processes_told_group(UInt real);
UInt cg2_processes_told_session(UInt real);
/* The real number behind what the program says. */
enum { PROCESSES_NOBODY = 0x7fffffff }; /* a number that nothing has */
UInt cg2_processes_real(UInt told);

#endif
