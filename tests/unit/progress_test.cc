// SPDX-License-Identifier: MIT
// Long work reports its progress, and ends without a result where the caller wants it to.
#include "fixture.h"

#include <functional>

namespace
{

// Says stop at call number stop_at; never for 0.
struct Watch {
    unsigned stop_at = 0, calls = 0;
    static int report(void *context, const char *, unsigned long long, unsigned long long)
    {
        Watch *watch = static_cast<Watch *>(context);
        return ++watch->calls != watch->stop_at;
    }
};

// work gives its status; *made is what it makes, and has to stay as it is where it is stopped.
void expect_stops(const char *name, const void *const *made,
                  const std::function<gfab_status(const gfab_progress *)> &work)
{
    Watch watch;
    const gfab_progress progress = {Watch::report, &watch};
    for (watch.stop_at = 1; watch.stop_at <= 3; watch.stop_at += 2) {
        watch.calls = 0;
        EXPECT_EQ(work(&progress), GFAB_ERR_INTERRUPTED) << name;
        EXPECT_EQ(watch.calls, watch.stop_at) << name;
        EXPECT_TRUE(!made || !*made) << name;
    }
    watch.stop_at = 0;
    EXPECT_EQ(work(&progress), GFAB_OK) << name;
    EXPECT_EQ(work(nullptr), GFAB_OK) << name;
}

const char *const path = "graph:9:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-0,0-3,2-6";

TEST(Progress, Bounds)
{
    const Topology topology = parse(path);
    const gfab_model model = gfab_model_default();
    uint32_t diameter;
    gfab_bound bound;
    gfab_cost_bound cost;
    expect_stops("diameter", nullptr, [&](const gfab_progress *progress) {
        return gfab_topology_diameter(topology.get(), progress, &diameter);
    });
    expect_stops("bound", nullptr, [&](const gfab_progress *progress) {
        return gfab_bound_best(topology.get(), &model, progress, &bound);
    });
    const Topology ring = parse("cycle:30"); // its diameter is known; the mixed bound tries numbers of rounds
    gfab_model circuit = model;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    circuit.link_mode = GFAB_LINK_FULL;
    circuit.packet_tokens = 30;
    expect_stops("cost bound", nullptr, [&](const gfab_progress *progress) {
        return gfab_bound_cost_best(ring.get(), &circuit, {10, 1}, progress, &cost);
    });
}

TEST(Progress, Schedules)
{
    const Topology topology = parse("mesh:5x5");
    const Schedule schedule = gossip_on(topology);
    expect_stops("write", nullptr, [&](const gfab_progress *progress) {
        const File file(std::tmpfile());
        return gfab_schedule_write(schedule.get(), file.get(), progress, nullptr);
    });
    // Read in pieces of 32 KB, it takes a longer one for three reports.
    const Topology large = parse("mesh:24x24");
    const std::string text = schedule_text(gossip_on(large));
    ASSERT_GT(text.size(), 3u << 15);
    gfab_schedule *read = nullptr;
    expect_stops("read", reinterpret_cast<void **>(&read), [&](const gfab_progress *progress) {
        const File file(std::tmpfile());
        EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file.get()), text.size());
        std::rewind(file.get());
        gfab_topology *made = nullptr;
        const gfab_status status = gfab_schedule_read(file.get(), progress, &made, &read, nullptr);
        EXPECT_EQ(!made, status != GFAB_OK);
        if (status == GFAB_OK) {
            gfab_schedule_destroy(read);
            read = nullptr;
        }
        gfab_topology_destroy(made);
        return status;
    });
}

TEST(Progress, ImagesAndTheModel)
{
    const Topology topology = parse("mesh:4x4");
    const Layout layout = layout_of(topology);
    const gfab_timing timing = timing_of(layout, 32, 2);
    const Program program = lower(gossip_on(topology), layout);
    const Image image = assemble(program);
    const Machine machine = machine_of(image, timing);
    gfab_image *made = nullptr;
    expect_stops("assemble", reinterpret_cast<void **>(&made), [&](const gfab_progress *progress) {
        const gfab_status status = gfab_program_assemble(program.get(), 0, progress, &made, nullptr);
        if (status == GFAB_OK) {
            gfab_image_destroy(made);
            made = nullptr;
        }
        return status;
    });
    expect_stops("check", nullptr, [&](const gfab_progress *progress) {
        return gfab_image_check(image.get(), &timing, progress, nullptr, nullptr);
    });
    expect_stops("compare", nullptr, [&](const gfab_progress *progress) {
        return gfab_program_check_image(program.get(), image.get(), progress, nullptr);
    });
    gfab_cmodel *cmodel = nullptr;
    expect_stops("model", reinterpret_cast<void **>(&cmodel), [&](const gfab_progress *progress) {
        const gfab_status status = gfab_cmodel_create(machine.get(), progress, &cmodel);
        if (status == GFAB_OK) {
            gfab_cmodel_destroy(cmodel);
            cmodel = nullptr;
        }
        return status;
    });
}

} // namespace
