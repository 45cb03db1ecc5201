# SPDX-License-Identifier: MIT
gfab_unit_test(board ${extras}/board/tests)
