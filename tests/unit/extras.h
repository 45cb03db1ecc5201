// SPDX-License-Identifier: MIT
// Unit tests of core that take what an extra makes: in a build without it they are skipped, and say so.
#ifndef GOSSIPFAB_TEST_EXTRAS_H
#define GOSSIPFAB_TEST_EXTRAS_H

#include <gtest/gtest.h>

// The first line of such a test: WANTS_EXTRA(graphs);
#define WANTS_EXTRA(extra)  \
    if (GFAB_LACKS_##extra) \
    GTEST_SKIP() << "built without the extra " #extra

#endif
