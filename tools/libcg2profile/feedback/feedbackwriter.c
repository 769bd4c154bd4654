#include "feedback/feedbackwriter.h"

void cg2p_feedbackwriter_put_address(FeedbackWriter* writer, uint64_t address)
{
   char digits[16];
   size_t at = sizeof digits;
   do
      digits[--at] = "0123456789abcdef"[address % 16];
   while ((address /= 16));
   cg2p_output_text(&writer->output, digits + at, sizeof digits - at);
}
