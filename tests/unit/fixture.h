// SPDX-License-Identifier: MIT
// What the tests share: owners, and the way from a topology to images.
#ifndef GFAB_TESTS_FIXTURE_H
#define GFAB_TESTS_FIXTURE_H

#include <gossipfab/gossipfab.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

template <typename T, void (*destroy)(T *)> struct Destroy {
    void operator()(T *object) const { destroy(object); }
};
template <typename T, void (*destroy)(T *)> using Owner = std::unique_ptr<T, Destroy<T, destroy>>;

using Topology = Owner<gfab_topology, gfab_topology_destroy>;
using Layout = Owner<gfab_layout, gfab_layout_destroy>;
using Schedule = Owner<gfab_schedule, gfab_schedule_destroy>;
using Program = Owner<gfab_program, gfab_program_destroy>;
using Image = Owner<gfab_image, gfab_image_destroy>;
using Machine = Owner<gfab_machine, gfab_machine_destroy>;
using Cmodel = Owner<gfab_cmodel, gfab_cmodel_destroy>;

inline void close_file(FILE *file)
{
    std::fclose(file);
}
using File = Owner<FILE, close_file>;

inline Topology parse(const std::string &spec)
{
    gfab_topology *topology = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(spec.c_str(), &topology, &diag), GFAB_OK) << spec << ": " << diag.message;
    return Topology(topology);
}

using Links = std::vector<std::pair<uint32_t, uint32_t>>;

inline Links links_of(const Topology &topology)
{
    Links links;
    for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) {
        const gfab_link link = gfab_topology_link(topology.get(), l);
        links.emplace_back(link.node[0], link.node[1]);
    }
    return links;
}

// A specification that is refused, and words that the message has.
struct BadSpec {
    const char *spec;
    gfab_status status;
    const char *words;
};

inline void expect_refused(const BadSpec &bad)
{
    gfab_topology *topology = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(bad.spec, &topology, &diag), bad.status) << bad.spec << ": " << diag.message;
    EXPECT_EQ(topology, nullptr);
    const std::string message = diag.message;
    EXPECT_NE(message.find(bad.words), std::string::npos) << bad.spec << ": " << message;
    // A long one, by the path of a file, is cut off.
    EXPECT_NE(message.find(std::string(bad.spec).substr(0, 80)), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(diag.line, 0u);
    EXPECT_EQ(gfab_topology_parse(bad.spec, &topology, nullptr), bad.status);
}

// Options of layouts that differ from the default in one thing.
inline gfab_layout_options full_duplex(bool full = true)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.full_duplex = full;
    return options;
}
inline gfab_layout_options with_paths(uint32_t parts = 1)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.paths = true;
    options.parts = parts;
    return options;
}
inline gfab_layout_options in_parts(uint32_t parts, gfab_frame frame = GFAB_FRAME_ABSOLUTE)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.parts = parts;
    options.frame = frame;
    return options;
}
inline gfab_layout_options in_frame(gfab_frame frame)
{
    return in_parts(1, frame);
}
inline gfab_layout_options wide_nodes(bool full = false, gfab_frame frame = GFAB_FRAME_ABSOLUTE)
{
    gfab_layout_options options = in_frame(frame);
    options.full_duplex = full;
    options.wide = true;
    return options;
}

inline gfab_status layout_status(const Topology &topology, const gfab_layout_options &options, gfab_diag *diag)
{
    gfab_layout *layout = nullptr;
    const gfab_status status = gfab_layout_create(topology.get(), &options, &layout, diag);
    gfab_layout_destroy(layout);
    return status;
}

inline Layout layout_of(const Topology &topology, const gfab_layout_options &options = gfab_layout_options_default())
{
    gfab_layout *layout = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_layout_create(topology.get(), &options, &layout, &diag), GFAB_OK) << diag.message;
    return Layout(layout);
}

inline gfab_status compute(const Layout &layout, const gfab_timing_options &options, gfab_timing *timing,
                           gfab_diag *diag)
{
    return gfab_timing_compute(layout.get(), &options, timing, diag);
}

