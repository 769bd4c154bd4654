/* Who uses the machine: every program is told that it runs as user 1000 and
 * group 1000. The user's real number and 1000 change places, in all that is
 * told and in all that is asked, so that the user's files stay the user's. */
#ifndef CG2_USERS_H
#define CG2_USERS_H

#include "repeat/call.h"

/* Called once, before the program begins. */
void cg2_users_start(void);

/* What the program is told of a real number, and the real number behind what it
 * says: the same exchange. */
UInt cg2_users_user(UInt id);
UInt cg2_users_group(UInt id);

/* Rows that change what the kernel has written. */
void cg2_users_getresuid(const KernelRequest* call);
void cg2_users_getresgid(const KernelRequest* call);
/* A row that answers. */
Bool cg2_users_getgroups(const KernelRequest* call);

#endif
