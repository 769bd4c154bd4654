#include "model/cache/marks.h"

/* Reason for mutable file-scope objects: generated code has the address of the
 * tables. More places for data would take more room in the host's cache than
 * that saves. */
enum { CODE_MARKS = 16384, DATA_MARKS = 4096 };
static Mark code_marks[CODE_MARKS], data_marks[DATA_MARKS];
static Mark written_marks[DATA_MARKS];

Marks cg2_marks_of_code(void)
{
   return (Marks){code_marks, CODE_MARKS};
}

Marks cg2_marks_of_data(void)
{
   return (Marks){data_marks, DATA_MARKS};
}

Marks cg2_marks_of_written(void)
{
   return (Marks){written_marks, DATA_MARKS};
}
