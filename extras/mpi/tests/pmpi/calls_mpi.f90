! SPDX-License-Identifier: MIT
program calls_mpi
  use mpi
  implicit none
  include 'calls_body.inc'
end program calls_mpi
