/* Who uses the machine: every program is told that it runs as user 1000 and
 * group 1000, to whom the user's files belong. So do those of root: else a
 * program that root starts is told other numbers of the system's files. What it
 * says of 1000 is said of the user. */
#ifndef CG2_USERS_H
#define CG2_USERS_H

#include "repeat/call.h"

/* Called once, before the program begins. */
void cg2_users_start(void);

/* What the program is told of a real number. */
UInt cg2_users_user(UInt id);
UInt cg2_users_group(UInt id);
/* The real number behind what it says. */
UInt cg2_users_real_user(UInt id);
UInt cg2_users_real_group(UInt id);

/* Rows that change what the kernel has written. */
void cg2_users_getresuid(const KernelRequest* call);
void cg2_users_getresgid(const KernelRequest* call);
/* A row that answers. */
Bool cg2_users_getgroups(const KernelRequest* call);

#endif
