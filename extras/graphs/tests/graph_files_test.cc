// SPDX-License-Identifier: MIT
// Graphs as other programs write them, and how a file is to be taken: each against the graph written out.
#include "graph_file_fixture.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace
{

struct Same {
    const char *name, *text, *options, *graph;
};

// The canonical text, but for what nodes are called.
std::string without_names(const gfab_topology *topology)
{
    const std::string spec = gfab_topology_spec(topology);
    return spec.substr(0, spec.find("+names="));
}

void expect_same(const std::vector<Same> &all)
{
    for (const Same &one : all) {
        const std::string spec = write_file(one.name, one.text) + one.options;
        gfab_topology *read = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_topology_parse(spec.c_str(), &read, &diag), GFAB_OK) << spec << ": " << diag.message;
        const Topology owned(read);
        EXPECT_EQ(without_names(read), gfab_topology_spec(parse(one.graph).get())) << one.text;
        EXPECT_TRUE(gfab_topology_equal(read, parse(one.graph).get())) << one.text;
    }
}

struct Refused {
    std::string text;
    gfab_status status;
    const char *words;
};

void expect_refused_texts(const std::vector<Refused> &all)
{
    for (const Refused &one : all) {
        const std::string spec = write_file("refused.txt", one.text.c_str());
        gfab_topology *read = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_topology_parse(spec.c_str(), &read, &diag), one.status) << one.text << ": " << diag.message;
        EXPECT_NE(std::string(diag.message).find(one.words), std::string::npos) << one.text << ": " << diag.message;
        EXPECT_EQ(read, nullptr);
    }
}

TEST(GraphFiles, DotHasSetsPortsDefaultsAndStrict)
{
    expect_same({
        {"a.dot", "graph { a -- { b c } -- d }", "", "graph:4:0-1,0-2,1-3,2-3"},
        {"a.dot", "graph { subgraph s { a; b; a } -- subgraph { c } }", "", "graph:3:0-2,1-2"},
        {"a.dot", "digraph { { a b } -> c; c -> { a b } }", "", "graph:3:0-2,1-2"},
        {"a.dot", "graph { { rank=same; a; b }; a -- b -- c }", "", "graph:3:0-1,1-2"},
        {"a.dot", "graph { a:p0 -- b:\"p 1\":sw; b -- c:n }", "", "graph:3:0-1,1-2"},
        {"a.dot", "strict graph { a -- b; b -- a; b -- c [packets=2]; c -- b [packets=3] }", "",
         "graph:3:0-1,1-2+weight=1-2:3"},
        {"a.dot", "graph { edge [packets=2]; a -- b; { edge [packets=3]; b -- c }; c -- d; d -- a [packets=1] }", "",
         "graph:4:0-1,0-3,1-2,2-3+weight=0-1:2+weight=1-2:3+weight=2-3:2"},
        {"a.dot", "graph { a; b; node [relay=true]; s; t [relay=false]; a -- s -- b -- t }", "",
         "graph:4:0-2,1-2,1-3+relay=2"},
    });
}

TEST(GraphFiles, GmlAsOtherProgramsWriteIt)
{
    expect_same({
        {"a.gml",
         "Creator \"x\"\nVersion 1\ngraph\n[\n  node\n  [\n    id 5\n  ]\n  node [ id 7 ]\n  edge [ source 7 "
         "target 5 ]\n  edge [ source 7 target 9 ]\n]\n",
         "", "graph:3:0-1,1-2"},
        {"a.net",
         "graph [ node [ id 0 label \"a [\" graphics [ x 1.0 y [ z 2 ] ] ] edge [ source 0 target 1 packets 3 ] "
         "node [ id 2 relay 1 ] edge [ source 2 target 0 ] ]",
         "", "graph:3:0-1,0-2+relay=2+weight=0-1:3"},
        {"a.gml", "graph [ directed 1 edge [ source 0 target 1 ] edge [ source 1 target 0 ] # comment\n ]", "",
         "graph:2:0-1"},
        {"a.gml", "graph [ multigraph 1 edge [ source 0 target 1 key 0 weight 2.0 ] edge [ source 0 target 1 key 1 ] ]",
         "+parallel=add+weight-attribute=weight", "graph:2:0-1+weight=0-1:3"},
    });
}

TEST(GraphFiles, MetisHasWeights)
{
    expect_same({
        {"a.metis", "3 2 1\n2 4\n1 4 3 5\n2 5\n", "", "graph:3:0-1,1-2+weight=0-1:4+weight=1-2:5"},
        {"a.metis", "3 2 010 2\n9 9 2\n9 9 1 3\n9 9 2\n", "", "graph:3:0-1,1-2"},
        {"a.metis", "3 2 111\n7 8 2 4\n7 8 1 4 3 1\n7 8 2 1\n", "", "graph:3:0-1,1-2+weight=0-1:4"},
    });
}

