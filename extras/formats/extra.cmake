# SPDX-License-Identifier: MIT
# Schedules in the formats of other tools.
gfab_layer(formats
    SOURCES extras/formats/chakra/chakra_check.c extras/formats/chakra/chakra_read.c
            extras/formats/chakra/chakra_wire.c extras/formats/chakra/chakra_write.c extras/formats/formats.c
            extras/formats/graphs.c extras/formats/graphviz.c extras/formats/moves.c
            extras/formats/msccl/msccl_order.c extras/formats/msccl/msccl_parse.c extras/formats/msccl/msccl_read.c
            extras/formats/msccl/msccl_run.c extras/formats/msccl/msccl_write.c extras/formats/sccl/sccl_goal.c
            extras/formats/sccl/sccl_read.c extras/formats/sccl/sccl_write.c extras/formats/sets.c
            extras/formats/shared.c extras/formats/timing.c extras/formats/small/c_plan_make.c
            extras/formats/small/c_plan_order.c extras/formats/small/c_plan_write.c extras/formats/small/gfab_carry.c
            ${CMAKE_CURRENT_BINARY_DIR}/carry_files.c
    HEADERS include/gossipfab/formats/c_plan.h include/gossipfab/formats/chakra.h
            extras/formats/chakra/chakra_fields.h extras/formats/formats.h extras/formats/moves.h
            extras/formats/msccl/msccl.h extras/formats/sccl/sccl.h extras/formats/sets.h
            extras/formats/small/c_plan.h extras/formats/small/gfab_carry.h
    USES schedule
    LIBRARIES PkgConfig::JANSSON PkgConfig::EXPAT gfab_absent)

# Its commands, and what it does in others.
gfab_commands(extras/formats/cli/cli_chakra.c extras/formats/cli/cli_folder.c
              extras/formats/cli/cli_msccl.c extras/formats/cli/cmd_convert.c)
