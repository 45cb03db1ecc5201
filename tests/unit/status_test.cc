// SPDX-License-Identifier: MIT
#include <gossipfab/gossipfab.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace
{

TEST(Status, EveryCodeHasItsOwnPhrase)
{
    std::set<std::string> phrases;
    for (int s = GFAB_OK; s <= GFAB_ERR_INTERRUPTED; s++)
        phrases.insert(gfab_status_string(static_cast<gfab_status>(s)));
    EXPECT_EQ(phrases.size(), static_cast<size_t>(GFAB_ERR_INTERRUPTED) + 1);
    EXPECT_EQ(phrases.count(gfab_status_string(static_cast<gfab_status>(99))), 0u);
}

TEST(Status, FailFillsTheDiagnosticAndReturnsTheStatus)
{
    gfab_diag diag{};
    EXPECT_EQ(gfab_fail(&diag, 7, GFAB_ERR_PARSE, "bad %s %d", "thing", 3), GFAB_ERR_PARSE);
    EXPECT_EQ(diag.line, 7u);
    EXPECT_STREQ(diag.message, "bad thing 3");
    EXPECT_EQ(gfab_fail(nullptr, 7, GFAB_ERR_IO, "nobody listens"), GFAB_ERR_IO);
}

TEST(Status, AMessageIsOneLineAndNeverTooLong)
{
    gfab_diag diag{};
    const std::string text = "a\nb\tc\r" + std::string(2000, 'x');
    gfab_fail(&diag, 0, GFAB_ERR_INVALID, "%s", text.c_str());
    EXPECT_EQ(std::strlen(diag.message), sizeof diag.message - 1);
    EXPECT_EQ(std::string(diag.message).substr(0, 7), "a?b?c?x");
}

TEST(Version, IsTheHeaders)
{
    EXPECT_STREQ(gfab_version(), GFAB_VERSION);
}

} // namespace
