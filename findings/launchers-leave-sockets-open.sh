#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# MPICH 4.0.2 and Open MPI 4.1.4 (Debian 12: 4.0.2-3+b1, 4.1.4-3+b1): what the processes of a job inherit of their
# launcher's sockets.
#
# Input: mpiexec or mpirun starts two processes, which list their descriptors and the listeners among them.
#
# Behaviour seen:
#   1. MPICH: each process has the descriptor of the socket at which the launcher listens, on all addresses, and
#      two more of its sockets. They stay open as long as a process of the job lives, and a tool that lists
#      listeners by process names each of them.
#   2. Open MPI: none of its listeners.
# So an audit that asks which process listens must compare the sockets with those of the process's parents.
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

cat >listeners <<'EOF'
#!/usr/bin/env bash
# A line for each inherited socket that listens: its address in the kernel's form.
for descriptor in /proc/$$/fd/*; do
  target=$(readlink "$descriptor") || continue
  [[ $target == socket:* ]] || continue
  inode=${target//[^0-9]/}
  awk -v inode="$inode" '$4 == "0A" && $10 == inode { print "listens at " $2 }' /proc/net/tcp
done
EOF
chmod +x listeners

expect() { # label, lines, launcher
  local seen
  "${@:3}" ./listeners >found 2>log
  seen=$(grep -c '^listens at 00000000:' found) || true
  echo "$1: $seen inherited listeners on all addresses in two processes"
  [[ $seen -eq $2 ]] || { echo "changed: not $2" >&2; exit 1; }
}
expect MPICH 2 root/usr/bin/mpiexec.hydra -n 2
[[ $(sort -u found | wc -l) -eq 1 ]] || { echo "changed: not the same listener" >&2; exit 1; }
expect 'Open MPI' 0 root/usr/bin/mpirun.openmpi --oversubscribe -n 2
