# SPDX-License-Identifier: MIT
# The dependency law, in its one place. A layer is a few sources and the headers that declare them; it may include and
# call itself, the layers that it USES, and what those use. CMake makes a static library of each layer and links it with
# those alone; scripts/check-layers.py reads this file and holds every #include to it, and writes the table in
# docs/architecture.md. Paths from the project's root; LIBRARIES are from outside.

gfab_layer(base
    SOURCES core/base/arena.c core/base/crc32.c core/base/json.c core/base/status.c core/base/text.c core/base/version.c
    HEADERS include/gossipfab/base/arena.h include/gossipfab/base/crc32.h include/gossipfab/base/json.h include/gossipfab/base/linkage.h include/gossipfab/base/status.h
            include/gossipfab/base/text.h include/gossipfab/base/version.h core/base/ascending.h core/base/bits.h core/base/divisor.h core/base/embedded.h core/base/grow.h core/base/lines.h core/base/names.h core/base/number.h
            core/base/heap.h core/base/permutation.h core/base/progress.h core/base/random.h core/base/reason.h core/base/sets.h core/base/tells.h core/base/word_array.h
            core/base/xml.h
    LIBRARIES PkgConfig::JANSSON)

gfab_layer(topology
    SOURCES core/topology/topology.c core/topology/topology_grid.c core/topology/topology_graph.c
            core/topology/topology_list.c core/topology/topology_suffix.c core/topology/topology_marks.c
            core/topology/topology_names.c
            core/topology/families/topology_family.c core/topology/dot/graph_names.c core/topology/dot/graph_attributes.c
            core/topology/dot/graph_text.c core/topology/dot/dot.c core/topology/topology_parse.c
            core/topology/symmetry.c core/topology/symmetry_nodes.c core/topology/edge_colouring.c
            core/topology/isomorphism.c core/topology/recognise.c core/topology/families/topology_network.c
            core/topology/families/topology_cluster.c ${CMAKE_CURRENT_BINARY_DIR}/machine_texts.c
    HEADERS include/gossipfab/topology/topology.h include/gossipfab/topology/recognise.h
            core/topology/families/machine_texts.h core/topology/families/topology_network.h
            core/topology/families/topology_cluster.h
            core/topology/edge_colouring.h core/topology/isomorphism.h
            core/topology/topology_internal.h core/topology/dot/graph_text.h core/topology/symmetry.h
            core/topology/translate.h
    USES base
    LIBRARIES PkgConfig::JANSSON gfab_absent)

# Greatest flows, least cuts, heaviest matchings and small games, on plain arrays.
gfab_layer(flow
    SOURCES core/flow/flow.c core/flow/game.c core/flow/lemon_matching.cc
    HEADERS core/flow/flow.h core/flow/game.h core/flow/lemon_matching.h
    USES base
    LIBRARIES lemon::lemon m)

gfab_layer(model
    SOURCES core/schedule/model.c core/schedule/cost.c
    HEADERS include/gossipfab/schedule/model.h include/gossipfab/schedule/cost.h
    USES base)

gfab_layer(goal
    SOURCES core/schedule/goal.c
    HEADERS include/gossipfab/schedule/goal.h
    USES topology)

# What proves that a rate is the best: counted again by what knows nothing of how it was found.
gfab_layer(certificate
    SOURCES core/rate/certificate.c core/rate/certificate_parts.c core/rate/certificate_ports.c
            core/rate/certificate_text.c
    HEADERS include/gossipfab/schedule/certificate.h core/rate/certificate_ports.h
    USES model goal)

# The best rates that a graph allows.
gfab_layer(rate
    SOURCES core/rate/port_rate.c core/rate/rate.c core/rate/strength.c
    HEADERS include/gossipfab/schedule/rate.h core/rate/port_rate.h core/rate/strength.h
    USES flow certificate)

