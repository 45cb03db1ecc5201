/* SPDX-License-Identifier: MIT */
/* All of libgossipfab.
 *
 * Threads: the library has no state of its own, so threads may use it at once with objects of their own; they may share
 * objects that none of them changes, that is, which all of them pass as const. What gfab_progress calls runs in the
 * thread of the call. */
#ifndef GOSSIPFAB_GOSSIPFAB_H
#define GOSSIPFAB_GOSSIPFAB_H

#include <gossipfab/base/arena.h>
#include <gossipfab/base/crc32.h>
#include <gossipfab/base/json.h>
#include <gossipfab/base/status.h>
#include <gossipfab/base/text.h>
#include <gossipfab/base/version.h>
#include <gossipfab/board/host.h>
#include <gossipfab/cmodel/cmodel.h>
#include <gossipfab/cmodel/ring_model.h>
#include <gossipfab/draw/placement.h>
#include <gossipfab/draw/player.h>
#include <gossipfab/fabric/banks.h>
#include <gossipfab/fabric/compile.h>
#include <gossipfab/fabric/crossbar.h>
#include <gossipfab/fabric/features.h>
#include <gossipfab/fabric/flows.h>
#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/machine.h>
#include <gossipfab/fabric/op.h>
#include <gossipfab/fabric/program.h>
#include <gossipfab/fabric/reroute.h>
#include <gossipfab/fabric/ring.h>
#include <gossipfab/fabric/timing.h>
#include <gossipfab/formats/c_plan.h>
#include <gossipfab/formats/chakra.h>
#include <gossipfab/formats/format.h>
#include <gossipfab/formats/gpu_plan.h>
#include <gossipfab/formats/mscclpp.h>
#include <gossipfab/gen/board.h>
#include <gossipfab/gen/fabric.h>
#include <gossipfab/gen/registers.h>
#include <gossipfab/gen/ring_fabric.h>
#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/certificate.h>
#include <gossipfab/schedule/cost.h>
#include <gossipfab/schedule/expression.h>
#include <gossipfab/schedule/goal.h>
#include <gossipfab/schedule/model.h>
#include <gossipfab/schedule/prove.h>
#include <gossipfab/schedule/rate.h>
#include <gossipfab/schedule/refute.h>
#include <gossipfab/schedule/schedule.h>
#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/advise.h>
#include <gossipfab/solvers/items.h>
#include <gossipfab/solvers/lengths.h>
#include <gossipfab/solvers/replan.h>
#include <gossipfab/solvers/solver.h>
#include <gossipfab/telephone/colouring.h>
#include <gossipfab/telephone/matchings.h>
#include <gossipfab/telephone/record.h>
#include <gossipfab/topology/recognise.h>
#include <gossipfab/topology/rings.h>
#include <gossipfab/topology/topology.h>

#endif
