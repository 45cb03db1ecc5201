// SPDX-License-Identifier: MIT
// Graphs in files, and files that are damaged.
#ifndef GFAB_TESTS_GRAPH_FILE_FIXTURE_H
#define GFAB_TESTS_GRAPH_FILE_FIXTURE_H

#include "fixture.h"
#include "write_anew.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// file:PATH of a file with this text, graph_test_NAME in a folder of the test, since others run beside it.
inline std::string write_file(const std::string &name, const std::string &text)
{
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string folder = testing::TempDir() + test->test_suite_name() + "." + test->name();
    std::filesystem::create_directories(folder);
    const std::string path = folder + "/graph_test_" + name;
    write_anew(path, text);
    return "file:" + path;
}

// Each of these cut off anywhere, which is what byte 0 stands for, or with any byte changed, is read or refused.
inline void expect_no_harm(const std::vector<std::pair<const char *, std::string>> &files,
                           const std::vector<char> &bytes)
{
    for (const auto &[name, text] : files)
        for (size_t i = 0; i < text.size(); i++)
            for (const char byte : bytes) {
                std::string damaged = text;
                damaged[i] = byte;
                if (byte == '\0')
                    damaged.resize(i);
                gfab_topology *t = nullptr;
                gfab_diag diag{};
                const gfab_status status = gfab_topology_parse(write_file(name, damaged).c_str(), &t, &diag);
                const Topology owned(t);
                EXPECT_EQ(status == GFAB_OK, !!t);
                EXPECT_EQ(status == GFAB_OK, diag.message[0] == '\0');
            }
}

#endif
