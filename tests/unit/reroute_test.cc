// SPDX-License-Identifier: MIT
// Other programs for a fabric with dead links and nodes: what they do, what they keep, what is refused.
#include "fixture.h"

#include <string>
#include <vector>

namespace
{

struct Survivors : gfab_survivors {
    Survivors(const Topology &whole, const char *drops)
    {
        gfab_diag diag{};
        EXPECT_EQ(gfab_survivors_create(whole.get(), drops, this, &diag), GFAB_OK) << diag.message;
    }
    Survivors(const Survivors &) = delete;
    Survivors &operator=(const Survivors &) = delete;
    ~Survivors() { gfab_survivors_release(this); }
};

struct Hardware {
    gfab_link_mode link_mode = GFAB_LINK_HALF;
    uint32_t token_bits = 32, link_bits = 2, latency_cycles = 0;
    gfab_frame frame = GFAB_FRAME_ABSOLUTE;
    uint32_t rom_rounds = 64, relay_slots = 0;
    const char *solver = "greedy", *parameters = nullptr;
    bool circuit = false;
};

// A fabric, as generate makes it.
struct Fabric {
    Topology topology;
    gfab_plan plan{};
    Schedule schedule;
    Machine machine;

    Fabric(const char *spec, const Hardware &hardware) : topology(parse(spec))
    {
        gfab_diag diag{};
        gfab_model model = gfab_model_default();
        model.link_mode = hardware.link_mode;
        model.hop_rounds = 0;
        if (hardware.circuit) {
            model.routing = GFAB_ROUTING_CIRCUIT;
            model.packet_tokens = 100;
        }
        gfab_machine_options options = gfab_machine_options_default();
        options.token_bits = hardware.token_bits;
        options.link_bits = hardware.link_bits;
        options.latency_cycles = hardware.latency_cycles;
        options.frame = hardware.frame;
        options.rom_rounds = hardware.rom_rounds;
        options.relay_slots = hardware.relay_slots;
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        gfab_solver_options solver = gfab_solver_options_default();
        solver.parameters = hardware.parameters;
        gfab_schedule *solved = nullptr;
        EXPECT_EQ(gfab_solver_find(hardware.solver)->solve(topology.get(), &plan.model, &solver, &solved, &diag),
                  GFAB_OK)
            << diag.message;
        schedule.reset(solved);
        gfab_machine *compiled = nullptr;
        EXPECT_EQ(gfab_machine_compile(&plan, solved, &compiled, &diag), GFAB_OK) << diag.message;
        machine.reset(compiled);
    }

    // What a solver makes for the survivors, as the fabric's links are.
    Schedule solve(const Survivors &survivors) const
    {
        gfab_model model = gfab_model_default();
        model.link_mode = plan.model.link_mode;
        model.hop_rounds = gfab_machine_timing(machine.get())->hop_rounds;
        gfab_schedule *solved = nullptr;
        gfab_diag diag{};
        const gfab_solver_options options = gfab_solver_options_default();
        const char *name = gfab_topology_has_relays(survivors.topology) ? "steiner" : "greedy";
        EXPECT_EQ(gfab_solver_find(name)->solve(survivors.topology, &model, &options, &solved, &diag), GFAB_OK)
            << diag.message;
        return Schedule(solved);
    }

    gfab_status reroute(const Survivors &survivors, Machine *rerouted, gfab_diag *diag) const
    {
        gfab_machine *made = nullptr;
        const Schedule around = solve(survivors);
        const gfab_status status =
            gfab_machine_reroute(machine.get(), &survivors, around.get(), 0, nullptr, &made, diag);
        rerouted->reset(made);
        return status;
    }
};

// Plays a gossip on the C model: has every survivor the tokens of all in the end?
bool survivors_gossip(const gfab_machine *machine, const Survivors &survivors)
{
    gfab_cmodel *made = nullptr;
    EXPECT_EQ(gfab_cmodel_create(machine, nullptr, &made), GFAB_OK);
    const Cmodel cmodel(made);
    const uint32_t bits = gfab_machine_timing(machine)->token_bits;
    std::vector<uint8_t> token((bits + 7) / 8), held(token.size());
    for (uint32_t node = 0; node < gfab_topology_node_count(gfab_machine_topology(machine)); node++) {
        gfab_token_pattern(7, node, bits, token.data());
        EXPECT_EQ(gfab_cmodel_load_token(made, node, token.data()), GFAB_OK);
    }
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(made, 1000000, nullptr, &cycles), GFAB_OK);
    EXPECT_EQ(cycles, gfab_machine_cycles(machine));
    const size_t left = gfab_topology_node_count(survivors.topology);
    for (size_t origin = 0; origin < left; origin++) {
        gfab_token_pattern(7, survivors.node[origin], bits, token.data());
        for (size_t node = 0; node < left; node++) {
            gfab_cmodel_read_token(made, survivors.node[node], survivors.node[origin], held.data());
            if (held != token)
                return false;
        }
    }
    return true;
}