TEST(GraphFiles, GraphmlHasDefaultsAndWordsOfPython)
{
    const char *keys = "<graphml><key id='r' for='node' attr.name='relay'><default>true</default></key>"
                       "<key id='w' for='edge' attr.name='packets'><default>2</default></key>"
                       "<graph edgedefault='undirected'><node id='0'><data key='r'>False</data></node>"
                       "<node id='1'/><node id='2'><data key='r'> false </data></node>"
                       "<edge source='0' target='1'/><edge source='1' target='2'><data key='w'>5.0</data></edge>"
                       "</graph></graphml>";
    const char *others =
        "<graphml><key id='w' for='node' attr.name='weight'/><key id='v' for='edge' attr.name='weight'/>"
        "<graph edgedefault='directed'><node id='0'><data key='w'>0.5</data></node>"
        "<edge source='0' target='1'><data key='v'>4</data></edge>"
        "<edge source='0' target='1'><data key='v'>2</data></edge>"
        "<edge source='1' target='1'/><edge source='2' target='1'/></graph></graphml>";
    expect_same({
        {"a.graphml", keys, "", "graph:3:0-1,1-2+relay=1+weight=0-1:2+weight=1-2:5"},
        {"a.graphml", others, "+links=both+parallel=add+loops=drop+weight-attribute=weight",
         "graph:3:0-1,1-2+weight=0-1:6"},
        {"a.graphml", others, "+weight-attribute=weight+loops=drop+parallel=one+links=both",
         "graph:3:0-1,1-2+weight=0-1:4"},
        {"a.graphml", others, "+links=both+parallel=one+loops=drop+drop-node=2", "graph:2:0-1+weight=0-1:4"},
        {"a.graphml", others, "+weight-attribute=none+links=both+parallel=one+loops=drop+drop-node=2", "graph:2:0-1"},
    });
}

TEST(GraphFiles, OneWayLinksAddUpEachWay)
{
    expect_same({
        {"a.txt", "0 -> 1\n0 -> 1\n1 -> 0\n1 2\n", "+parallel=add", "graph:3:0-1,1-2+weight=0-1:2/1"},
        {"a.txt", "0 -> 1\n0 -> 1\n1 -> 2\n2 -> 1\n", "+parallel=add+links=both", "graph:3:0-1,1-2+weight=0-1:2"},
        {"a+b.txt", "0 1\n1 1\n1 2\n", "+loops=drop", "graph:3:0-1,1-2"},
    });
}

// The example of BookSim's documentation has three terminals a router; others have one, or none.
TEST(GraphFiles, AnynetOfBookSim)
{
    expect_same({
        {"anynet_file",
         "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\n"
         "router 2 node 6 node 7 node 8 router 1 router 0\n",
         "", "graph:12:0-9,1-9,2-9,3-10,4-10,5-10,6-11,7-11,8-11,9-10,9-11,10-11+relay=9-11:switch"},
        {"anynet_file",
         "router 7 node 1 router 3 5\nrouter 3 node 0 router 7 2\n// comment\nrouter 9 router 3 router 7\n", "",
         "graph:3:0-1,0-2,1-2+relay=2:switch"},
    });
}

const char *const machine = "<?xml version='1.0'?><!-- a machine --><system version='1'>"
                            "<cpu numaid='0'><pci busid='0' class='0x060400'>"
                            "<pci busid='a' class='0x030200'><gpu dev='0' rank='1'>"
                            "<nvlink target='b' count='2' tclass='0x030200'/></gpu></pci>"
                            "<pci busid='n' class='0x020000'><nic><net name='x'/></nic></pci></pci></cpu>"
                            "<cpu numaid='1'><pci busid='b' class='0x030200'><gpu dev='1' rank='0'>"
                            "<nvlink target='a' count='2' tclass='0x030200'/></gpu></pci></cpu></system>";
const char *const switched = "<system><cpu><pci busid='a'><gpu><nvlink target='x' count='6' tclass='0x068000'/>"
                             "<nvlink target='y' count='6' tclass='0x068000'/></gpu></pci>"
                             "<pci busid='b'><gpu><nvlink target='x' count='12' tclass='0x068000'/></gpu></pci>"
                             "</cpu></system>";

TEST(GraphFiles, MachinesOfNccl)
{
    expect_same({
        {"a.xml", machine, "", "graph:5:0-1,0-4,1-3,2-3,2-4+relay=2-4:switch+weight=0-1:2"},
        {"a.xml", switched, "", "graph:4:0-2,0-3,1-2,1-3+relay=2-3:switch+weight=0-3:12+weight=1-3:12"},
    });
}

TEST(GraphFiles, MatrixOfNvidiaSmi)
{
    expect_same({
        {"topo.txt",
         "\tGPU0\tGPU1\tGPU2\tGPU3\tmlx5_0\tCPU Affinity\nGPU0\t X \tNV2\tPIX\tSYS\tPXB\t0-7\n"
         "GPU1\tNV2\t X \tSYS\tPIX\tSYS\t0-7\nGPU2\tPIX\tSYS\t X \tNV1\tSYS\n"
         "GPU3\tSYS\tPIX\tNV1\t X \tSYS\nmlx5_0\tPXB\tSYS\tSYS\tSYS\t X\n\nLegend:\n",
         "", "graph:7:0-1,0-4,1-5,2-3,2-4,3-5,4-6,5-6+relay=4-6:switch+weight=0-1:2"},
        {"topo.txt",
         "GPU0 GPU1 GPU2 GPU3\nGPU0 X NV12 NV12 NV12\nGPU1 NV12 X NV12 NV12\nGPU2 NV12 NV12 X NV12\n"
         "GPU3 NV12 NV12 NV12 X\n",
         "", "graph:5:0-4,1-4,2-4,3-4+relay=4:switch+weight=0-4:12+weight=1-4:12+weight=2-4:12+weight=3-4:12"},
        {"topo.txt", "GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4 X\n", "", "graph:2:0-1+weight=0-1:4"},
    });
}

