// SPDX-License-Identifier: MIT
// Tenstorrent's mesh graph descriptors, each kind small: against the graph written out.
#include "graph_file_fixture.h"

#include <string>
#include <vector>

namespace
{

std::string mesh(const char *name, const char *dims, const char *more = "")
{
    return std::string("mesh_descriptors {\n  name: \"") + name + "\" arch: BLACKHOLE\n  device_topology { dims: [ " +
           dims + " ] }\n  host_topology { dims: [ 1, 1 ] }\n" + more + "}\n";
}

std::string instance(const std::string &name, int id)
{
    return "  instances { mesh { mesh_descriptor: \"" + name + "\" mesh_id: " + std::to_string(id) + " } }\n";
}

std::string node(const std::string &name, int id, const std::string &more = "")
{
    return "nodes { mesh { mesh_descriptor: \"" + name + "\" mesh_id: " + std::to_string(id) + more + " } } ";
}

std::string graph(const std::string &name, const std::string &parts)
{
    return "graph_descriptors {\n  name: \"" + name + "\" type: \"FABRIC\"\n" + parts + "}\n";
}

std::string top(const std::string &name)
{
    return "top_level_instance { graph { graph_descriptor: \"" + name + "\" graph_id: 0 } }\n";
}

void expect_graph(const std::string &text, const char *wanted)
{
    gfab_topology *read = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_topology_parse(write_file("mesh.textproto", text.c_str()).c_str(), &read, &diag), GFAB_OK)
        << text << diag.message;
    const Topology owned(read);
    const std::string spec = gfab_topology_spec(read);
    EXPECT_EQ(spec.substr(0, spec.find("+names=")), gfab_topology_spec(parse(wanted).get())) << text;
}

const std::string pair = mesh("M", "1, 2", "  channels { count: 2 policy: STRICT }\n");
const std::string two = instance("M", 0) + instance("M", 1);

TEST(Descriptors, OneMesh)
{
    expect_graph(pair, "graph:2:0-1+weight=0-1:2");
    expect_graph(pair + "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n",
                 "graph:2:0-1+weight=0-1:2");
    expect_graph(mesh("M", "1, 3 ], dim_types: [ LINE, RING"), "graph:3:0-1,0-2,1-2");
    expect_graph(mesh("M", "3 ] types: [ RING"), "graph:3:0-1,0-2,1-2");
    expect_graph(mesh("M", "1, 2, 2"), "graph:4:0-1,0-2,1-3,2-3");
    expect_graph("mesh_descriptors: { device_topology: { dims: 2 dims: 2 dim_types: RING dim_types: RING } }",
                 "graph:4:0-1,0-2,1-3,2-3");
}

TEST(Descriptors, ExpressLinks)
{
    expect_graph(mesh("M", "1, 4", "express_connections { src: 0 dst: 3 }\n"), "graph:4:0-1,0-3,1-2,2-3");
    // Blocks of three from the first chip on, of which the second is 3..5; then from the second on: 1..3, 4..0.
    expect_graph(mesh("M", "6", "express_links { dim_idx: 0 pattern { start: 0 step: 3 } }\n"),
                 "graph:6:0-1,0-2,1-2,2-3,3-4,3-5,4-5");
    expect_graph(mesh("M", "6", "express_links { pattern { start: 1 step: 3 } }\n"), "graph:6:0-1,1-2,1-3,2-3,3-4,4-5");
    expect_graph(mesh("M", "6", "express_links { pattern { start: 1 step: 3 } wrap: RING }\n"),
                 "graph:6:0-1,0-4,1-2,1-3,2-3,3-4,4-5");
    expect_graph(mesh("M", "2, 3", "express_links { dim_idx: 1 pattern { start: 0 step: 3 } }\n"),
                 "graph:6:0-1,0-2,0-3,1-2,1-4,2-5,3-4,3-5,4-5");
}

