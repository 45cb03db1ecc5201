// SPDX-License-Identifier: MIT
// What does not exist has an answer that the headers say: nodes beyond the last, values of no name, NULL.
#include "fixture.h"

namespace
{

// A fabric that is solved and compiled, and the C model that plays it.
struct Fabric {
    Fabric(const char *spec, gfab_collective collective) : topology(parse(spec))
    {
        const gfab_machine_options options = gfab_machine_options_default();
        const gfab_model model = gfab_model_default();
        gfab_solver_options search = gfab_solver_options_default();
        gfab_schedule *made = nullptr;
        gfab_plan plan{};
        gfab_machine *compiled = nullptr;
        gfab_cmodel *created = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_goal_of(collective, gfab_topology_node_count(topology.get()), &goal, &diag), GFAB_OK);
        if (collective != GFAB_ALL_GATHER)
            search.goal = &goal;
        EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &model, &search, &made, &diag), GFAB_OK)
            << diag.message;
        schedule.reset(made);
        EXPECT_EQ(gfab_machine_plan_schedule(made, &options, &plan, &diag), GFAB_OK) << diag.message;
        EXPECT_EQ(gfab_machine_compile(&plan, made, &compiled, &diag), GFAB_OK) << diag.message;
        machine.reset(compiled);
        EXPECT_EQ(gfab_cmodel_create(compiled, nullptr, &created), GFAB_OK);
        cmodel.reset(created);
    }
    Topology topology; // which the others borrow
    gfab_goal goal{};
    Schedule schedule;
    Machine machine;
    Cmodel cmodel;
};

const size_t absent[] = {3, size_t{1} << 20, SIZE_MAX};

} // namespace

TEST(Absent, NodesAreNotLoaded)
{
    const Fabric gather("path:3", GFAB_ALL_GATHER), reduce("path:3", GFAB_ALL_REDUCE);
    const uint8_t token[4] = {0xfe};
    EXPECT_EQ(gfab_cmodel_load_token(gather.cmodel.get(), 2, token), GFAB_OK);
    EXPECT_EQ(gfab_cmodel_load_block(reduce.cmodel.get(), 2, 2, token), GFAB_OK);
    EXPECT_EQ(gfab_cmodel_load_block(reduce.cmodel.get(), 2, 3, token), GFAB_ERR_INVALID);
    for (const size_t node : absent) {
        EXPECT_EQ(gfab_cmodel_load_token(gather.cmodel.get(), node, token), GFAB_ERR_INVALID);
        EXPECT_EQ(gfab_cmodel_load_block(reduce.cmodel.get(), node, 0, token), GFAB_ERR_INVALID);
    }
}

TEST(Absent, ExpressionsHaveNoResultThere)
{
    const Fabric reduce("path:3", GFAB_ALL_REDUCE);
    gfab_expression *e = nullptr;
    ASSERT_EQ(gfab_expression_create(reduce.schedule.get(), 0, &e, nullptr), GFAB_OK);
    const Owner<gfab_expression, gfab_expression_destroy> owner(e);
    uint32_t left = 7, right = 7;
    EXPECT_LT(gfab_expression_result(e, 2), 5u);
    ASSERT_EQ(gfab_expression_term_count(e), 5u);
    EXPECT_TRUE(gfab_expression_term(e, 4, &left, &right));
    for (const uint32_t term : {uint32_t{5}, GFAB_NO_TERM}) {
        EXPECT_FALSE(gfab_expression_term(e, term, &left, &right));
        EXPECT_EQ(gfab_expression_write(e, term, stdout), GFAB_ERR_INVALID);
    }
    for (const uint32_t node : {3u, 1u << 20, UINT32_MAX})
        EXPECT_EQ(gfab_expression_result(e, node), GFAB_NO_TERM);
}

TEST(Absent, GoalsOfNoCollectiveOrNodesAreRefused)
{
    gfab_diag diag{};
    for (const int number : {GFAB_COLLECTIVES, 77, -1}) {
        const gfab_goal goal = {static_cast<gfab_collective>(number), 4, 0, false};
        EXPECT_EQ(gfab_goal_check(&goal, 4, &diag), GFAB_ERR_INVALID);
        EXPECT_NE(std::string(diag.message).find("; they are 0 to 6"), std::string::npos) << diag.message;
    }
    for (int c = GFAB_ALL_GATHER; c <= GFAB_ALL_TO_ALL; c++) {
        const gfab_goal goal = {static_cast<gfab_collective>(c), 1, 0, false};
        EXPECT_EQ(gfab_goal_check(&goal, 0, &diag), GFAB_ERR_INVALID);
        EXPECT_NE(std::string(diag.message).find("on 0 nodes"), std::string::npos) << diag.message;
    }
}

TEST(Absent, NothingIsWrittenNowhere)
{
    const Fabric gather("path:3", GFAB_ALL_GATHER);
    const gfab_fabric_options nowhere{};
    gfab_fabric_options somewhere{};
    somewhere.directory = "never-made";
    gfab_diag diag{};
    EXPECT_EQ(gfab_fabric_write(nullptr, &somewhere, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_fabric_write(gather.machine.get(), nullptr, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_fabric_write(gather.machine.get(), &nowhere, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "a fabric is written of a machine, with options that say where");
}

TEST(Absent, ValuesHaveNoName)
{
    EXPECT_STREQ(gfab_operator_name(GFAB_OPERATOR_USER), "user");
    for (const int value : {GFAB_OPERATOR_LAST + 1, 99, -1}) {
        EXPECT_STREQ(gfab_operator_name(static_cast<gfab_operator>(value)), "unknown");
        EXPECT_STREQ(gfab_op_kind_name(static_cast<gfab_op_kind>(value)), "unknown");
        EXPECT_STREQ(gfab_collective_name(static_cast<gfab_collective>(value)), "unknown");
        EXPECT_STREQ(gfab_collective_summary(static_cast<gfab_collective>(value)), "unknown");
        EXPECT_STREQ(gfab_frame_name(static_cast<gfab_frame>(value)), "unknown");
        EXPECT_STREQ(gfab_protect_name(static_cast<gfab_protect>(value)), "unknown");
        EXPECT_STREQ(gfab_crossbar_name(static_cast<gfab_crossbar_kind>(value)), "unknown");
        EXPECT_STREQ(gfab_store_name(static_cast<gfab_store>(value)), "unknown");
        EXPECT_STREQ(gfab_bus_name(static_cast<gfab_bus>(value)), "unknown");
    }
}
