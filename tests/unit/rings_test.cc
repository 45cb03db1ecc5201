// SPDX-License-Identifier: MIT
// Rings of every family and size, each checked as Hamiltonian and disjoint.
#include "collective_fixture.h"
#include "extent.h"

#include <chrono>
#include <iostream>

namespace
{

struct Rings {
    gfab_rings rings{};
    gfab_status status;
    std::string says;
    Rings(const Topology &topology, bool one_way)
    {
        gfab_rings_options options{};
        options.one_way = one_way;
        gfab_diag diag{};
        status = gfab_rings_find(topology.get(), &options, &rings, &diag);
        says = diag.message;
        if (status == GFAB_OK && gfab_rings_check(topology.get(), &rings, one_way, &diag) != GFAB_OK)
            ADD_FAILURE() << gfab_topology_spec(topology.get()) << ": " << diag.message;
    }
    ~Rings() { gfab_rings_release(&rings); }
};

uint32_t rings_of(const std::string &spec, bool one_way)
{
    auto t0 = std::chrono::steady_clock::now();
    Rings r(parse(spec), one_way);
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    if (s > 0.05 || getenv("SAY")) std::cout << spec << (one_way ? " half " : " full ") << r.rings.count << " " << s << " s" << r.says << std::endl;
    return r.rings.count;
}

TEST(Rings, Scratch)
{
    for (uint32_t a = 3; a <= 24; a++)
        for (uint32_t b = 3; b <= 24; b++)
            EXPECT_EQ(rings_of("torus:" + std::to_string(a) + "x" + std::to_string(b), true), 2u) << a << " " << b;
}
TEST(Rings, Scratch3)
{
    for (uint32_t a = 3; a <= 11; a++)
        for (uint32_t b = 3; b <= 11; b++)
          for (uint32_t c = 3; c <= 11; c++)
            EXPECT_EQ(rings_of("torus:" + std::to_string(a) + "x" + std::to_string(b)+ "x" + std::to_string(c), true), 3u) << a << " " << b<<" "<<c;
}
TEST(Rings, Twisted)
{
    for (uint32_t a = 3; a <= 12; a++)
        for (uint32_t b = 3; b <= 12; b++)
          for (uint32_t c = 0; c < b; c++)
            EXPECT_EQ(rings_of("twisted-torus:" + std::to_string(a) + "x" + std::to_string(b)+ "," + std::to_string(c), true), 2u) << a << " " << b<<" "<<c;
}
TEST(Rings, Scratch4)
{
    for (auto s : {"torus:3x3x3x3", "torus:4x4x4x4", "torus:3x4x3x4x3", "torus:4x4x4x4x4", "torus:3x3x3x3x3x3", "torus:16x16x16", "torus:32x32", "torus:64x64", "torus:128x128", "hypercube:2","hypercube:4","hypercube:6","hypercube:8","hypercube:10","hypercube:12","hypercube:14","hypercube:3","hypercube:5","hypercube:7","hypercube:9","torus:2x4","torus:2x2x5","torus:2x3x2x3x2", "torus:1x5", "mesh:2x2","mesh:4x4","mesh:3x4x5","mesh:5x6","mesh:4x4x4","mesh:32x32","mesh:2x2x2","complete:3","complete:4","complete:5","complete:6","complete:7","complete:8","complete:9","complete:10","complete:12","complete:14","complete:16","complete:18","complete:20","complete:24","complete:32","complete:64", "twisted-torus:4x8,4","twisted-torus:4x4,1","twisted-torus:16x16,5","twisted-torus:32x32,16","random:n=40,m=90,seed=5","random:n=256,m=2048,seed=5","random:n=1024,m=8192,seed=1","debruijn:5","kautz:2,3","ccc:4","butterfly:4","star:5","pancake:5","knoedel:5","shuffle-exchange:5","mesh:3x3","path:5","mesh:8x8+drop-link=0-1", "cycle:9","torus:8x8+drop-node=5"})
        for (bool w : {true, false}) rings_of(s, w);
}

} // namespace
