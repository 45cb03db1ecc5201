! SPDX-License-Identifier: MIT
program calls_mpi_f08
  use mpi_f08
  implicit none
  include 'calls_body.inc'
end program calls_mpi_f08