TEST(GraphFiles, NetworksOfAstraSim)
{
    expect_same({
        {"ring.yml", "topology: [ Ring ]\nnpus_count: [ 5 ]\nbandwidth: [ 50.0 ]  # GB/s\nlatency: [ 500.0 ]\n", "",
         "graph:5:0-1,0-4,1-2,2-3,3-4"},
        {"pair.yml", "# two\nnpus_count: [2]\nbandwidth: [1]\ntopology: [Ring]\n", "", "graph:2:0-1"},
        {"two.yml", "topology: [ FullyConnected, Switch ]\nnpus_count: [ 3, 2 ]\nbandwidth: [ 37.5, 12.5 ]\n", "",
         "graph:9:0-1,0-2,0-6,1-2,1-7,2-8,3-4,3-5,3-6,4-5,4-7,5-8+relay=6-8:switch+weight=0-1:3+weight=0-2:3"
         "+weight=1-2:3"
         "+weight=3-4:3+weight=3-5:3+weight=4-5:3"},
        {"grid.yml", "topology: [ Ring, Ring ]\nnpus_count: [ 2, 2 ]\nbandwidth: [ 100, 100 ]\n", "",
         "graph:4:0-1,0-2,1-3,2-3"},
        {"ns3.txt", "3 1 2\n2\n0 2 400Gbps 0.0005ms 0\n1 2 200Gbps 0.0005ms 0\n", "",
         "graph:3:0-2,1-2+relay=2:switch+weight=0-2:2"},
        {"ns3.txt", "3 0 3\n\n0 1 2.5Mbps 1us 0\n1 2 500Kbps 1us\n0 2 1000000bps\n", "",
         "graph:3:0-1,0-2,1-2+weight=0-1:5+weight=0-2:2"},
    });
}

// A chunk takes so long on a link; links are [to][from].
TEST(GraphFiles, MachinesOfTaccl)
{
    expect_same({
        {"hub.json", R"({"name": "a", "gpus_per_node": 3, "alpha": 1, "node_betas_list": [8]})", "",
         "graph:3:0-1,0-2,1-2"},
        {"ring.json",
         R"({"gpus_per_node": 3, "links": [[0, 0, 1], [1, 0, 0], [1, 1, 0]],
             "betas": [[0, 0, 4.5], [1.5, 0, 0], [3, 1.5, 0]]})",
         "", "graph:3:0-1,0-2,1-2+weight=0-1:6/0+weight=0-2:3/2+weight=1-2:6/0"},
        {"mesh.json", R"({"TopologyParams": {"name": "Mesh", "side_length": 2}})", "", "graph:4:0-1,0-2,1-2,1-3,2-3"},
    });
}

// TE-CCL's DGX2 is two boxes of 16 GPUs on a switch; three of its NDv2 boxes hang on one.
TEST(GraphFiles, SwitchesOfTeccl)
{
    for (const auto &[text, switches] : {std::pair{R"({"TopologyParams": {"name": "DGX2", "chassis": 2}})", 2},
                                         std::pair{R"({"TopologyParams": {"name": "NDv2", "chassis": 3}})", 1}}) {
        const Topology read = parse(write_file("a.json", text).c_str());
        int found = 0;
        for (size_t v = 0; v < gfab_topology_node_count(read.get()); v++)
            found += gfab_topology_is_switch(read.get(), v);
        EXPECT_EQ(found, switches) << text;
    }
}

// Carriage returns alone end lines, too.
TEST(GraphFiles, LinesOfTheFirstMacintoshes)
{
    expect_same({
        {"m.net", "*Vertices 3\r1 \"a\"\r2 \"b\"\r3 \"c\"\r*Edges\r1 2\r2 3\n", "", "graph:3:0-1,1-2"},
        {"m.txt", "0 1\r1 2\r# 0 2\r", "", "graph:3:0-1,1-2"},
    });
}

// What a file makes switches may be said otherwise, and is in the canonical text.
TEST(GraphFiles, RelaysOfAFileMayBeOfAnotherKind)
{
    const char *const ns3 = "4 1 3\n3\n0 3 1Gbps\n1 3 1Gbps\n2 3 1Gbps\n";
    expect_same({
        {"n.txt", ns3, "", "graph:4:0-3,1-3,2-3+relay=3:switch"},
        {"n.txt", ns3, "+relays=true", "graph:4:0-3,1-3,2-3+relay=3"},
        {"n.txt", ns3, "+relays=switch:copy-combine", "graph:4:0-3,1-3,2-3+relay=3:switch:copy-combine"},
        {"n.txt", ns3, "+drop-node=2+relays=forward", "graph:3:0-2,1-2+relay=2:forward"},
    });
}

