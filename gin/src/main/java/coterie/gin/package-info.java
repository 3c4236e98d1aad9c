// SPDX-License-Identifier: Apache-2.0

/// GIN, the one-sided network operations of NCCL's device API: windows, contexts, signals, counters, barriers.
///
/// ```java
/// DeviceCommunicator comm = DeviceCommunicator.create(world,
///         CommunicatorRequirements.DEFAULT.withConnectionType(ConnectionType.FULL).withSignals(1));
/// Window inbox = comm.registerWindow(memory);
/// Gin gin = comm.gin(0);
/// gin.put(comm.worldTeam(), right, inbox, 0, inbox, 4096, 4096, RemoteAction.weakSignalInc(0));
/// gin.waitSignal(0, 1); // the left neighbour's bytes are there
/// ```
///
/// What an observation says, and what it does not:
///
/// | observed | visible or reusable now | not |
/// |---|---|---|
/// | a weak signal of a put | that put's bytes | any other put, even an earlier one of the context |
/// | a weak signal without a put | | any put |
/// | a strong signal | its put, and all earlier ones of its sender, context and target | those of others |
/// | a counter at n | the sources of n puts with that counter may be reused | bytes at the target |
/// | [Gin#flush], [Gin#await] | sources of puts may be reused, bytes of gets are here | bytes at the target |
/// | [Gin#quiet], which NCCL does not have | all of the context is complete everywhere | |
/// | a barrier with [FenceLevel#NONE] | all members have come | any bytes |
/// | a barrier with [FenceLevel#PUT] | earlier puts of members to the caller, on its contexts | its gets |
/// | a barrier with [FenceLevel#GET] | the caller's earlier gets | puts of others |
///
/// A signal or counter id names another word in each context; a *VA signal*, a word of a window, is one word for
/// all contexts.
///
/// How an operation goes:
///
/// ```
///  gin.put(team, peer, …)
///    │ Targets: rank, connection; Window: range          before anything is sent
///    │ SignalUse: increments and adds do not mix         a load of the caller's memory, once used
///    ▼
///  the peer is direct ── copy, release, add              by the caller
///  otherwise          ── GinPeerQueue                       starts core's operation, keeps its ticket
///                          │ ProgressHook of the communicator, in each wait of the PE:
///                          │ tickets → counters, places in the queue
///                          ▼ quiet towards the peer → the strong signal at the head
/// ```
@FacePackage
@NullMarked
package coterie.gin;

import coterie.spi.FacePackage;
import org.jspecify.annotations.NullMarked;
