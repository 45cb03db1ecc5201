// SPDX-License-Identifier: MIT
// What list schedulers share: the heap, and which moves may go in a round. The moves that come out are compared with
// what sorting says.
extern "C" {
#include "base/heap.h"
#include "solvers/place/ready.h"
}

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace
{

TEST(Heap, LowestKeyFirst)
{
    std::mt19937 random(7);
    for (size_t count : {1, 2, 3, 7, 64, 1000}) {
        std::vector<gfab_heap_entry> heap(count);
        std::vector<std::pair<uint64_t, uint32_t>> expected, popped;
        size_t size = 0;
        for (uint32_t i = 0; i < count; i++) { // keys of 64 bits, no two alike
            const uint64_t key = static_cast<uint64_t>(random()) << 32 | i;
            gfab_heap_push(heap.data(), &size, key, i);
            expected.emplace_back(key, i);
        }
        std::sort(expected.begin(), expected.end());
        while (size > 0) {
            const gfab_heap_entry top = gfab_heap_pop(heap.data(), &size);
            popped.emplace_back(top.key, top.item);
        }
        EXPECT_EQ(popped, expected);
    }
}

TEST(Heap, PushedWhileItIsPopped)
{
    std::vector<gfab_heap_entry> heap(300);
    size_t size = 0;
    std::multiset<uint64_t> model;
    std::mt19937 random(3);
    for (int step = 0; step < 5000; step++) {
        if (model.empty() || (model.size() < heap.size() && random() % 2)) {
            const uint64_t key = random() % 50; // many alike
            gfab_heap_push(heap.data(), &size, key, 0);
            model.insert(key);
        } else {
            EXPECT_EQ(gfab_heap_pop(heap.data(), &size).key, *model.begin());
            model.erase(model.begin());
        }
        ASSERT_EQ(size, model.size());
    }
}

// Two resources, hop 2: moves wait in their rounds, and are then served by key, each resource by itself.
TEST(Ready, ByRoundThenByKey)
{
    gfab_arena arena = {};
    gfab_ready ready;
    gfab_ready_create(&ready, &arena, 6, 2, 2);
    ASSERT_FALSE(arena.failed);
    const uint32_t resource[] = {0, 1, 0, 0, 1, 0}, round[] = {1, 1, 1, 3, 3, 4};
    const uint64_t key[] = {5, 1, 4, 2, 9, 0};
    for (uint32_t r : resource)
        gfab_ready_count(&ready, r);
    gfab_ready_cut(&ready);
    EXPECT_EQ(ready.start[1], 4u);
    EXPECT_EQ(ready.start[2], 6u);
    std::vector<std::vector<uint32_t>> went;
    for (uint32_t now = 1; now <= 4; now++) {
        for (uint32_t move = 0; now == 1 && move < 6; move++) // hop + 1 rounds ahead at most
            gfab_ready_allow(&ready, move, round[move]);
        for (uint32_t next, move = gfab_ready_due(&ready, now); move != GFAB_READY_NONE; move = next) {
            next = ready.next[move];
            gfab_ready_push(&ready, resource[move], key[move], move);
        }
        went.emplace_back();
        for (uint32_t r = 0; r < 2; r++) // one a round each
            if (ready.size[r] > 0)
                went.back().push_back(gfab_ready_pop(&ready, r));
    }
    EXPECT_EQ(went, (std::vector<std::vector<uint32_t>>{{2, 1}, {0}, {3, 4}, {5}}));
    EXPECT_EQ(gfab_ready_due(&ready, 5), GFAB_READY_NONE);
    gfab_arena_release(&arena);
}

TEST(Ready, SaysWhereMemoryDoesNotDo)
{
    gfab_arena arena = {};
    gfab_ready ready;
    gfab_ready_create(&ready, &arena, SIZE_MAX / 4, 2, 1);
    EXPECT_TRUE(arena.failed);
    gfab_arena_release(&arena);
}

} // namespace
