// SPDX-License-Identifier: Apache-2.0

/// The conduit over UCX, the engine of OpenSHMEM and MPI libraries for InfiniBand, RoCE and TCP:
/// [coterie.ucx.UcxProvider].
///
/// ```
///  UcxChannel ─► UcxTransfers ── ucp_put, ucp_get ──► heap of the peer
///                UcxQuiets  └─── active message ────► MessageAgent of the peer: words, signals, quiets
///  UcxWorker     the lock, progress, requests under way, endpoints, lost peers
///  EventThread   progress while the program computes
/// ```
///
/// Bytes of the heap travel by puts and gets of UCX. Words, signals and all accesses to the region SYNC
/// travel by active messages, which the target applies with the processor's atomics: see decision 0050.
@NullMarked
package coterie.ucx;

import org.jspecify.annotations.NullMarked;
