#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# torchrun of torch 2.13.0 (2.13.0+cpu): which process listens on MASTER_PORT.
#
# Input: torchrun starts two processes with a port of the caller's choice, and rank 0 tries to listen on
# MASTER_ADDR:MASTER_PORT, as rank 0 of a job does that takes these names at their word.
#
# Behaviour seen:
#   1. The port is taken before the workers run: torchrun itself listens there, with a store for its workers, and sets
#      TORCHELASTIC_USE_AGENT_STORE=True for them.
#   2. So a program that is not torch's needs another port.
#
# Needs Python 3.10 or newer with venv and pip, and 1.5 GB; installs pinned packages in a temporary folder, without
# their dependencies: let pip find the build of torch for CPUs (PIP_FIND_LINKS, PIP_EXTRA_INDEX_URL). Fails if the behaviour changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check --no-cache-dir install --no-deps torch==2.13.0 filelock==4.0.8 \
  typing_extensions==4.16.0 sympy==1.14.0 mpmath==1.3.0 networkx==3.6.1 jinja2==3.1.6 markupsafe==3.0.3 \
  fsspec==2026.9.0 >log 2>&1 || { cat log >&2; exit 1; }

cat >worker.py <<'EOF'
import errno, os, socket
if os.environ["RANK"] == "0":
    try:
        socket.create_server((os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))).close()
        print("free")
    except OSError as e:
        print("in use" if e.errno == errno.EADDRINUSE else e, "agent store", os.environ["TORCHELASTIC_USE_AGENT_STORE"])
EOF
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
venv/bin/torchrun --nproc-per-node=2 --master-port="$port" worker.py >found 2>log || { cat log >&2; exit 1; }
echo "MASTER_PORT is $(cat found)"
[[ $(cat found) == 'in use agent store True' ]] || { echo 'changed: torchrun does not have the port' >&2; exit 1; }
