! SPDX-License-Identifier: MIT
program calls_mpif
  implicit none
  include 'mpif.h'
  include 'calls_body.inc'
end program calls_mpif