void expect_same_hardware(const gfab_machine *a, const gfab_machine *b)
{
    const gfab_timing *s = gfab_machine_timing(a), *t = gfab_machine_timing(b);
    const gfab_image *i = gfab_machine_image(a), *j = gfab_machine_image(b);
    EXPECT_EQ(gfab_machine_layout(a), gfab_machine_layout(b));
    EXPECT_EQ(s->cycles_per_round, t->cycles_per_round);
    EXPECT_EQ(s->overhead_cycles, t->overhead_cycles);
    EXPECT_EQ(gfab_machine_round_bits(a), gfab_machine_round_bits(b));
    EXPECT_EQ(gfab_machine_rom_bits(a), gfab_machine_rom_bits(b));
    EXPECT_EQ(gfab_image_gap_bits(i), gfab_image_gap_bits(j));
    EXPECT_EQ(gfab_image_path_bits(i), gfab_image_path_bits(j));
    EXPECT_EQ(gfab_machine_sharing(b)->roms, gfab_topology_node_count(gfab_machine_topology(b)));
}

std::string refusal(const Fabric &fabric, const char *drops, gfab_status expected)
{
    const Survivors survivors(fabric.topology, drops);
    Machine rerouted;
    gfab_diag diag{};
    EXPECT_EQ(fabric.reroute(survivors, &rerouted, &diag), expected) << diag.message;
    EXPECT_EQ(rerouted, nullptr);
    return diag.message;
}

struct Row {
    const char *name, *spec, *drops;
    Hardware hardware;
};

} // namespace

class Reroute : public testing::TestWithParam<Row>
{
};

