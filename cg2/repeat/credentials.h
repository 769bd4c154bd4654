/* Who sends a message through a socket, which it carries (SCM_CREDENTIALS):
 * numbers of a process, a user and a group. The kernel gets the real ones, and
 * the program the told ones. Of several messages that one sendmmsg sends only
 * the first that carries some is seen to. */
#ifndef CG2_CREDENTIALS_H
#define CG2_CREDENTIALS_H

#include "repeat/call.h"

/* Puts the real numbers in what is sent. */
void cg2_credentials_enter_kernel(const KernelRequest* call, CallLoan* loan);
/* Puts the told ones in what was received. */
void cg2_credentials_tell_answer(const KernelRequest* call);

#endif
