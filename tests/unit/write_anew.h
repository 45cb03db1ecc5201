// SPDX-License-Identifier: MIT
// Files that a test writes again and again.
#ifndef GFAB_TESTS_WRITE_ANEW_H
#define GFAB_TESTS_WRITE_ANEW_H

#include <filesystem>
#include <fstream>
#include <string>

// A file of its own each time: ext4 writes out at once what takes the place of a file's text, and the next one to do
// so waits for the disk, 3 ms.
inline void write_anew(const std::filesystem::path &path, const std::string &text)
{
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << text;
}

#endif
