#include "profile/column.h"

const ColumnKind cg2p_columns[COLUMNS_MAX] = {
   [COLUMN_INSTR] = {"instr", "addr", CG2P_INSTR, true},
   [COLUMN_BLOCK] = {"bb", NULL, CG2P_BLOCK, true},
   [COLUMN_LINE] = {"line", NULL, CG2P_LINE, false},
};
