// SPDX-License-Identifier: MIT
// stream_lockstep FOLDER TRACE [mutant]: the C model against what tb_stream.v wrote of the RTL, +trace, to a file, or -
// for standard input. mutant: of a model that is wrong.
#include "model.h"

#include <cstring>
#include <fstream>
#include <iostream>

int main(int argc, char **argv)
{
    if (argc < 3)
        stream::give_up("FOLDER TRACE");
    stream::Model model(argv[1], argc > 3);
    std::ifstream file(argv[2]);
    std::istream &trace = std::strcmp(argv[2], "-") == 0 ? std::cin : file;
    for (std::string line; std::getline(trace, line);)
        model.play(line);
    if (model.cycles() == 0)
        stream::give_up("an empty trace");
    std::cout << model.cycles() << " cycles the same in the C model and in the RTL\n";
    return 0;
}
