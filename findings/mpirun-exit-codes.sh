#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# MPICH 4.0.2 and Open MPI 4.1.4 (Debian 12: 4.0.2-3+b1, 4.1.4-3+b1): the exit code of a job whose processes
# have failed.
#
# Input: mpiexec or mpirun starts two processes, which exit with the codes given.
#
# Behaviour seen:
#   1. MPICH: the job's code is the bitwise OR of the codes: 1 and 2 give 3, 64 and 192 give 192, 5 and 10 give
#      15. So it can be a code that no process has, with another meaning, such as 137 of 128 and 9.
#   2. Open MPI: the code of the process that fails first; the others are killed. With
#      orte_abort_on_non_zero_status 0, which keeps the others alive, the job's code is 0 although processes
#      have failed.
# So a script that reads the code of a job learns neither which code a process had, nor always that one has
# failed.
#
# Needs dpkg and apt's lists of Debian 12. Changes nothing outside a temporary folder. Fails if the behaviour
# changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
mkdir -p debs/partial
apt-get install --reinstall --download-only --yes --no-install-recommends -o Dir::Cache::archives="$work/debs" \
  mpich=4.0.2-3+b1 libmpich12=4.0.2-3+b1 openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 >log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu
export OPAL_PREFIX=$work/root/usr OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

expect() { # label, first code, second code, the job's, launcher
  local seen=0
  "${@:5}" sh -c "[ \"\${PMI_RANK:-\$OMPI_COMM_WORLD_RANK}\" = 0 ] && exit $2; exit $3" >log 2>&1 || seen=$?
  echo "$1: processes $2 and $3, job $seen"
  [[ $seen -eq $4 ]] || { echo "changed: not $4" >&2; exit 1; }
}
mpich=(root/usr/bin/mpiexec.hydra -n 2)
expect MPICH 1 2 3 "${mpich[@]}"
expect MPICH 64 192 192 "${mpich[@]}"
expect MPICH 5 10 15 "${mpich[@]}"
expect MPICH 128 9 137 "${mpich[@]}"
openmpi=(root/usr/bin/mpirun.openmpi --oversubscribe -n 2)
expect 'Open MPI' 0 7 7 "${openmpi[@]}"
expect 'Open MPI' 5 5 5 "${openmpi[@]}"
expect 'Open MPI, orte_abort_on_non_zero_status 0' 0 7 0 "${openmpi[@]}" --mca orte_abort_on_non_zero_status 0
expect 'Open MPI, orte_abort_on_non_zero_status 0' 3 5 0 "${openmpi[@]}" --mca orte_abort_on_non_zero_status 0
