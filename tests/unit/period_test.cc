// SPDX-License-Identifier: MIT
// Schedules kept as one group that repeats: they are what all their groups are, written out.
#include "extras.h"
#include "period_fixture.h"

namespace
{

// In the order of rounds; those of a round in any.
std::vector<std::vector<uint32_t>> sorted(const std::vector<Step> &steps)
{
    std::vector<std::vector<uint32_t>> rows;
    for (const Step &step : steps)
        rows.push_back({step.round, step.arc, step.token});
    std::sort(rows.begin(), rows.end());
    return rows;
}

TEST(Period, IsWhatAllGroupsAreWrittenOut)
{
    for (const PeriodCase &c : period_cases()) {
        const Topology on = parse(c.spec);
        const Group group = group_of(c, on);
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, 1), group);
        EXPECT_EQ(gfab_schedule_kept_count(kept.get()), group.steps.size());
        EXPECT_EQ(gfab_schedule_kept_rounds(kept.get()), group.steps.back().round);
        for (uint32_t length = 1; length <= 5 * c.share + 1; length++) {
            const gfab_goal goal = goal_of(c, on, length);
            ASSERT_EQ(gfab_schedule_set_blocks(kept.get(), goal.blocks), GFAB_OK) << c.spec;
            const std::vector<Step> all = written_out(group, goal, gfab_topology_member_count(on.get()));
            EXPECT_EQ(sorted(steps_of(kept)), sorted(all)) << c.spec << " " << length;
            EXPECT_EQ(gfab_schedule_rounds(kept.get()), all.back().round) << c.spec << " " << length;
            EXPECT_EQ(gfab_schedule_packet_count(kept.get()), all.size());
            EXPECT_EQ(gfab_schedule_move_count(kept.get()), all.size());
            EXPECT_EQ(gfab_schedule_token_count(kept.get()), goal.blocks);
            EXPECT_EQ(gfab_schedule_group_count(kept.get()), (length + c.share - 1) / c.share);
            EXPECT_TRUE(gfab_goal_equal(&goal, &static_cast<const gfab_goal &>(gfab_schedule_goal(kept.get()))));
            // The same where the number was there from the start.
            EXPECT_EQ(sorted(steps_of(repeating(on, model_of(c), goal, group))), sorted(all));
            const Schedule plain = unrolled(kept);
            EXPECT_EQ(sorted(steps_of(plain)), sorted(all));
            EXPECT_EQ(gfab_schedule_period(plain.get()), 0u);
            EXPECT_EQ(gfab_schedule_group(plain.get()), goal.blocks);
            EXPECT_EQ(gfab_schedule_kept_rounds(plain.get()), gfab_schedule_rounds(plain.get()));
            // Who has which token, too.
            for (uint32_t token = 0; !gfab_collective_combines(c.collective) && token < goal.blocks; token++)
                EXPECT_EQ(gfab_schedule_origin(kept.get(), token), gfab_schedule_origin(plain.get(), token));
        }
    }
}