TEST_P(Reroute, SurvivorsGossipOnTheSameHardware)
{
    const Row &row = GetParam();
    const Fabric fabric(row.spec, row.hardware);
    const Survivors survivors(fabric.topology, row.drops);
    Machine rerouted;
    gfab_diag diag{};
    ASSERT_EQ(fabric.reroute(survivors, &rerouted, &diag), GFAB_OK) << diag.message;
    expect_same_hardware(fabric.machine.get(), rerouted.get());
    EXPECT_TRUE(survivors_gossip(rerouted.get(), survivors));
    // The programs from before use what is dead, and are refused for it.
    EXPECT_EQ(gfab_machine_check_rerouted(fabric.machine.get(), &survivors, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(diag.message).find("which is dead"), std::string::npos) << diag.message;
}

INSTANTIATE_TEST_SUITE_P(
    All, Reroute,
    testing::Values(Row{"Link", "mesh:4x4", "+drop-link=5-6", {}},
                    Row{"LinkAtACorner", "mesh:4x4", "+drop-link=1-0", {}},
                    Row{"TwoLinks", "torus:4x4", "+drop-link=0-1+drop-link=0-12", {}},
                    Row{"Node", "mesh:4x4", "+drop-node=5", {}},
                    Row{"NodesAndLink", "mesh:5x5", "+drop-node=0+drop-link=11-12+drop-node=24", {}},
                    Row{"NumbersBeforeAnyDrop", "mesh:4x4+drop-node=2", "+drop-node=10+drop-link=4-5", {}},
                    Row{"SkewedLink", "cycle:5", "+drop-link=0-4", {.token_bits = 16}},
                    Row{"FullDuplex", "torus:3x3", "+drop-link=0-2", {.link_mode = GFAB_LINK_FULL}},
                    Row{"Latency", "mesh:3x4", "+drop-node=7", {.latency_cycles = 3}},
                    Row{"OtherGraph", "graph:5:0-1,0-2,1-2,1-3,2-4,3-4", "+drop-node=0", {}},
                    Row{"Paths",
                        "cycle:9",
                        "+drop-link=3-4",
                        {.link_mode = GFAB_LINK_FULL, .solver = "circgo", .parameters = "parts=1", .circuit = true}},
                    Row{"Parts",
                        "cycle:9",
                        "+drop-link=3-4",
                        {.link_mode = GFAB_LINK_FULL, .solver = "circgo", .parameters = "parts=2", .circuit = true}}),
    [](const testing::TestParamInfo<Row> &row) { return std::string(row.param.name); });

TEST(RerouteEach, LinkOfAMeshAlone)
{
    const Fabric fabric("mesh:3x4", {});
    for (size_t link = 0; link < gfab_topology_link_count(fabric.topology.get()); link++) {
        const gfab_link ends = gfab_topology_link(fabric.topology.get(), link);
        const std::string drops = "+drop-link=" + std::to_string(ends.node[0]) + "-" + std::to_string(ends.node[1]);
        const Survivors survivors(fabric.topology, drops.c_str());
        Machine rerouted;
        gfab_diag diag{};
        ASSERT_EQ(fabric.reroute(survivors, &rerouted, &diag), GFAB_OK) << drops << ": " << diag.message;
        EXPECT_TRUE(survivors_gossip(rerouted.get(), survivors)) << drops;
    }
}

TEST(RerouteCheck, RefusesProgramsThatMissATokenOrMoveADeadOne)
{
    const Fabric fabric("mesh:3x3", {});
    gfab_diag diag{};
    gfab_machine *made = nullptr;
    // Nothing moves at all.
    const Survivors no_link(fabric.topology, "+drop-link=0-1");
    gfab_schedule *nothing = nullptr;
    const gfab_model model = gfab_model_default();
    ASSERT_EQ(gfab_schedule_create(no_link.topology, &model, &nothing), GFAB_OK);
    const Schedule idle(nothing);
    EXPECT_EQ(gfab_machine_reroute(fabric.machine.get(), &no_link, nothing, 0, nullptr, &made, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(diag.message).find("lacks"), std::string::npos) << diag.message;
    // Its programs, read back as if a node had died that they serve.
    const Survivors no_node(fabric.topology, "+drop-node=4");
    Machine rerouted;
    ASSERT_EQ(fabric.reroute(no_link, &rerouted, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_machine_check_rerouted(rerouted.get(), &no_link, &diag), GFAB_OK);
    EXPECT_EQ(gfab_machine_check_rerouted(rerouted.get(), &no_node, &diag), GFAB_ERR_FAULT);
    EXPECT_EQ(made, nullptr);
}

// With relays all members go on; generated.reroute plays it. A relay has the slots that it was made with.
TEST(RerouteRelays, LinksAndRelaysMayDie)
{
    Hardware roomy;
    roomy.solver = "steiner";
    roomy.relay_slots = 8;
    const Fabric fabric("mesh:3x3+relay=4", roomy);
    for (const char *drops : {"+drop-link=0-3", "+drop-link=1-4", "+drop-link=0-1+drop-link=5-8", "+drop-node=4"}) {
        const Survivors survivors(fabric.topology, drops);
        Machine rerouted;
        gfab_diag diag{};
        ASSERT_EQ(fabric.reroute(survivors, &rerouted, &diag), GFAB_OK) << drops << ": " << diag.message;
        expect_same_hardware(fabric.machine.get(), rerouted.get());
        EXPECT_EQ(gfab_machine_check(rerouted.get(), &diag), GFAB_OK) << drops << ": " << diag.message;
        EXPECT_EQ(gfab_machine_check_rerouted(fabric.machine.get(), &survivors, &diag), GFAB_ERR_FAULT) << drops;
        EXPECT_NE(std::string(diag.message).find("which is dead"), std::string::npos) << diag.message;
    }
    EXPECT_EQ(refusal(fabric, "+drop-node=0", GFAB_ERR_INVALID),
              "a collective's members must live, 7 of 8 do; drop links and relays alone");
    roomy.relay_slots = 0;
    const std::string few = refusal(Fabric("mesh:3x3+relay=4", roomy), "+drop-link=0-3", GFAB_ERR_LIMIT);
    EXPECT_NE(few.find("generate it with --relay-slots"), std::string::npos) << few;
}

// A reduce of one block to node 0 of a star, its leaves in so many rounds of as many leaves each; 3-4 is the link that
// may die, and is not used.
Schedule to_the_middle(const Topology &topology, size_t at_once)
{
    gfab_model model = gfab_model_default();
    const gfab_goal goal = {GFAB_REDUCE, 1, 0, false};
    gfab_schedule *made = nullptr;
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    for (uint32_t leaf = 1; leaf <= 4; leaf++) {
        gfab_arc arc = 0;
        const uint32_t token = 0 | GFAB_COMBINE;
        EXPECT_TRUE(gfab_topology_find_arc(topology.get(), leaf, 0, &arc));
        EXPECT_EQ(
            gfab_schedule_append_packet(made, 1 + static_cast<uint32_t>((leaf - 1) / at_once), &arc, 1, &token, 1),
            GFAB_OK);
    }
    return Schedule(made);
}

// The chains of a fabric are as long as its own schedule needs them: another one may need less, and no more.
TEST(RerouteChains, AreAsLongAsTheyWere)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4,3-4");
    const Survivors left(star, "+drop-link=3-4");
    const Topology of_left = parse("graph:5:0-1,0-2,0-3,0-4,3-4+drop-link=3-4");
    gfab_diag diag{};
    gfab_model model = gfab_model_default();
    gfab_machine_options options = gfab_machine_options_default();
    options.link_bits = 32;
    options.combines = GFAB_OPERATOR_BFLOAT16;
    options.blocks = 1;
    options.rom_rounds = 16;
    options.frame = GFAB_FRAME_ABSOLUTE;
    gfab_plan plan{};
    ASSERT_EQ(gfab_machine_plan(star.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
    gfab_machine *made = nullptr;
    ASSERT_EQ(gfab_machine_compile(&plan, to_the_middle(star, 2).get(), &made, &diag), GFAB_OK) << diag.message;
    const Machine fabric(made);
    EXPECT_EQ(gfab_machine_timing(made)->merges, 2u);
    for (size_t at_once = 1; at_once <= 4; at_once++) {
        gfab_machine *around = nullptr;
        const gfab_status status = gfab_machine_reroute(fabric.get(), &left, to_the_middle(of_left, at_once).get(), 0,
                                                        nullptr, &around, &diag);
        const Machine rerouted(around);
        EXPECT_EQ(status, at_once <= 2 ? GFAB_OK : GFAB_ERR_FAULT) << at_once << ": " << diag.message;
        size_t messages = 0;
        if (status == GFAB_OK) {
            EXPECT_NE(gfab_machine_messages(around, 0, &messages), nullptr);
            EXPECT_EQ(messages, 4u);
        }
        if (at_once == 3) {
            EXPECT_NE(std::string(diag.message)
                          .find("node 0, round 1: a bank combines what 3 lanes receive, and its "
                                "chain is for 2"),
                      std::string::npos)
                << diag.message;
        }
    }
}

TEST(RerouteRefuses, WhatTheHardwareCannotDo)
{
    Hardware shared;
    shared.frame = GFAB_FRAME_ROTATED;
    shared.solver = "symmetric";
    EXPECT_EQ(refusal(Fabric("mesh:4x4", shared), "+drop-link=5-6", GFAB_ERR_UNSUPPORTED),
              "programs around what died: not with nodes that share programs, since nodes that share a ROM do the "
              "same; generate the fabric with --frame absolute");
    Hardware tight; // ROMs for the ring's rounds; a path needs more
    tight.rom_rounds = 0;
    const std::string many = refusal(Fabric("cycle:15", tight), "+drop-link=0-14", GFAB_ERR_LIMIT);
    EXPECT_NE(many.find(" rounds and the halt do not fit the fabric's ROMs, which hold 16; generate it with "
                        "--rom-rounds "),
              std::string::npos)
        << many;
    const Fabric mesh("mesh:3x3", {});
    gfab_survivors survivors{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_survivors_create(mesh.topology.get(), "", &survivors, &diag), GFAB_ERR_INVALID);
    /* Behind the topology's text each of these makes one of other nodes, with relays, or with weights. */
    for (const char *drops : {"2", "x2", "drop-link=0-1", "+relay=1", "+drop-node=0+members=1-3", "+weight=0-1:3"})
        EXPECT_EQ(gfab_survivors_create(mesh.topology.get(), drops, &survivors, &diag), GFAB_ERR_PARSE) << drops;
    EXPECT_EQ(gfab_survivors_create(mesh.topology.get(), "+drop-link=0-4", &survivors, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_survivors_create(mesh.topology.get(), "+drop-link=0-1+drop-link=0-3", &survivors, &diag),
              GFAB_ERR_INVALID);
    EXPECT_EQ(survivors.topology, nullptr);
    // A schedule of something else, and of tokens in parts.
    const Survivors left(mesh.topology, "+drop-link=0-1");
    gfab_machine *made = nullptr;
    EXPECT_EQ(gfab_machine_reroute(mesh.machine.get(), &left, mesh.schedule.get(), 0, nullptr, &made, &diag),
              GFAB_ERR_INVALID);
    gfab_schedule *halves = nullptr;
    const gfab_model model = gfab_model_default();
    ASSERT_EQ(gfab_schedule_create(left.topology, &model, &halves), GFAB_OK);
    const Schedule cut(halves);
    ASSERT_EQ(gfab_schedule_set_load(halves, nullptr, 2), GFAB_OK);
    EXPECT_EQ(gfab_machine_reroute(mesh.machine.get(), &left, halves, 0, nullptr, &made, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(made, nullptr);
}

TEST(Survivors, AreNumberedInOrder)
{
    const Topology whole = parse("mesh:2x3");
    const Survivors survivors(whole, "+drop-node=4");
    EXPECT_EQ(std::vector<uint32_t>(survivors.node, survivors.node + 5), (std::vector<uint32_t>{0, 1, 2, 3, 5}));
}
