// SPDX-License-Identifier: MIT
// A board of the user's own: its folder read, and damaged.
#include "fixture.h"
#include "write_anew.h"

#include <gossipfab/gen/board.h>

#include <filesystem>
#include <string>

namespace
{

const char *const JSON = R"({"summary": "mine", "family": "ice40", "part": "a/b-1", "device": "up5k", "package": "sg48",
 "clock_hz": 12000000, "fabric_hz": 24000000, "logic_cells": 5280, "ram_blocks": 30, "leds": 3,
 "leds_active_low": true, "baud": 115200, "fusesoc": "mine", "openfpgaloader": "mine"})";

std::string write_folder(const std::string &json, const std::string &pins)
{
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string folder = testing::TempDir() + "board-" + test->name() + "/mine";
    std::filesystem::create_directories(folder);
    write_anew(folder + "/board.json", json);
    write_anew(folder + "/mine.pcf", pins);
    return folder;
}

TEST(Board, IsWhatItsFolderSays)
{
    const std::string folder = write_folder(JSON, "set_io i_clk 35\n");
    gfab_board *board = nullptr;
    gfab_diag diag{};
    for (const std::string &way : {folder, folder + "/", folder + "/../mine"}) {
        ASSERT_EQ(gfab_board_read(way.c_str(), &board, &diag), GFAB_OK) << diag.message;
        EXPECT_STREQ(board->name, "mine");
        EXPECT_STREQ(board->part, "a/b-1");
        EXPECT_EQ(board->fabric_hz, 24000000u);
        EXPECT_TRUE(board->leds_active_low);
        EXPECT_STREQ(board->pins, "set_io i_clk 35\n");
        gfab_board_free(board);
    }
    gfab_board_free(nullptr);
}

TEST(Board, WhatIsNoBoardSaysSo)
{
    gfab_board *board = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_board_read(nullptr, &board, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_board_read("/nowhere", &board, &diag), GFAB_ERR_IO);
    EXPECT_EQ(board, nullptr);
    EXPECT_EQ(gfab_board_read(write_folder("[]", "").c_str(), &board, &diag), GFAB_ERR_PARSE);
    EXPECT_STREQ(diag.message, "not an object");
    EXPECT_EQ(gfab_board_read(write_folder("{\n,", "").c_str(), &board, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(diag.line, 2u);
    EXPECT_EQ(gfab_board_read(write_folder(JSON, std::string("a\0b", 3)).c_str(), &board, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(gfab_board_read(write_folder(JSON, std::string((1 << 20) + 1, ' ')).c_str(), &board, &diag),
              GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_board_read(write_folder(JSON, std::string(1 << 20, ' ')).c_str(), &board, &diag), GFAB_OK);
    gfab_board_free(board);
}

// Files are called after a board, and a target of the folder's FuseSoC core.
TEST(Board, WordsOfToolsAreNoNames)
{
    gfab_board *board = nullptr;
    gfab_diag diag{};
    const std::string folder = write_folder(JSON, ""), other = folder.substr(0, folder.rfind('/')) + "/con";
    std::filesystem::remove_all(other);
    std::filesystem::rename(folder, other);
    EXPECT_EQ(gfab_board_read(other.c_str(), &board, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message,
                 "the folder's name 'con' is a device on Windows, where no file is called so; give another");
    for (const std::string target : {"default", "axis", "registers", "lint", "sim", "synth"}) {
        std::string json = JSON;
        json.replace(json.find("\"fusesoc\": \"mine\""), 17, "\"fusesoc\": \"" + target + "\"");
        EXPECT_EQ(gfab_board_read(write_folder(json, "").c_str(), &board, &diag), GFAB_ERR_INVALID) << target;
        EXPECT_EQ(diag.message,
                  "\"fusesoc\" '" + target + "' is a target that the FuseSoC core of every folder has; give another");
    }
}

// Cut off anywhere, or with any byte changed.
TEST(Board, DamagedFilesDoNoHarm)
{
    const std::string text = JSON;
    size_t read = 0;
    for (size_t i = 0; i < text.size(); i++)
        for (const char byte : {'\0', '"', '{', '}', '9', '-', ',', '\\', '@', '\n', '\xff'}) {
            std::string damaged = text;
            damaged[i] = byte;
            if (byte == '\0')
                damaged.resize(i);
            gfab_board *board = nullptr;
            gfab_diag diag{};
            const gfab_status status = gfab_board_read(write_folder(damaged, "").c_str(), &board, &diag);
            EXPECT_EQ(status == GFAB_OK, !!board);
            EXPECT_EQ(status == GFAB_OK, diag.message[0] == '\0');
            if (board) {
                EXPECT_EQ(std::string(board->part).find_first_of("\"\\@\n "), std::string::npos);
                EXPECT_LE(board->leds, 8u);
                read++;
            }
            gfab_board_free(board);
        }
    EXPECT_GT(read, 100u); // a letter or a digit that may be another one
}

} // namespace