TEST(Period, SaysOfKeptBlocksWhichTheyAre)
{
    const Topology on = parse("cycle:4");
    const gfab_goal gossip = goal_on(on, GFAB_ALL_GATHER, 20), reduce = goal_on(on, GFAB_ALL_REDUCE, 7);
    const Schedule shared = schedule_on(on), plain = schedule_on(on);
    ASSERT_EQ(gfab_schedule_set_goal(shared.get(), &gossip, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_schedule_set_period(shared.get(), 9, 8), GFAB_OK);
    EXPECT_EQ(gfab_schedule_group_count(shared.get()), 3u);
    EXPECT_EQ(gfab_schedule_block_in(shared.get(), 1, 3), 8u);         // node 1's second of the group is its fourth
    EXPECT_EQ(gfab_schedule_block_in(shared.get(), 2, 6), 19u);        // node 3's fifth and last
    EXPECT_EQ(gfab_schedule_block_in(shared.get(), 2, 7), UINT32_MAX); // there is no sixth
    EXPECT_EQ(gfab_schedule_block_in(shared.get(), 3, 0), UINT32_MAX);
    ASSERT_EQ(gfab_schedule_set_goal(plain.get(), &reduce, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_block_in(plain.get(), 0, 6), 6u);
    EXPECT_EQ(gfab_schedule_group_count(plain.get()), 1u);
    ASSERT_EQ(gfab_schedule_set_period(plain.get(), 1, 5), GFAB_OK);
    EXPECT_EQ(gfab_schedule_block_in(plain.get(), 1, 1), 6u);
    EXPECT_EQ(gfab_schedule_block_in(plain.get(), 1, 2), UINT32_MAX);
}

// Round 1000000 of a million blocks is had without the rounds before it, and two groups do not make it 2^31 rounds.
TEST(Period, PlaysManyGroupsAtOnce)
{
    const Topology on = parse("path:5");
    const Group group{1, 1, {{1, 0, 0}, {2, 2, 0}, {3, 4, 0}, {4, 6, 0}}};
    const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, 1), group);
    ASSERT_EQ(gfab_schedule_set_blocks(s.get(), 1000000), GFAB_OK);
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 1000003u);
    EXPECT_EQ(gfab_schedule_packet_count(s.get()), 4000000u);
    gfab_packet_iter at = gfab_schedule_round(s.get(), 1000000);
    std::vector<std::pair<gfab_arc, uint32_t>> seen;
    for (gfab_packet packet; gfab_packet_next(&at, &packet);)
        seen.emplace_back(packet.arcs[0], packet.tokens[0]);
    const std::vector<std::pair<gfab_arc, uint32_t>> expected = {{6, 999996}, {4, 999997}, {2, 999998}, {0, 999999}};
    EXPECT_EQ(seen, expected);
    for (const uint32_t round : {0u, 1000004u, UINT32_MAX}) {
        at = gfab_schedule_round(s.get(), round);
        gfab_packet packet;
        EXPECT_FALSE(gfab_packet_next(&at, &packet)) << round;
    }
    gfab_diag diag{};
    EXPECT_EQ(gfab_schedule_check_listed(s.get(), &diag), GFAB_OK);
    ASSERT_EQ(gfab_schedule_set_blocks(s.get(), (1u << 31) - 4), GFAB_OK);
    EXPECT_EQ(gfab_schedule_rounds(s.get()), GFAB_MAX_PLAYED_ROUNDS);
    EXPECT_EQ(gfab_schedule_packet_count(s.get()), 4 * ((uint64_t{1} << 31) - 4));
    EXPECT_EQ(gfab_schedule_check_listed(s.get(), &diag), GFAB_ERR_LIMIT);
    EXPECT_NE(std::string(diag.message).find("is kept as one group that repeats; its 8589934576 packets"),
              std::string::npos)
        << diag.message;
    EXPECT_EQ(gfab_schedule_append_all(schedule_on(on, links(GFAB_LINK_FULL)).get(), s.get()), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_set_blocks(s.get(), (1u << 31) - 3), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_append(s.get(), 5, 0, 0), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_set_blocks(s.get(), 0), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_goal(s.get()).blocks, (1u << 31) - 4); // as it was
}

TEST(Period, AnyLengthStandsForEveryOne)
{
    const Topology on = parse("mesh:2x2");
    const Group group{2, 2, {{1, 0, 0}, {2, 0, 1}}};
    const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, 9), group);
    EXPECT_FALSE(gfab_schedule_any_length(s.get()));
    ASSERT_EQ(gfab_schedule_set_any_length(s.get()), GFAB_OK);
    EXPECT_TRUE(gfab_schedule_any_length(s.get()));
    EXPECT_EQ(gfab_schedule_goal(s.get()).blocks, 2u);
    ASSERT_EQ(gfab_schedule_set_blocks(s.get(), 3), GFAB_OK);
    EXPECT_FALSE(gfab_schedule_any_length(s.get()));
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 3u);
    EXPECT_EQ(gfab_schedule_set_any_length(schedule_on(on).get()), GFAB_ERR_INVALID);
}

