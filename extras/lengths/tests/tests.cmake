# SPDX-License-Identifier: MIT
gfab_unit_test(advise ${extras}/lengths/tests)
gfab_unit_test(lengths ${extras}/lengths/tests)