inline gfab_timing timing_of(const Layout &layout, uint32_t token_bits, uint32_t link_bits)
{
    gfab_timing timing{};
    gfab_diag diag{};
    EXPECT_EQ(compute(layout, {token_bits, link_bits, 0, 0, 0, 0}, &timing, &diag), GFAB_OK) << diag.message;
    return timing;
}

inline Schedule schedule_on(const Topology &topology, gfab_model model = gfab_model_default())
{
    gfab_schedule *schedule = nullptr;
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &schedule), GFAB_OK);
    return Schedule(schedule);
}

inline Schedule gossip_on(const Topology &topology, gfab_model model = gfab_model_default())
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    const gfab_solver_options options = gfab_solver_options_default();
    EXPECT_EQ(gfab_solver_find("greedy")->solve(topology.get(), &model, &options, &schedule, &diag), GFAB_OK)
        << diag.message;
    return Schedule(schedule);
}

inline void append(const Schedule &schedule, uint32_t round, uint32_t from, uint32_t to, uint32_t token)
{
    gfab_arc arc = 0;
    ASSERT_TRUE(gfab_topology_find_arc(gfab_schedule_topology(schedule.get()), from, to, &arc));
    ASSERT_EQ(gfab_schedule_append(schedule.get(), round, arc, token), GFAB_OK);
}

inline Program lower(const Schedule &schedule, const Layout &layout)
{
    gfab_program *program = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, 0, nullptr, &program, &diag), GFAB_OK)
        << diag.message;
    return Program(program);
}

inline Image assemble(const Program &program, uint32_t round_bits = 0)
{
    gfab_image *image = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_program_assemble(program.get(), round_bits, nullptr, &image, &diag), GFAB_OK) << diag.message;
    return Image(image);
}

// A machine of an image that the caller keeps.
inline Machine machine_of(const Image &image, const gfab_timing &timing)
{
    gfab_machine *machine = nullptr;
    EXPECT_EQ(gfab_machine_create(image.get(), nullptr, &timing, &machine), GFAB_OK);
    return Machine(machine);
}

inline Cmodel create(const Image &image, const gfab_timing &timing)
{
    gfab_cmodel *cmodel = nullptr;
    EXPECT_EQ(gfab_cmodel_create(machine_of(image, timing).get(), nullptr, &cmodel), GFAB_OK);
    return Cmodel(cmodel);
}

inline std::string schedule_text(const Schedule &schedule)
{
    File file(std::tmpfile());
    gfab_diag diag{};
    EXPECT_EQ(gfab_schedule_write(schedule.get(), file.get(), nullptr, &diag), GFAB_OK) << diag.message;
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return text;
}

inline std::string image_text(const Image &image, size_t node)
{
    File file(std::tmpfile());
    gfab_diag diag{};
    EXPECT_EQ(gfab_image_write(image.get(), node, file.get(), &diag), GFAB_OK) << diag.message;
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return text;
}

// One that can be changed; without paths and gaps.
inline Image copy_of(const gfab_image *image, const gfab_layout *layout)
{
    gfab_image *made = nullptr;
    EXPECT_EQ(gfab_image_create(layout, gfab_image_round_bits(image), &made, nullptr), GFAB_OK);
    for (size_t node = 0; node < gfab_topology_node_count(gfab_layout_topology(layout)); node++)
        for (size_t index = 0; index < gfab_image_word_count(image); index++)
            gfab_image_set_word(made, node, index, gfab_image_word(image, node, index));
    EXPECT_EQ(gfab_image_set_gap_bits(made, gfab_image_gap_bits(image), nullptr), GFAB_OK);
    for (size_t round = 1; round <= size_t{1} << gfab_image_round_bits(image); round++) {
        gfab_image_set_halt(made, round, gfab_image_halts(image, round));
        gfab_image_set_gap(made, round, gfab_image_gap(image, round));
    }
    return Image(made);
}

#endif