TEST(Descriptors, ChipsOfMeshes)
{
    const std::string joined = "connections { " + node("M", 0, " device_id: 1") + node("M", 1, " device_id: 0") +
                               "channels { count: 3 } directional: false }\n";
    expect_graph(pair + graph("G", two + joined) + top("G"),
                 "graph:4:0-1,1-2,2-3+weight=0-1:2+weight=1-2:3+weight=2-3:2");
    const std::string there = "connections { " + node("M", 0, " device_id: 1") + node("M", 1, " device_id: 0") +
                              "channels { count: 1 } directional: true }\n";
    const std::string back = "connections { " + node("M", 1, " device_id: 1") + node("M", 0, " device_id: 0") +
                             "channels { count: 1 } directional: true }\n";
    expect_graph(pair + graph("G", two + there + back) + top("G"),
                 "graph:4:0-1,0-3,1-2,2-3+weight=0-1:2+weight=0-3:0/1+weight=1-2:1/0+weight=2-3:2");
}

// The first channel joins the first chips, the next one the next ones; another connection goes on where that ended.
TEST(Descriptors, MeshesOnly)
{
    const std::string open =
        "connections { " + node("M", 0) + node("M", 1) + "channels { count: 1 policy: RELAXED } }\n";
    expect_graph(pair + graph("G", two + open) + top("G"), "graph:4:0-1,0-2,2-3+weight=0-1:2+weight=2-3:2");
    expect_graph(pair + graph("G", two + open + open) + top("G"), "graph:4:0-1,0-2,1-3,2-3+weight=0-1:2+weight=2-3:2");
    expect_graph(pair + graph("G", two + open + open + open) + top("G"),
                 "graph:4:0-1,0-2,1-3,2-3+weight=0-1:2+weight=0-2:2+weight=2-3:2");
    const std::string half =
        "connections { " + node("M", 0, " device_id: 1") + node("M", 1) + "channels { count: 2 } }\n";
    expect_graph(pair + graph("G", two + half) + top("G"), "graph:4:0-1,1-2,1-3,2-3+weight=0-1:2+weight=2-3:2");
}

TEST(Descriptors, Layouts)
{
    const std::string chip = mesh("C", "1, 1"),
                      four = instance("C", 0) + instance("C", 1) + instance("C", 2) + instance("C", 3);
    const char *ring = "graph_topology: { layout_type: RING channels { count: 2 } }\n";
    expect_graph(chip + graph("G", four + ring) + top("G"),
                 "graph:4:0-1,0-3,1-2,2-3+weight=0-1:2+weight=0-3:2+weight=1-2:2+weight=2-3:2");
    expect_graph(chip + graph("G", four + "channels { count: 1 }\ngraph_topology: ALL_TO_ALL\n") + top("G"),
                 "graph:4:0-1,0-2,0-3,1-2,1-3,2-3");
    expect_graph(chip + graph("G", instance("C", 4) + instance("C", 7) + ring) + top("G"), "graph:2:0-1+weight=0-1:2");
}

TEST(Descriptors, GraphsOfGraphsAndSwitches)
{
    const std::string pod = graph("P", instance("M", 3) +
                                           "  instances { switch { switch_descriptor: \"S\" switch_id: 9 } }\n"
                                           "connections { " +
                                           node("M", 3) +
                                           "nodes { switch { switch_descriptor: \"S\" "
                                           "switch_id: 9 } } channels { count: 2 } }\n");
    const std::string plane =
        "switch_descriptors { name: \"S\" device_topology { dims: [ 1, 1 ] } channels { count: 1 } }\n";
    const std::string of_two = "instances { graph { graph_descriptor: \"P\" graph_id: 0 } }\n"
                               "instances { graph { graph_descriptor: \"P\" graph_id: 1 } }\n";
    const char *below =
        "connections { nodes { graph { graph_descriptor: \"P\" graph_id: 0 sub_ref { mesh { "
        "mesh_descriptor: \"M\" mesh_id: 3 device_id: 1 } } } } nodes { graph { graph_descriptor: \"P\" "
        "graph_id: 1 mesh { mesh_descriptor: \"M\" mesh_id: 3 device_id: 0 } } } channels { count: 1 } }\n";
    const std::string text = pair + plane + pod + graph("G", of_two + below) + top("G");
    expect_graph(text, "graph:6:0-1,0-2,1-2,1-3,3-4,3-5,4-5+relay=2,5:switch+weight=0-1:2+weight=3-4:2");
    gfab_topology *read = nullptr;
    ASSERT_EQ(gfab_topology_parse(write_file("mesh.textproto", text.c_str()).c_str(), &read, nullptr), GFAB_OK);
    const Topology owned(read);
    const std::string spec = gfab_topology_spec(read);
    for (const char *name : {"G0M3D0", "G0S9D0", "G1M3D1"})
        EXPECT_NE(spec.find(name), std::string::npos) << spec;
    // Any chip of a graph: those of both pods in turn.
    const char *any = "connections { nodes { graph { graph_descriptor: \"P\" graph_id: 0 } } nodes { graph { "
                      "graph_descriptor: \"P\" graph_id: 1 } } channels { count: 2 } }\n";
    expect_graph(pair + plane + pod + graph("G", of_two + any) + top("G"),
                 "graph:6:0-1,0-2,0-3,1-2,1-4,3-4,3-5,4-5+relay=2,5:switch+weight=0-1:2+weight=3-4:2");
}