TEST(Period, IsRefusedWhereItCannotBe)
{
    const Topology on = parse("torus:3x3");
    struct Bad {
        gfab_collective collective;
        uint32_t blocks, period, group;
        gfab_status status;
    };
    const Bad bads[] = {{GFAB_BROADCAST, 4, 0, 1, GFAB_ERR_INVALID},
                        {GFAB_BROADCAST, 4, 1, 0, GFAB_ERR_INVALID},
                        {GFAB_ALL_GATHER, 18, 1, 10, GFAB_ERR_INVALID},
                        {GFAB_REDUCE_SCATTER, 18, 1, 1, GFAB_ERR_INVALID},
                        {GFAB_BARRIER, 1, 1, 1, GFAB_ERR_INVALID},
                        {GFAB_ALL_TO_ALL, 81, 1, 81, GFAB_ERR_INVALID},
                        {GFAB_REDUCE, 4, GFAB_MAX_ROUNDS + 1, 4, GFAB_ERR_LIMIT},
                        {GFAB_REDUCE, 1 << 20, 1 << 20, 1, GFAB_ERR_LIMIT},
                        {GFAB_REDUCE, 4, 1, 1u << 31, GFAB_ERR_LIMIT},
                        {GFAB_ALL_GATHER, 18, 5, 27, GFAB_OK},
                        {GFAB_REDUCE, 4, GFAB_MAX_ROUNDS, 9, GFAB_OK}};
    for (const Bad &bad : bads) {
        const Schedule s = schedule_on(on);
        const gfab_goal goal = goal_on(on, bad.collective, bad.blocks);
        ASSERT_EQ(gfab_schedule_set_goal(s.get(), &goal, nullptr), GFAB_OK);
        EXPECT_EQ(gfab_schedule_set_period(s.get(), bad.period, bad.group), bad.status)
            << gfab_collective_name(bad.collective) << " " << bad.period << " " << bad.group;
    }
    gfab_model several = gfab_model_default(), circuit = gfab_model_default();
    several.packet_tokens = 2;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    EXPECT_EQ(gfab_schedule_set_period(schedule_on(on, several).get(), 1, 9), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_period(schedule_on(on, circuit).get(), 1, 9), GFAB_ERR_INVALID);
    const Schedule begun = schedule_on(on), tree = schedule_on(on), load = schedule_on(on), parts = schedule_on(on);
    append(begun, 1, 0, 1, 0);
    EXPECT_EQ(gfab_schedule_set_period(begun.get(), 1, 9), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_blocks(begun.get(), 9), GFAB_ERR_INVALID);
    ASSERT_EQ(gfab_schedule_set_translated(tree.get()), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_period(tree.get(), 1, 9), GFAB_ERR_INVALID);
    const uint32_t uneven[] = {2, 0, 1, 1, 1, 1, 1, 1, 1};
    ASSERT_EQ(gfab_schedule_set_load(load.get(), uneven, 1), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_period(load.get(), 1, 9), GFAB_ERR_INVALID);
    ASSERT_EQ(gfab_schedule_set_load(parts.get(), nullptr, 2), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_period(parts.get(), 1, 9), GFAB_ERR_INVALID);
}

TEST(Period, TakesOnlyPacketsOfItsGroup)
{
    const Topology on = parse("torus:3x3");
    const Schedule s = schedule_on(on);
    const gfab_goal goal = goal_on(on, GFAB_REDUCE, 100), other = goal_on(on, GFAB_ALL_GATHER, 9);
    ASSERT_EQ(gfab_schedule_set_goal(s.get(), &goal, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_schedule_set_period(s.get(), 7, 3), GFAB_OK);
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 0u);
    EXPECT_EQ(gfab_schedule_append(s.get(), 1, 0, 3), GFAB_ERR_INVALID); // no block of the group
    EXPECT_EQ(gfab_schedule_append(s.get(), 1, 0, 3 | GFAB_COMBINE), GFAB_ERR_INVALID);
    const gfab_arc arcs[] = {0, 2};
    const uint32_t tokens[] = {0, 1};
    EXPECT_EQ(gfab_schedule_append_packet(s.get(), 1, arcs, 2, tokens, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(s.get(), 1, arcs, 1, tokens, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_goal(s.get(), &other, nullptr), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(s.get(), nullptr, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_translated(s.get()), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(s.get(), 2, 0, 2 | GFAB_COMBINE), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(s.get(), 1, 0, 0), GFAB_ERR_INVALID); // rounds fall
    // 34 groups, and the last has block 99 alone, which does not move.
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 32 * 7 + 2u);
    EXPECT_EQ(gfab_schedule_packet_count(s.get()), 33u);
}

// Its packets, where they are not too many for a test.
std::vector<std::vector<uint32_t>> listed(const Schedule &schedule)
{
    if (gfab_schedule_packet_count(schedule.get()) > 10000)
        return {};
    return sorted(steps_of(schedule));
}

// Read back from .gfs text.
struct Back {
    Topology on;
    Schedule schedule;
};

Back read_back(const std::string &text)
{
    const File file(std::tmpfile());
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file.get()), text.size());
    std::rewind(file.get());
    gfab_topology *on = nullptr;
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_schedule_read(file.get(), nullptr, &on, &schedule, &diag), GFAB_OK) << diag.line << diag.message;
    return {Topology(on), Schedule(schedule)};
}

