/* Writes a tracefile of lcov. */
#ifndef CG2P_LCOV_H
#define CG2P_LCOV_H

#include "feedback/feedbackwriter.h"

void cg2p_lcov_put(FeedbackWriter* writer);

#endif