// The older notation.
std::string older(const char *board, const char *shape, const char *meshes, const char *links)
{
    return std::string("ChipSpec: {\n  arch: wormhole_b0,\n  ethernet_ports: {\n    N: 2,\n    E: 2,\n    S: 2,\n"
                       "    W: 2,\n  }\n}\n\nBoard: [\n  { name: B,\n    type: ") +
           board + ",\n    topology: " + shape + "}\n]\n\nMesh: [\n" + meshes + "]\n\n" + links;
}

TEST(Descriptors, Yaml)
{
    const char *one = "{\n  id: 0,\n  board: B,\n  device_topology: [1, 3],\n  host_topology: [1, 1],\n}\n";
    const char *boards = "{ id: 0, board: B, topology: [1, 2], host_ranks: [[0, 1]]}";
    const char *chips = "{ id: 0, board: B, topology: [1, 2], host_ranks: [[0]]}";
    const char *both = "{ id: 0, board: B, device_topology: [2, 1] },\n{ id: 7, board: B, device_topology: [2, 1] },\n";
    expect_graph(older("Mesh", "[1, 3]", one, "Graph: [\n]\n"), "graph:3:0-1,1-2+weight=0-1:2+weight=1-2:2");
    expect_graph(older("TORUS_X", "[1, 3]", one, "Graph: []\n"),
                 "graph:3:0-1,0-2,1-2+weight=0-1:2+weight=0-2:2+weight=1-2:2");
    expect_graph(older("Torus_Y", "[1, 3]", one, ""), "graph:3:0-1,1-2+weight=0-1:2+weight=1-2:2");
    expect_graph(older("MESH", "[1, 1]", boards, ""), "graph:2:0-1+weight=0-1:2");
    expect_graph(older("MESH", "[2, 1]", boards, ""), "graph:4:0-1,0-2,1-3,2-3+weight=0-1:2+weight=0-2:2+weight=1-3:2"
                                                      "+weight=2-3:2");
    expect_graph(older("MESH", "[1, 2]", chips, ""), "graph:2:0-1+weight=0-1:2");
    // Two ports a chip: those of the south are the last chip's, E0 and E1 the first's, E2 and E3 the last's.
    expect_graph(older("Mesh", "[2, 1]", both,
                       "Graph: [\n  [[0, S1], [7, N0]], # one\n  [[7, N0], [0, S1]],\n  [[0, E0], [7, W2]],\n"
                       "  [[7, W2], [0, E0]],\n  [[0, E1], [7, W3]],\n  [[7, W3], [0, E1]],\n]\n"),
                 "graph:4:0-1,0-3,1-2,2-3+weight=0-1:2+weight=0-3:2+weight=2-3:2");
    expect_graph(older("Mesh", "[2, 1]", both, "Graph: [ [[M0, D1], [M7, D0], 3] ]\n"),
                 "graph:4:0-1,1-2,2-3+weight=0-1:2+weight=1-2:3+weight=2-3:2");
    expect_graph(older("Mesh", "[2, 1]", both, "RelaxedGraph: [\n  [M0, M7, 3]\n]\n"),
                 "graph:4:0-1,0-2,1-3,2-3+weight=0-1:2+weight=0-2:2+weight=2-3:2");
}

} // namespace