gfab_status csv_of(const Schedule &schedule, std::string &text, gfab_diag *diag = nullptr)
{
    const File file(std::tmpfile());
    const gfab_status status = gfab_schedule_write_csv(schedule.get(), file.get(), nullptr, diag);
    text.assign(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return status;
}

TEST(Period, IsTheSameReadBack)
{
    for (const PeriodCase &c : period_cases()) {
        const Topology on = parse(c.spec);
        const Group group = group_of(c, on);
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, 1), group);
        size_t longest = 0;
        for (const uint32_t length : {0u, 1u, 2u, 3u, 17u, 100000u}) { // 0: any
            ASSERT_EQ(length ? gfab_schedule_set_blocks(kept.get(), goal_of(c, on, length).blocks)
                             : gfab_schedule_set_any_length(kept.get()),
                      GFAB_OK);
            const std::string text = schedule_text(kept);
            const Back back = read_back(text);
            EXPECT_EQ(schedule_text(back.schedule), text);
            EXPECT_EQ(gfab_schedule_any_length(back.schedule.get()), length == 0);
            EXPECT_EQ(gfab_schedule_period(back.schedule.get()), group.period);
            EXPECT_EQ(gfab_schedule_group(back.schedule.get()), group.blocks);
            EXPECT_EQ(gfab_schedule_rounds(back.schedule.get()), gfab_schedule_rounds(kept.get()));
            EXPECT_EQ(gfab_schedule_packet_count(back.schedule.get()), gfab_schedule_packet_count(kept.get()));
            EXPECT_EQ(listed(back.schedule), listed(kept));
            EXPECT_LE(text.size(), (longest ? longest : text.size()) + 7); // digits of "blocks"
            longest = longest ? longest : text.size();
            EXPECT_NE(text.find(length ? "\nblocks " + std::to_string(goal_of(c, on, length).blocks) + "\n"
                                       : "\nblocks any\n"),
                      std::string::npos)
                << text;
        }
    }
}

TEST(Period, HasTheRowsOfAllGroups)
{
    for (const PeriodCase &c : period_cases()) {
        const Topology on = parse(c.spec);
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, 3 * c.share + 1), group_of(c, on));
        std::string a, b;
        EXPECT_EQ(csv_of(kept, a), GFAB_OK);
        EXPECT_EQ(csv_of(unrolled(kept), b), GFAB_OK);
        EXPECT_EQ(a, b) << c.spec;
        ASSERT_EQ(gfab_schedule_set_any_length(kept.get()), GFAB_OK);
        gfab_diag diag{};
        EXPECT_EQ(csv_of(kept, a, &diag), GFAB_ERR_UNSUPPORTED);
        EXPECT_STREQ(diag.message, "the schedule is for any number of blocks; say how many there are, --blocks B");
        EXPECT_EQ(a, "");
    }
}

// The text of an expression at a node.
std::string sum_of(const Schedule &schedule, uint32_t block, uint32_t node)
{
    gfab_expression *expression = nullptr;
    gfab_diag diag{};
    if (gfab_expression_create(schedule.get(), block, &expression, &diag) != GFAB_OK)
        return diag.message;
    const File file(std::tmpfile());
    EXPECT_EQ(gfab_expression_write(expression, gfab_expression_result(expression, node), file.get()), GFAB_OK);
    gfab_expression_destroy(expression);
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return text;
}

// How an element is added up depends on its place alone: the same at every length, and in the unrolled schedule.
TEST(Period, AddsUpABlockTheSameAtEveryLength)
{
    for (const PeriodCase &c : period_cases()) {
        if (!gfab_collective_combines(c.collective))
            continue;
        const Topology on = parse(c.spec);
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, 1), group_of(c, on));
        const uint32_t node = gfab_topology_member(on.get(), c.root);
        for (const uint32_t length : {2 * c.share + 1, 3 * c.share}) {
            const gfab_goal goal = goal_of(c, on, length);
            ASSERT_EQ(gfab_schedule_set_blocks(kept.get(), goal.blocks), GFAB_OK);
            const Schedule plain = unrolled(kept);
            for (uint32_t block = 0; block < goal.blocks; block++) {
                EXPECT_EQ(sum_of(kept, block, node), sum_of(plain, block, node)) << c.spec << " " << block;
                const uint32_t first = gfab_schedule_kept_block(kept.get(), block);
                EXPECT_EQ(gfab_schedule_block_in(kept.get(), 0, first) == block, block % length < c.share);
                EXPECT_EQ(sum_of(kept, block, node),
                          sum_of(kept, shared_out(c.collective) ? block : block % c.share, node));
            }
        }
        ASSERT_EQ(gfab_schedule_set_any_length(kept.get()), GFAB_OK);
        const std::string far = sum_of(kept, 1000 * c.share + 1, node), near = sum_of(kept, 1 % c.share, node);
        EXPECT_EQ(far, shared_out(c.collective)
                           ? "block " + std::to_string(1000 * c.share + 1) + " does not exist; the schedule has 0 to " +
                                 std::to_string(c.share * owners_of(c, on) - 1)
                           : near);
    }
}