gfab_layer(schedule
    SOURCES core/schedule/expression.c core/schedule/schedule.c core/schedule/schedule_packets.c
            core/schedule/schedule_split.c core/schedule/schedule_period.c core/schedule/merged.c
            core/schedule/text/schedule_formats.c
            core/schedule/text/schedule_read.c core/schedule/text/schedule_read_csv.c
            core/schedule/text/schedule_reader.c core/schedule/text/schedule_write.c core/schedule/bound/bound.c
            core/schedule/bound/bound_broadcast.c core/schedule/bound/bound_cost.c core/schedule/bound/bound_goal.c
            core/schedule/bound/bound_load.c core/schedule/bound/bound_marked.c core/schedule/bound/bound_ports.c
            core/schedule/bound/bound_pipeline.c core/schedule/bound/bound_rate.c
            core/schedule/bound/bound_sets.c core/schedule/bound/bound_spread.c core/schedule/bound/bound_startups.c
            core/schedule/bound/bound_tree.c
    HEADERS include/gossipfab/schedule/expression.h include/gossipfab/schedule/schedule.h
            include/gossipfab/schedule/bound.h core/schedule/bound/bound_internal.h
            core/schedule/schedule_internal.h core/schedule/merged.h
            include/gossipfab/formats/format.h core/schedule/text/format_rows.h
            core/schedule/text/schedule_reader.h core/schedule/text/schedule_text.h
    USES rate
    LIBRARIES gfab_absent)

# The checker knows nothing of what makes schedules.
gfab_layer(verify
    SOURCES core/schedule/fault.c core/schedule/verify.c core/schedule/verify_contributions.c
            core/schedule/verify_period.c core/schedule/verify_translates.c
    HEADERS include/gossipfab/schedule/verify.h core/schedule/verify_internal.h
    USES schedule)

# The checker of proofs knows nothing of what finds them.
gfab_layer(refute
    SOURCES core/refute/cubes.c core/refute/formula.c core/refute/propagator.c core/refute/words.c
    HEADERS include/gossipfab/schedule/refute.h core/refute/propagator.h core/refute/words.h
    USES base)

gfab_layer(prove
    SOURCES core/prove/prove.c core/prove/prove_goal.c core/prove/cnf.c core/prove/split.c core/prove/cadical_guard.cc
    HEADERS include/gossipfab/schedule/prove.h core/prove/cnf.h core/prove/cadical_guard.h
    USES schedule refute
    LIBRARIES cadical::cadical)

gfab_layer(op
    SOURCES core/fabric/op.c
    HEADERS include/gossipfab/fabric/op.h
    USES base)

# What a fabric can be, and what does not go together.
gfab_layer(features
    SOURCES core/fabric/features.c
    HEADERS include/gossipfab/fabric/features.h
    USES base)

# Which ways a wide node's crossbar has, by the directions of its ports: geometry of the topology alone.
gfab_layer(crossbar
    SOURCES core/fabric/crossbar.c
    HEADERS include/gossipfab/fabric/crossbar.h
    USES topology)

gfab_layer(layout
    SOURCES core/fabric/layout.c core/fabric/layout_places.c
    HEADERS include/gossipfab/fabric/layout.h core/fabric/layout_internal.h
    USES features goal op topology)

gfab_layer(timing
    SOURCES core/fabric/timing.c
    HEADERS include/gossipfab/fabric/timing.h
    USES layout)

gfab_layer(image
    SOURCES core/fabric/image.c core/fabric/checks/image_check.c core/fabric/checks/image_paths.c core/fabric/checks/image_places.c
            core/fabric/checks/image_loop.c
            core/fabric/image_flows.c core/fabric/image_sharing.c core/fabric/image_text.c
    HEADERS include/gossipfab/fabric/flows.h include/gossipfab/fabric/image.h core/fabric/image_internal.h
    USES op timing)

gfab_layer(banks
    SOURCES core/banks/banks.c core/banks/banks_assign.c core/banks/banks_blocks.c core/banks/banks_colour.c
            core/banks/banks_check.c core/banks/banks_text.c
    HEADERS include/gossipfab/fabric/banks.h core/banks/banks_internal.h
    USES goal crossbar image)

gfab_layer(program
    SOURCES core/fabric/program.c core/fabric/program_image.c core/fabric/program_slots.c
            core/fabric/program_schedule.c core/fabric/program_loop.c
    HEADERS include/gossipfab/fabric/program.h core/fabric/program_internal.h
    USES schedule image)

# A fabric with its programs: what the C model and the generator need.
gfab_layer(machine
    SOURCES core/fabric/machine.c core/fabric/machine_read.c
    HEADERS include/gossipfab/fabric/machine.h core/fabric/machine_internal.h
    USES banks)

# The corridor from a schedule to a machine.
gfab_layer(compile
    SOURCES core/fabric/compile.c
    HEADERS include/gossipfab/fabric/compile.h
    USES program machine)

