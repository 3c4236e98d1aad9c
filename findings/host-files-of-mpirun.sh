#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# MPICH 4.0.2 and Open MPI 4.1.4 (Debian 12: 4.0.2-3+b1, 4.1.4-3+b1): files with the hosts of a job, which both take by
# an option and document as "one host in a line".
#
# Input: the same files for both, with this machine as host; each process prints a word.
#
# Behaviour seen:
#   1. "name slots=2", Open MPI's form: MPICH ends with an error, "token slots not supported at this time".
#   2. "name:2", MPICH's form: Open MPI ends with an error about node names, although its option --host takes the same
#      word and starts two processes.
#   3. A name in two lines: without numbers both start a process for each line. With "name:1" and "name:2" MPICH starts
#      three; with "slots=1" and "slots=2" Open MPI ends with an error, since the number is given twice.
# So the only form that both take is that of PBS, the name once for each process; and a program that reads both forms
# must not take two numbers of slots for their sum.
#
# Needs dpkg and apt's lists of Debian 12. Changes nothing outside a temporary folder. Fails if the behaviour changes.
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

expect() { # what is seen: a number of processes or a part of a message; launcher and options
  local code=0 seen
  "${@:2}" echo process >log 2>&1 || code=$?
  if [[ $code -eq 0 ]]; then seen=$(grep -c '^process$' log); else seen=$(tr -s ' \n' ' ' <log); fi
  echo "${*:2}: ${seen:0:160}"
  [[ $seen == *"$1"* ]] || { echo "changed: not \"$1\"" >&2; exit 1; }
}
mpich=(root/usr/bin/mpiexec.hydra -f)
openmpi=(root/usr/bin/mpirun.openmpi --hostfile)
printf 'localhost slots=2\n' >slots
printf 'localhost:2\n' >colon
printf 'localhost\nlocalhost\n' >names
printf 'localhost slots=1\nlocalhost slots=2\n' >slots-twice
printf 'localhost:1\nlocalhost:2\n' >colon-twice
expect 'token slots not supported' "${mpich[@]}" slots
expect 2 "${openmpi[@]}" slots
expect 2 "${mpich[@]}" colon
expect 'regular expression of the node names' "${openmpi[@]}" colon
expect 2 root/usr/bin/mpirun.openmpi --host localhost:2
expect 2 "${mpich[@]}" names
expect 2 "${openmpi[@]}" names
expect 3 "${mpich[@]}" colon-twice
expect 'multiple definitions of the slot count' "${openmpi[@]}" slots-twice