// A solver for a path of four nodes in their order alone: what it makes repeats.
gfab_status solve_path(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                       gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_schedule *made = nullptr;
    if (std::string(gfab_topology_spec(topology)) != "path:4")
        return GFAB_ERR_UNSUPPORTED;
    const gfab_status status = gfab_solver_check_options(gfab_solver_find("auto"), options, diag);
    if (status != GFAB_OK)
        return status;
    EXPECT_EQ(gfab_schedule_create(topology, model, &made), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(made, options->goal, diag), GFAB_OK) << diag->message;
    const bool shared = options->goal->collective == GFAB_ALL_GATHER;
    EXPECT_EQ(gfab_schedule_set_period(made, shared ? 3 : 1, shared ? 4 : 1), GFAB_OK);
    if (shared) { // to the right one after the other, to the left likewise
        for (const Step &s : std::vector<Step>{{1, 0, 0},
                                               {1, 2, 1},
                                               {1, 3, 2},
                                               {1, 4, 2},
                                               {1, 5, 3},
                                               {1, 1, 1},
                                               {2, 2, 0},
                                               {2, 4, 1},
                                               {2, 1, 2},
                                               {2, 3, 3},
                                               {3, 4, 0},
                                               {3, 1, 3}})
            EXPECT_EQ(gfab_schedule_append(made, s.round, s.arc, s.token), GFAB_OK);
    } else {
        const uint32_t root = options->goal->root;
        EXPECT_TRUE(root == 0 || root == 3);
        for (uint32_t i = 0; i < 3; i++)
            EXPECT_EQ(gfab_schedule_append(made, i + 1, root ? 5 - 2 * i : 2 * i, 0), GFAB_OK);
    }
    *schedule = made;
    return GFAB_OK;
}

// A graph that is a path under other numbers gets the schedule under its own, and still as one group.
TEST(Period, StaysUnderOtherNumbers)
{
    const Topology on = parse("graph:4:0-2,0-3,1-3");
    gfab_recognition recognition{};
    ASSERT_EQ(gfab_topology_recognise(on.get(), nullptr, &recognition), GFAB_OK);
    ASSERT_GT(recognition.count, 0u);
    gfab_solver solver = *gfab_solver_find("auto");
    solver.solve = solve_path;
    const gfab_model full = links(GFAB_LINK_FULL);
    gfab_solver_options options = gfab_solver_options_default();
    options.recognition = &recognition;
    for (const bool any : {false, true})
        for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_ALL_GATHER}) {
            gfab_goal goal = goal_on(on, collective, 40);
            goal.root = collective == GFAB_BROADCAST ? 2 : 0;
            options.goal = &goal;
            options.any_length = any;
            gfab_schedule *made = nullptr;
            gfab_diag diag{};
            ASSERT_EQ(gfab_solve(&solver, on.get(), &full, &options, &made, nullptr, &diag), GFAB_OK) << diag.message;
            const Schedule schedule(made);
            EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE) << checked(schedule).message;
            EXPECT_EQ(gfab_schedule_any_length(made), any);
            ASSERT_EQ(gfab_schedule_set_blocks(made, 28), GFAB_OK);
            EXPECT_EQ(checked(unrolled(schedule)).fault, GFAB_FAULT_NONE) << checked(unrolled(schedule)).message;
            EXPECT_EQ(gfab_schedule_rounds(made), collective == GFAB_BROADCAST ? 30u : 21u);
        }
    gfab_recognition_release(&recognition);
}

std::string page_of(const Schedule &schedule)
{
    const gfab_schedule *const one = schedule.get();
    const uint64_t bound = 0;
    const gfab_player player = {&one, &bound, 1, nullptr, false, nullptr};
    const File file(std::tmpfile());
    gfab_diag diag{};
    if (gfab_player_write(&player, file.get(), &diag) != GFAB_OK)
        return diag.message;
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return text;
}

TEST(Period, IsPlayedAsAllGroups)
{
    WANTS_EXTRA(draw);
    for (const PeriodCase &c : period_cases()) {
        const Topology on = parse(c.spec);
        if (!gfab_topology_is_plain(on.get()))
            continue;
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, 2 * c.share + 1), group_of(c, on));
        EXPECT_TRUE(page_of(kept) == page_of(unrolled(kept))) << c.spec;
        ASSERT_EQ(gfab_schedule_set_any_length(kept.get()), GFAB_OK);
        EXPECT_EQ(page_of(kept), "the schedule is for any number of blocks; say how many there are, --blocks B");
    }
}

} // namespace