# Other programs for the same hardware.
gfab_layer(reroute
    SOURCES core/fabric/reroute.c
    HEADERS include/gossipfab/fabric/reroute.h
    USES program machine verify)

# Hamiltonian cycles that share no arc: of a graph alone, so that whatever is wired along them may use them.
gfab_layer(rings
    SOURCES core/solvers/rings/ring_check.c core/solvers/rings/ring_factors.c core/solvers/rings/ring_families.c
            core/solvers/rings/ring_products.c core/solvers/rings/ring_search.c core/solvers/rings/ring_switches.c
            core/solvers/rings/rings_find.c
    HEADERS include/gossipfab/topology/rings.h core/solvers/rings/rings_internal.h
    USES topology)

# What all solvers share.
gfab_layer(solver
    SOURCES core/solvers/solver.c core/solvers/parameters.c core/solvers/parallel.c core/solvers/grid.c
            core/solvers/place/fifo.c core/solvers/place/ready.c core/solvers/grid_settings.c core/solvers/renumbered.c
    HEADERS include/gossipfab/solvers/solver.h core/solvers/solvers.h core/solvers/parallel.h core/solvers/grid.h
            core/solvers/grid_settings.h core/solvers/parameters.h core/solvers/place/fifo.h core/solvers/place/ready.h
    USES schedule
    LIBRARIES Threads::Threads)

gfab_layer(all_port
    SOURCES core/solvers/all_port/comb.c core/solvers/all_port/comb_plan.c
            core/solvers/all_port/fujita_yamashita.c core/solvers/all_port/lau_zhang.c
            core/solvers/all_port/lau_zhang_line.c core/solvers/all_port/lau_zhang_torus.c
            core/solvers/all_port/relative_bank.c core/solvers/all_port/relative_tree.c
            core/solvers/all_port/torus_bank.c core/solvers/all_port/torus_tree.c
    HEADERS core/solvers/all_port/comb.h core/solvers/all_port/comb_plan.h core/solvers/all_port/lau_zhang.h
            core/solvers/all_port/relative_tree.h core/solvers/all_port/torus_tree.h
    USES solver crossbar)

gfab_layer(search
    SOURCES core/solvers/search/greedy.c core/solvers/search/search.c core/solvers/search/search_greedy.c
            core/solvers/search/search_repair.c core/solvers/search/symmetric.c
    HEADERS core/solvers/search/search_state.h
    USES solver prove)

gfab_layer(startup
    SOURCES core/solvers/startup/baselines.c core/solvers/startup/circgo.c core/solvers/startup/circgo_messages.c
            core/solvers/startup/circgo_plan.c core/solvers/startup/circgo_search.c core/solvers/startup/cubgo.c
            core/solvers/startup/cubgo_messages.c core/solvers/startup/cubgo_plan.c core/solvers/startup/highdimgo.c
    HEADERS core/solvers/startup/circgo_plan.h core/solvers/startup/circgo_shape.h
            core/solvers/startup/cubgo_plan.h core/solvers/startup/diagonal.h core/solvers/startup/highdimgo.h
    USES solver)

# Sets of matchings, and short sequences of them.
gfab_layer(matchings
    SOURCES core/solvers/telephone/colouring/colouring_search.c core/solvers/telephone/colouring/colouring_symmetry.c
            core/solvers/telephone/colouring/matchings.c core/solvers/telephone/colouring/matchings_create.c
            core/solvers/telephone/colouring/matchings_natural.c
            core/solvers/telephone/colouring/sequence.c
    HEADERS include/gossipfab/telephone/colouring.h include/gossipfab/telephone/matchings.h
            core/solvers/telephone/colouring/colouring_internal.h core/solvers/telephone/colouring/matchings_internal.h
    USES topology)

