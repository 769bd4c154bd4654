/* Numbers of users and groups in the arguments and results of system calls: the
 * kernel gets the real ones, and the program the told ones. */
#ifndef CG2_IDS_H
#define CG2_IDS_H

#include "repeat/call.h"

/* Puts the real numbers in the thread's registers before the kernel is asked,
 * and the program's back, with the told number as the result. What is no row of
 * the table stays as it is. */
void cg2_ids_enter_kernel(const KernelRequest* call);
void cg2_ids_leave_kernel(const KernelRequest* call);

#endif