TEST(GraphFiles, MachinesByName)
{
    for (const auto &[text, machine] : {
             std::pair{R"({"gpus_per_node": 8, "node_betas_list": [23, 46]})", "machine:dgx1"},
             std::pair{R"({"TopologyParams": {"name": "DGX1"}, "GurobiParams": {}})", "machine:dgx1"},
             std::pair{R"({"TopologyParams": {"name": "NDv2", "chassis": 2}})", "machine:ndv2x2"},
         })
        EXPECT_TRUE(gfab_topology_equal(parse(write_file("a.json", text).c_str()).get(), parse(machine).get()));
}

TEST(GraphFiles, OptionsThatAreNone)
{
    const std::string spec = write_file("a.txt", "0 1\n1 2\n");
    for (const char *options : {"+links=one", "+parallel=two", "+loops=", "+weight-attribute=",
                                "+links=both+colour=red", "+parallel=add+lniks=both"}) {
        gfab_topology *read = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_topology_parse((spec + options).c_str(), &read, &diag), GFAB_ERR_PARSE) << options;
        EXPECT_NE(std::string(diag.message).find("topology \"file:"), std::string::npos) << diag.message;
        EXPECT_EQ(read, nullptr);
    }
}

// Each of these cut off anywhere, or with any byte changed, is read or refused.
TEST(GraphFiles, DamagedFilesDoNoHarm)
{
    const std::vector<std::pair<const char *, std::string>> files = {
        {"damaged.dot", "strict graph { { a:n b } -- c [packets=2]; node [relay=true]; c -- d }"},
        {"damaged.gml", "graph [ node [ id 0 relay 1 ] edge [ source 0 target 1 ] edge [ source 0 target 2 ] ]"},
        {"damaged.metis", "3 2 011 1\n9 2 4\n9 1 4 3 5\n9 2 5\n"},
        {"damaged.anynet", "router 7 node 1 router 3 5\nrouter 3 node 0 router 7 2\n"},
        {"damaged.xml", "<system><cpu><pci busid='a'><gpu><xgmi target='b'/></gpu></pci></cpu></system>"},
        {"damaged.yml", "topology: [ Ring, Switch ]\nnpus_count: [ 3, 2 ]\nbandwidth: [ 2.5, 5 ]\n"},
        {"damaged.ns3", "3 1 2\n2\n0 2 400Gbps 0.0005ms 0\n1 2 200Gbps 0.0005ms 0\n"},
        {"damaged.json", R"({"TopologyParams": {"name": "Mesh", "side_length": 2}})"},
        {"damaged2.json", R"({"gpus_per_node": 2, "links": [[0, 1], [1, 0]], "betas": [[0, 2], [1.5, 0]]})"},
        {"damaged.topo", "GPU0 GPU1 GPU2\nGPU0 X NV4 PIX\nGPU1 NV4 X SYS\nGPU2 PIX SYS X\n"},
    };
    expect_no_harm(files, {'\0', '{', '"', '9', ']', '\xff'});
}

const char *const ring3 = "graph:3:0-1,0-2,1-2";

TEST(GraphFiles, EdgeListsHaveNamesWeightsAndColumns)
{
    const char *heavy = "graph:3:0-1,0-2,1-2+weight=0-1:3+weight=0-2:3+weight=1-2:3";
    expect_same({
        {"a.edges", "0 1 3\n1 2 3\n2 0 3\n", "", heavy},
        {"a.edges", "0 1 {'weight': 3}\n1 2 {'weight': 3}\n2 0 {'weight': 3}\n", "", heavy},
        {"a.edges", "a b {}\nb c {'colour': 'red'}\nc a {}\n", "", ring3},
        {"a.csv", "source,target,weight\na,b,3\nb,c,3\n\"c\",a,3\n", "", heavy},
        {"a.csv", "From;To\na;b\nb;c\nc;a\n", "", ring3},
        {"a.csv", "u,v,bandwidth\na,b,30\nb,c,30\nc,a,30\n", "", ring3},
        {"a.csv", "u,v,since\na,b,30\nb,c,1.5\nc,a,0\n", "", ring3},
        {"a.txt", "% a comment\n// another\n1 2\n2 3 # one\n3\t1\n", "", ring3},
        {"a.txt", "1 2 0.5\n2 3 7e-3\n3 1 -1\n", "+weight-attribute=none", ring3},
        {"a.txt", "b0g0 -> leaf\nleaf -> b0g0\nleaf -- b0g1\n", "", "graph:3:0-1,1-2"},
        {"a.txt",
         "\xef\xbb\xbf"
         "0 1\r\n1 2\r\n2 0\r\n",
         "", ring3},
    });
}

