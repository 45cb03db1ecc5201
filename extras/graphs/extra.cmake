# SPDX-License-Identifier: MIT
# Graphs from files: the forms beside DOT, which core/topology/dot reads.
gfab_layer(graphs
    SOURCES extras/graphs/anynet.c extras/graphs/astra.c extras/graphs/boxes.c extras/graphs/file.c extras/graphs/gml.c
            extras/graphs/forms.c extras/graphs/graph_xml.c extras/graphs/graphml.c extras/graphs/infiniband.c
            extras/graphs/lists.c extras/graphs/matrix.c extras/graphs/nccl.c extras/graphs/node_link.c
            extras/graphs/hwloc.c extras/graphs/simgrid.c extras/graphs/slurm.c extras/graphs/smi.c
            extras/graphs/tenstorrent/blocks.c extras/graphs/tenstorrent/cluster.c
            extras/graphs/tenstorrent/descriptor.c extras/graphs/tenstorrent/mesh.c
            extras/graphs/tenstorrent/text.c extras/graphs/tenstorrent/yaml.c extras/graphs/vertices.c
    HEADERS extras/graphs/graph_xml.h extras/graphs/readers.h extras/graphs/tenstorrent/blocks.h
            extras/graphs/tenstorrent/mesh.h
    USES topology
    LIBRARIES PkgConfig::JANSSON PkgConfig::EXPAT)