gfab_layer(telephone
    SOURCES core/solvers/telephone/anneal.c core/solvers/telephone/broadcast.c
            core/solvers/telephone/broadcast_survey.c core/solvers/telephone/exchange.c
            core/solvers/telephone/exhaustive.c
            core/solvers/telephone/record.c core/solvers/telephone/record_solver.c core/solvers/telephone/sat.c
            core/solvers/telephone/telephone.c core/solvers/telephone/colouring/colouring.c
            core/solvers/telephone/matching/matching.c core/solvers/telephone/matching/matching_graph.c
            core/solvers/telephone/matching/matching_kernel.c
            core/solvers/telephone/matching/matching_memory.c core/solvers/telephone/matching/matching_run.c
            core/solvers/telephone/matching/matching_weights.c core/solvers/telephone/mesh/mesh_line.c
            core/solvers/telephone/mesh/mesh_telephone.c core/solvers/telephone/mesh/odd_mesh.c
            core/solvers/telephone/mesh/strip.c
            ${CMAKE_CURRENT_BINARY_DIR}/record_texts.c
    HEADERS include/gossipfab/telephone/record.h core/solvers/telephone/exchange.h
            core/solvers/telephone/exhaustive.h
            core/solvers/telephone/record_texts.h core/solvers/telephone/telephone.h
            core/solvers/telephone/matching/matching_state.h core/solvers/telephone/matching/matching_kernel.h
            core/solvers/telephone/mesh/mesh_line.h core/solvers/telephone/mesh/odd_mesh.h core/solvers/telephone/mesh/strip.h
    USES solver flow matchings prove
    LIBRARIES cadical::cadical m)

# All solvers of gossip in a table, and what chooses among them.
gfab_layer(gossips
    SOURCES core/solvers/auto_gossip.c core/solvers/candidates.c
    HEADERS core/solvers/candidates.h
    USES all_port search startup telephone)

# Solvers of the other collectives, which may take a gossip to start from.
gfab_layer(collective
    SOURCES core/solvers/collective/axes.c core/solvers/collective/calls.c core/solvers/collective/collectives.c core/solvers/collective/flood.c
            core/solvers/collective/gossip_trees.c
            core/solvers/collective/arborescences/arborescence_anneal.c
            core/solvers/collective/arborescences/arborescence_grow.c
            core/solvers/collective/arborescences/arborescence_mesh.c
            core/solvers/collective/arborescences/arborescence_packing.c
            core/solvers/collective/arborescences/arborescences.c
            core/solvers/collective/bracket/bracket_moves.c core/solvers/collective/bracket/bracket_solver.c
            core/solvers/collective/bracket/bracket_steps.c core/solvers/collective/bracket/bracket_terms.c
            core/solvers/collective/library/library.c core/solvers/collective/library/library_algorithms.c
            core/solvers/collective/library/library_embed.c core/solvers/collective/library/library_groups.c
            core/solvers/collective/library/library_levels.c core/solvers/collective/library/library_pipelined.c
            core/solvers/collective/library/library_rarest.c
            core/solvers/collective/library/library_plan.c core/solvers/collective/library/library_whole.c
            core/solvers/collective/onetree/one_tree.c core/solvers/collective/onetree/port_tree.c
            core/solvers/collective/onetree/port_tree_grow.c
            core/solvers/collective/outtrees/in_out_trees.c core/solvers/collective/outtrees/out_balance.c
            core/solvers/collective/outtrees/out_grow.c core/solvers/collective/outtrees/out_members.c
            core/solvers/collective/outtrees/out_rounds.c
            core/solvers/collective/outtrees/out_share.c core/solvers/collective/outtrees/out_split.c
            core/solvers/collective/outtrees/out_tail.c core/solvers/collective/outtrees/out_trees.c
            core/solvers/collective/outtrees/out_trim.c core/solvers/collective/outtrees/out_turns.c
            core/solvers/collective/outtrees/out_pair.c core/solvers/collective/outtrees/out_unfold.c
            core/solvers/collective/packing/flatten.c core/solvers/collective/packing/forest.c
            core/solvers/collective/packing/images.c
            core/solvers/collective/packing/packing.c core/solvers/collective/packing/pipeline.c
            core/solvers/collective/packing/pipeline_anneal.c core/solvers/collective/packing/pipeline_emit.c
            core/solvers/collective/group_moves.c core/solvers/collective/host_tree.c
            core/solvers/collective/host_trees.c core/solvers/collective/steiner/in_network.c
            core/solvers/collective/joined.c
            core/solvers/rings/rings.c core/solvers/one_port/beam.c core/solvers/one_port/beam_matching.c
            core/solvers/one_port/beam_step.c
            core/solvers/one_port/exchanges.c core/solvers/one_port/turns.c
            core/solvers/one_port/turns_list.c core/solvers/one_port/turns_ways.c core/solvers/one_port/waves.c
            core/solvers/collective/repeated.c core/solvers/collective/reversed.c core/solvers/collective/routes/routes.c
            core/solvers/collective/routes/routes_graph.c core/solvers/collective/routes/routes_list.c
            core/solvers/collective/steiner/steiner.c core/solvers/collective/steiner/steiner_plan.c
            core/solvers/collective/routes/routes_axes.c core/solvers/collective/routes/routes_halves.c core/solvers/collective/routes/routes_torus.c
            core/solvers/collective/trees/trees.c core/solvers/collective/trees/trees_plan.c
            core/solvers/collective/trees/trees_repair.c core/solvers/collective/trees/trees_repeat.c
            core/solvers/collective/trees/trees_sites.c
    HEADERS core/solvers/collective/arborescences/arborescence_packing.h
            core/solvers/collective/library/library_plan.h
            core/solvers/collective/onetree/port_tree.h
            core/solvers/collective/outtrees/out_members.h core/solvers/collective/outtrees/out_trees.h
            core/solvers/collective/packing/forest.h core/solvers/collective/packing/images.h
            core/solvers/collective/packing/pipeline.h
            core/solvers/one_port/beam.h core/solvers/one_port/turns.h core/solvers/collective/collectives.h core/solvers/collective/gossip_trees.h
            core/solvers/collective/group_moves.h core/solvers/collective/host_trees.h
            core/solvers/collective/bracket/bracket.h
            core/solvers/collective/routes/routes.h core/solvers/collective/steiner/steiner_plan.h
            core/solvers/collective/trees/trees_plan.h
    USES gossips flow rings)