TEST(GraphFiles, ListsBehindACount)
{
    expect_same({
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% x\n3 3 3\n2 1\n3 2\n3 1\n", "", ring3},
        {"a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 3\n2 1 4\n", "",
         "graph:2:0-1+weight=0-1:3/4"},
        {"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 0.25\n", "+weight-attribute=none",
         "graph:2:0-1"},
        {"a.net", "*Vertices 3\n1 \"Oslo\" 0.1 0.2\n2 \"B\"\n3 \"C\"\n*Edges\n1 2 4\n2 3 1\n*Arcs\n1 3\n3 1 1\n", "",
         "graph:3:0-1,0-2,1-2+weight=0-1:4"},
        {"a.net", "% x\n*vertices 3\n*edgeslist\n1 2 3\n2 3\n", "", ring3},
    });
}

TEST(GraphFiles, NodeLinkJson)
{
    expect_same({
        {"a.json", R"({"directed": false, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
             "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 0}]})",
         "", ring3},
        {"a.json", R"({"directed": true, "nodes": [{"id": "s", "relay": "switch"}, {"id": "a"}, {"id": [1, 2]}],
             "edges": [{"source": "s", "target": "a", "weight": 2}, {"source": "a", "target": "s"},
                       {"source": "s", "target": [1, 2], "key": 0}, {"source": [1, 2], "target": "s", "x": null}]})",
         "", "graph:3:0-1,0-2+relay=0:switch+weight=0-1:2/1"},
        {"a.json", R"({"nodes": [{"name": "Myriel"}, {"name": "Valjean"}],
             "links": [{"source": 1, "target": 0, "value": 1.5}]})",
         "", "graph:2:0-1"},
        {"a.json", R"({"elements": {"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}],
             "edges": [{"data": {"source": "a", "target": "b", "packets": 3}}]}})",
         "", "graph:2:0-1+weight=0-1:3"},
    });
}

TEST(GraphFiles, WhatClustersHave)
{
    const char *slurm = "# two levels\nSwitchName=s0 Nodes=n[0-1] LinkSpeed=1\nSwitchName=s1 nodes=n[02-03],x\n"
                        "SwitchName=s2 Switches=s[0-1]\n";
    const char *fabric =
        "vendid=0x2c9\nSwitch\t36 \"S-1\"\t# \"sw0\" enhanced\n[1]\t\"H-1\"[1](1)\t# \"n0\" lid 2 4xEDR\n"
        "[2]\t\"H-2\"[1](2)\t# \"n1\" lid 3 4xHDR\n\nCa\t1 \"H-1\"\t# \"n0\"\n[1](1)\t\"S-1\"[1]\t# \"sw0\" 4xEDR\n\n"
        "Ca\t1 \"H-2\"\t# \"n1\"\n[1](2)\t\"S-1\"[2]\t# \"sw0\" 4xHDR\n";
    const char *flow = "arch: {0: a, 5: a}\nethernet_connections: [[{chip: 0, chan: 8}, {chip: 5, chan: 0}],\n"
                       "[{chip: 0, chan: 9}, {chip: 5, chan: 1}]]\nchips_with_mmio: [0: 0]\n";
    const char *block = "ethernet_connections:\n  -\n    - chip: 0\n      chan: 1\n    - chip: 1\n      chan: 1\n"
                        "ethernet_connections_to_remote_devices:\n  -\n    - chip: 0\n      chan: 2\n"
                        "    - remote_chip_id: 7\n";
    const char *mesh = "mesh_descriptors {\n  device_topology { dims: [ 2, 2 ] }\n  channels { count: 4 }\n}\n";
    const char *torus = "# instances, instances; RING or not\nmesh_descriptors {\n  device_topology { dims: [ 2, 3 ] "
                        "dim_types: [ LINE, RING ] }\n}\ninstances { }\n";
    const char *amd =
        "==== Hops between two GPUs ====\n      GPU0 GPU1 GPU2\nGPU0  0    1    2\nGPU1  1    0    1\nGPU2  2    1    "
        "0\n"
        "==== Link Type between two GPUs ====\n      GPU0 GPU1 GPU2\nGPU0  0    XGMI XGMI\nGPU1  XGMI 0    XGMI\n"
        "GPU2  XGMI XGMI 0\n==== Numa Nodes ====\n";
    expect_same({
        {"topology.conf", slurm, "", "graph:8:0-5,1-5,2-6,3-6,4-6,5-7,6-7+relay=5-7:switch"},
        {"ib.txt", fabric, "", "graph:3:0-2,1-2+relay=2:switch+weight=1-2:2"},
        {"tt.yaml", flow, "", "graph:2:0-1+weight=0-1:2"},
        {"tt.yaml", block, "", "graph:2:0-1"},
        {"tt.textproto", mesh, "", "graph:4:0-1,0-2,1-3,2-3+weight=0-1:4+weight=0-2:4+weight=1-3:4+weight=2-3:4"},
        {"tt.textproto", torus, "", "graph:6:0-1,0-2,0-3,1-2,1-4,2-5,3-4,3-5,4-5"},
        {"smi.txt", amd, "", "graph:3:0-1,1-2"},
        {"smi.txt",
         "user@host:~$ nvidia-smi topo -m\n\t\x1b[4mGPU0\tGPU1\tCPU Affinity\x1b[0m\nGPU0\t X \tNV4\t0-79\n"
         "GPU1\tNV4\t X \t0-79\n",
         "", "graph:2:0-1+weight=0-1:4"},
    });
}

