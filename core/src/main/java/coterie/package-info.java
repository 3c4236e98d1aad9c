// SPDX-License-Identifier: Apache-2.0

/// Teams of processing elements over a partitioned global address space.
///
/// A *processing element* (PE) is one JVM of a job, or one thread of a JVM in threads mode. `coterie run -n 4
/// Program.java` starts four PEs; plain `java` starts one.
///
/// | type | what it is |
/// |---|---|
/// | [coterie.World] | all PEs of the job: join, number of the caller, allocate, close |
/// | [coterie.SymmetricMemory] | a block of memory that every PE has at the same offset |
/// | [coterie.ElementView], [coterie.SignalWord] | views of a block; they have put, get, atomics and waits |
/// | [coterie.Context] | orders and completes the operations of the views that go through it |
/// | [coterie.Team] | an ordered set of PEs that act together: barrier, sum, broadcast |
/// | [coterie.Coterie] | starts a job from a running program, as an IDE does |
///
/// One-sided operations belong to views: the caller acts, and the other PE does nothing. No misuse has an
/// undefined result: bad input, misuse and failed PEs end in an exception that names them.
@NullMarked
package coterie;

import org.jspecify.annotations.NullMarked;
