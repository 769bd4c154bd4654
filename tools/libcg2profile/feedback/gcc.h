/* Writes the profile that GCC takes with -fauto-profile. */
#ifndef CG2P_GCC_H
#define CG2P_GCC_H

#include "feedback/feedbackwriter.h"

void cg2p_gcc_put(FeedbackWriter* writer);

#endif
