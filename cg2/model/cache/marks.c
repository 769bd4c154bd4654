#include "model/cache/marks.h"

/* More places for data would take more room in the host's cache than that
 * saves. */
enum { CODE_MARKS = 16384, DATA_MARKS = 4096 };

/* Reason for a mutable file-scope object: generated code has the address of the
 * tables. */
static struct {
   Mark code[CODE_MARKS], data[DATA_MARKS], written[DATA_MARKS];
} marks;

Marks cg2_marks_of_code(void)
{
   return (Marks){marks.code, CODE_MARKS};
}

Marks cg2_marks_of_data(void)
{
   return (Marks){marks.data, DATA_MARKS};
}

Marks cg2_marks_of_written(void)
{
   return (Marks){marks.written, DATA_MARKS};
}
