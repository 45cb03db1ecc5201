// SPDX-License-Identifier: MIT
// What every verilated model includes, compiled once for all of them.
#ifndef GFAB_TB_MODEL_H
#define GFAB_TB_MODEL_H

#include "dut.h"
#include <verilated.h>

#endif