TEST(GraphFiles, CloudsMachines)
{
    const std::string head = "<!-- a cloud's --><system version='1'><cpu numaid='0'>",
                      gpus = "<pci busid='b' class='0x060400'><pci busid='g0' class='0x030200'/><pci busid='g1' "
                             "class='0x120000'/><pci busid='n' class='0x020700'/></pci></cpu>";
    const std::string plain = head + gpus + "</system>";
    const std::string hosts =
        "<system version='2'><cpu host_hash='0x1' numaid='0'><pci busid='a' class='0x030200'><gpu "
        "rank='0'><nvlink target='x' count='4' tclass='0x068000'/><nvlink target='a' count='9'/></gpu>"
        "</pci></cpu><cpu host_hash='0x2' numaid='0'><pci busid='a' class='0x030200'><gpu rank='1'>"
        "<nvlink target='x' count='4' tclass='0x068000'/></gpu></pci></cpu></system>";
    expect_same({
        {"a.xml", plain.c_str(), "", "graph:4:0-3,1-3,2-3+relay=2-3:switch"},
        {"a.xml", hosts.c_str(), "", "graph:5:0-2,0-4,1-3,1-4+relay=2-4:switch+weight=0-4:4+weight=1-4:4"},
    });
}

// Two GPUs on a PCIe switch of one processor, one on the other's; a card, and a screen that is no GPU.
std::string hwloc(const std::string &links)
{
    const auto gpu = [](int gp, const std::string &bus, const std::string &name) {
        return "<object type='PCIDev' gp_index='" + std::to_string(gp) + "' pci_busid='" + bus +
               "' pci_type='0302 [10de:1db8] [10de:131d] a1 00'><object type='OSDev' gp_index='" +
               std::to_string(gp + 1) + "' name='" + name + "' osdev_type='5'/></object>";
    };
    return "<?xml version='1.0'?><!DOCTYPE topology SYSTEM 'hwloc2.dtd'><topology version='2.0'>"
           "<object type='Machine' os_index='0' gp_index='1'><object type='Package' os_index='0' gp_index='2'>"
           "<object type='L3Cache' gp_index='3'><object type='Core' gp_index='4'><object type='PU' "
           "gp_index='5'/></object>"
           "</object><object type='Bridge' gp_index='6' bridge_type='0-1'><object type='Bridge' gp_index='7'>" +
           gpu(10, "a", "cuda0") + gpu(12, "b", "cuda1") +
           "</object><object type='PCIDev' gp_index='8' pci_type='0200 [15b3:1013]'><object type='OSDev' gp_index='9' "
           "name='eth0'/></object></object></object><object type='Package' os_index='1' gp_index='20'>"
           "<object type='PCIDev' gp_index='21' pci_type='0300 [102b:0534]'/>"
           "<object type='Bridge' gp_index='22'><object type='Bridge' gp_index='23'>" +
           gpu(14, "c", "nvml0") + "</object></object></object></object>" + links + "</topology>";
}

TEST(GraphFiles, MachinesOfHwloc)
{
    // Of the bridges one has two ways to GPUs; those of GPU c are a wire.
    const std::string plain = hwloc(""), latency = hwloc("<distances2 type='NUMANode' nbobjs='2' name='NUMALatency'>"
                                                         "<indexes length='4'>0 1 </indexes></distances2>");
    const std::string links =
        hwloc("<distances2 type='OSDev' nbobjs='3' name='NVLinkBandwidth' indexing='gp'><indexes length='9'>11 13 15 "
              "</indexes><u64values length='20'>900 50000 25000</u64values><u64values>50000 900 0 25000 0 900"
              "</u64values></distances2>");
    const std::string hetero = hwloc("<distances2hetero nbobjs='2' name='XGMIBandwidth'><indexes>OSDev:11 Package:20 "
                                     "</indexes><u64values>0 7 7 0</u64values></distances2hetero>");
    const char *const tree = "graph:6:0-4,1-4,2-5,3-4,3-5+relay=3-5:switch";
    expect_same({
        {"a.xml", plain.c_str(), "", tree},
        {"a.xml", latency.c_str(), "", tree},
        {"a.xml", links.c_str(), "", "graph:6:0-1,0-2,0-4,1-4,2-5,3-4,3-5+relay=3-5:switch+weight=0-1:2"},
        {"a.xml", hetero.c_str(), "", "graph:6:0-4,0-5,1-4,2-5,3-4,3-5+relay=3-5:switch"},
    });
    expect_refused_texts({
        {"<topology version='2.0'><object type='Machine' gp_index='1'/></topology>", GFAB_ERR_INVALID,
         "hwloc's XML without a GPU"},
        {hwloc("<distances2 name='NVLinkBandwidth'><indexes>11 99 </indexes></distances2>"), GFAB_ERR_INVALID,
         "links of \"99\", which is no device"},
        {hwloc("<distances2 name='NVLinkBandwidth'><indexes>11 13 </indexes><u64values>0 1 1</u64values></distances2>"),
         GFAB_ERR_INVALID, "links between 2 devices are 4 numbers, not 3"},
        {hwloc("<distances2 name='NVLinkBandwidth'><indexes>11 13 </indexes><u64values>0 x</u64values></distances2>"),
         GFAB_ERR_PARSE, "\"x\" where a number is expected"},
        {hwloc("<distances2 name='NVLinkBandwidth'><indexes>11 13 </indexes><u64values>0 1 65536 0</u64values>"
               "</distances2>"),
         GFAB_ERR_LIMIT, "above 65535"},
    });
}

