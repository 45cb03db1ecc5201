# SPDX-License-Identifier: MIT
# Programs of thread blocks, as MSCCL++ carries them out: read, checked, run, written.
gfab_layer(plans
    SOURCES extras/gpu-plans/before.c extras/gpu-plans/check/check.c extras/gpu-plans/check/drift.c
            extras/gpu-plans/events.c extras/gpu-plans/events_text.c extras/gpu-plans/check/lengths.c
            extras/gpu-plans/make.c extras/gpu-plans/order.c extras/gpu-plans/page/page.c extras/gpu-plans/parts.c
            extras/gpu-plans/plan.c extras/gpu-plans/plan_read.c extras/gpu-plans/plan_run.c
            extras/gpu-plans/plan_write.c extras/gpu-plans/validate.c extras/gpu-plans/values.c
            extras/gpu-plans/check/witness.c ${CMAKE_CURRENT_BINARY_DIR}/witness_files.c
    HEADERS include/gossipfab/formats/gpu_plan.h extras/gpu-plans/check/check.h extras/gpu-plans/events.h
            extras/gpu-plans/make.h extras/gpu-plans/page/page.h extras/gpu-plans/plan.h extras/gpu-plans/values.h
    USES base
    LIBRARIES PkgConfig::JANSSON Threads::Threads)

# Schedules as such programs.
gfab_layer(mscclpp
    SOURCES extras/gpu-plans/write/mscclpp_blocks.c extras/gpu-plans/write/mscclpp_write.c
    HEADERS include/gossipfab/formats/mscclpp.h extras/gpu-plans/write/acts.h
    USES formats plans
    LIBRARIES PkgConfig::JANSSON)

# Its commands, and what it does in others.
gfab_commands(extras/gpu-plans/cli/cli_plan.c extras/gpu-plans/cli/cmd_run.c)