# The table of all solvers, and auto, which chooses for any collective.
gfab_layer(registry
    SOURCES core/solvers/registry.c core/solvers/auto/auto.c core/solvers/auto/auto_best.c core/solvers/auto/halves.c
            core/solvers/auto/part.c core/solvers/auto/past.c
    HEADERS core/solvers/auto/auto_best.h core/solvers/auto/halves.h core/solvers/auto/part.h core/solvers/auto/past.h
    USES collective verify)

# Above the solvers: another schedule where something has died or become slow.
gfab_layer(replan
    SOURCES core/solvers/collective/replan/replan.c core/solvers/collective/replan/replan_forest.c
            core/solvers/collective/replan/replan_halves.c core/solvers/collective/replan/replan_stay.c
            core/solvers/collective/replan/replan_trees.c
    HEADERS include/gossipfab/solvers/replan.h core/solvers/collective/replan/replan_plan.h
    USES registry verify)

# What a ring fabric is wired as: rings, numbers, no program.
gfab_layer(ring
    SOURCES core/ring/ring_plan.c
    HEADERS include/gossipfab/fabric/ring.h
    USES features goal op rings)

# The model learns everything from the ROM images, as the hardware does: nothing of schedules, programs or solvers.
gfab_layer(cmodel
    SOURCES cmodel/cmodel.c cmodel/cmodel_float.c cmodel/cmodel_bits.c cmodel/cmodel_node.c cmodel/cmodel_combine.c cmodel/cmodel_paths.c cmodel/cmodel_token.c
            cmodel/cmodel_stream.c cmodel/cmodel_stream_limit.c cmodel/cmodel_stream_words.c
            cmodel/cmodel_words.c
            cmodel/cmodel_wide.c cmodel/cmodel_ring.c cmodel/cmodel_ring_reduce.c
    HEADERS include/gossipfab/cmodel/cmodel.h include/gossipfab/cmodel/ring_model.h cmodel/cmodel_state.h cmodel/cmodel_stream.h
            cmodel/cmodel_words.h
    USES machine ring)

gfab_layer(gen
    SOURCES gen/board.c gen/board_file.c gen/chips/chips.c gen/choices.c gen/chips/clocks.c gen/chips/top.c gen/fabric.c gen/family.c gen/fields.c
            gen/files.c gen/folder.c gen/manifest.c gen/names.c gen/numbers.c gen/ports.c gen/registers.c
            gen/ring.c gen/roms.c gen/streams.c gen/template.c gen/texts.c gen/vhdl.c gen/words.c
            ${CMAKE_CURRENT_BINARY_DIR}/boards.c ${CMAKE_CURRENT_BINARY_DIR}/embedded.c
    HEADERS include/gossipfab/gen/board.h include/gossipfab/gen/fabric.h include/gossipfab/gen/registers.h
            include/gossipfab/gen/ring_fabric.h
            gen/family.h gen/gen.h
    USES machine ring
    LIBRARIES PkgConfig::JANSSON)