TEST(GraphFiles, PlatformsOfSimgrid)
{
    const std::string head = "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'simgrid.dtd'><platform version='4.1'>";
    const auto cluster = [&](const std::string &hosts, const std::string &more) {
        return head +
               "<zone id='z' routing='Full'><cluster id='c' prefix='n-' suffix='.x' speed='1Gf' bw='1GBps' lat='1us' "
               "radical='" +
               hosts + "' " + more + "/></zone></platform>";
    };
    const std::string routes =
        head + "<AS id='z' routing='Floyd'><host id='a' speed='1'/><host id='b'/><router id='r'/>"
               "<link id='1' bandwidth='10Gbps' latency='1'/><link id='2' bandwidth='40Gbps'/><link id='3' "
               "bandwidth='10Gbps'/><route src='a' dst='r'><link_ctn id='1'/></route><route src='r' dst='b'><link_ctn "
               "id='2'/></route><route src='a' dst='b'><link_ctn id='1'/><link_ctn id='2'/></route>"
               "<route src='a' dst='a'><link_ctn id='3'/></route></AS></platform>";
    const std::string one_way = head + "<zone id='z' routing='Full'><host id='a'/><host id='b'/><link id='1' "
                                       "bandwidth='1GBps'/><link id='2' bandwidth='2GBps'/><route src='a' dst='b' "
                                       "symmetrical='NO'><link_ctn id='1'/></route><route src='b' dst='a' "
                                       "symmetrical='no'><link_ctn id='2'/></route></zone></platform>";
    const std::string zones = head +
                              "<zone id='z' routing='Full'><cluster id='c' prefix='a' suffix='' bw='1GBps' "
                              "radical='0-1' router_id='ra'/><cluster id='d' prefix='b' bw='1GBps' radical='0,2'/>"
                              "<link id='l' bandwidth='2GBps'/><zoneRoute src='c' dst='d' gw_src='ra' "
                              "gw_dst='bd_router'><link_ctn id='l'/></zoneRoute></zone></platform>";
    const std::string star = cluster("0-1,5", ""), backbone = cluster("0-1", "bb_bw='3GBps'"),
                      torus = cluster("0-5", "topology='TORUS' topo_parameters='3,2'"),
                      tree = cluster("0-3", "topology='FAT_TREE' topo_parameters='2;2,2;1,2;1,3'");
    expect_same({
        {"p.xml", star.c_str(), "", "graph:4:0-3,1-3,2-3+relay=3:switch"},
        {"p.xml", backbone.c_str(), "",
         "graph:4:0-2,0-3,1-2,1-3,2-3+relay=2-3:switch+weight=0-2:1/0+weight=0-3:0/1+weight=1-2:1/0+weight=1-3:0/1"
         "+weight=2-3:3/0"},
        {"p.xml", torus.c_str(), "",
         "graph:6:0-1,0-2,0-3,1-2,1-4,2-5,3-4,3-5,4-5+weight=0-3:2+weight=1-4:2+weight=2-5:2"},
        {"p.xml", tree.c_str(), "",
         "graph:8:0-4,1-4,2-5,3-5,4-6,4-7,5-6,5-7+relay=4-7:switch+weight=4-6:3+weight=4-7:3+weight=5-6:3+weight=5-7:"
         "3"},
        {"p.xml", routes.c_str(), "", "graph:3:0-2,1-2+relay=2:switch+weight=1-2:4"},
        {"p.xml", routes.c_str(), "+weight-attribute=none", "graph:3:0-2,1-2+relay=2:switch"},
        {"p.xml", one_way.c_str(), "", "graph:2:0-1+weight=0-1:1/2"},
        {"p.xml", zones.c_str(), "", "graph:6:0-4,1-4,2-5,3-5,4-5+relay=4-5:switch+weight=4-5:2"},
    });
    const std::string hosts = "<host id='a'/><host id='b'/><host id='c'/>", link = "<link id='1' bandwidth='1GBps'/>",
                      link2 = "<link id='2' bandwidth='1GBps'/>";
    const auto platform = [&](const std::string &body) { return head + "<zone id='z'>" + body + "</zone></platform>"; };
    expect_refused_texts({
        {platform(hosts), GFAB_ERR_INVALID, "SimGrid's platform without a link"},
        {platform(hosts + link + "<route src='a' dst='b'><link_ctn id='2'/></route>"), GFAB_ERR_INVALID,
         "no <link> before has this id"},
        {platform(hosts + link + link2 + "<route src='a' dst='b'><link_ctn id='1'/><link_ctn id='2'/></route>"),
         GFAB_ERR_UNSUPPORTED, "does not say what lies between them"},
        {platform(hosts + link +
                  "<route src='a' dst='b'><link_ctn id='1'/></route><route src='a' dst='c'>"
                  "<link_ctn id='1'/></route>"),
         GFAB_ERR_UNSUPPORTED, "the link \"1\" is on two routes of its own"},
        {platform("<link bandwidth='1GBps'/>"), GFAB_ERR_PARSE, "<link> without id="},
        {platform(hosts + "<link id='1' bandwidth='fast'/><route src='a' dst='b'><link_ctn id='1'/></route>"),
         GFAB_ERR_PARSE, "bandwidth is \"fast\""},
        {platform(hosts + link + "<route src='a'><link_ctn id='1'/></route>"), GFAB_ERR_PARSE, "<route> without dst="},
        {platform("<peer id='p'/>"), GFAB_ERR_UNSUPPORTED, "SimGrid's <peer> is not read"},
        {cluster("0-", ""), GFAB_ERR_PARSE, "radical is \"0-\""},
        {cluster("0-5", "topology='TORUS' topo_parameters='3,3'"), GFAB_ERR_UNSUPPORTED, "sides such as 3,2,2"},
        {cluster("0-5", "topology='FAT_TREE' topo_parameters='2;2,2;1,2'"), GFAB_ERR_UNSUPPORTED, "levels such as"},
        {cluster("0-5", "topology='RING' topo_parameters='1'"), GFAB_ERR_UNSUPPORTED,
         "FLAT, TORUS, FAT_TREE or DRAGONFLY is expected"},
    });
}

TEST(GraphFiles, DragonfliesOfSimgrid)
{
    const auto dragonfly = [](const char *hosts, const char *shape) {
        return std::string("<?xml version='1.0'?><platform version='4.1'><zone id='z' routing='Full'><cluster id='c' "
                           "prefix='h' suffix='' bw='1GBps' topology='DRAGONFLY' radical='") +
               hosts + "' topo_parameters='" + shape + "'/></zone></platform>";
    };
    const std::string groups = dragonfly("0-3", "2,3;1,1;2,2;1"), chassis = dragonfly("0-3", "1,1;2,3;2,1;1");
    expect_same({
        {"p.xml", groups.c_str(), "",
         "graph:8:0-4,1-5,2-6,3-7,4-5,5-6,6-7+relay=4-7:switch+weight=4-5:2+weight=5-6:3+weight=6-7:2"},
        {"p.xml", chassis.c_str(), "",
         "graph:8:0-4,1-5,2-6,3-7,4-5,4-6,5-7,6-7+relay=4-7:switch+weight=4-6:3+weight=5-7:3"},
    });
    expect_refused_texts({
        {dragonfly("0-5", "1"), GFAB_ERR_UNSUPPORTED, "a shape such as"},
        {dragonfly("0-5", "3,1;1,1;2,1;1"), GFAB_ERR_UNSUPPORTED, "a shape such as"},
    });
}

TEST(GraphFiles, XmlAsDocumentsAre)
{
    expect_same({
        {"a.graphml",
         "<!DOCTYPE graphml SYSTEM \"x.dtd\"><graphml><graph edgedefault='undirected'><node id='a'/>"
         "<node id='b'/><edge source='a' target='b'/></graph></graphml>",
         "", "graph:2:0-1"},
        {"a.graphml",
         "<?xml version='1.0'?><g:graphml xmlns:g='urn:x'><g:graph edgedefault='undirected'><g:node id='a'/>"
         "<g:node id='b'/><g:edge source='a' target='b'/></g:graph></g:graphml>",
         "", "graph:2:0-1"},
    });
}

TEST(GraphFiles, AttributesHaveUnits)
{
    const auto note = [](const Topology &t) {
        const char *said = gfab_topology_note(t.get());
        return std::string(said ? said : "");
    };
    const Topology rates = parse(write_file("a.dot", "graph { edge [bandwidth=\"25 GB/s\"]; a -- b [color=red]; "
                                                     "b -- c [bandwidth=\"400Gbps\", color=blue]; c -- a }"));
    EXPECT_EQ(without_names(rates.get()), std::string(ring3) + "+weight=1-2:2");
    EXPECT_EQ(note(rates), "a link of weight 1 carries 200 Gbit/s, which is 25 GB/s; 2 attributes passed over: color");
    EXPECT_EQ(note(parse(write_file("b.dot", "graph { a -- b }"))), "");
    const Topology changed = parse(write_file("c.dot", "graph { a -- b [x=1] }") + "+weight=a-b:3");
    EXPECT_EQ(note(changed), "1 attribute passed over: x");
    const std::string speeds = "SwitchName=a Nodes=n[0-1] LinkSpeed=1\nSwitchName=b Switches=a Nodes=n2 linkspeed=2\n";
    EXPECT_EQ(note(parse(write_file("topology.conf", speeds))), "2 attributes passed over: LinkSpeed");
}

} // namespace
