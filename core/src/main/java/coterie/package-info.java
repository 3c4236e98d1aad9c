// SPDX-License-Identifier: Apache-2.0

/// What a program imports: the world, its symmetric memory, one-sided operations, teams.
///
/// A *processing element* (PE) is one JVM of a job, or one thread of it in threads mode. `coterie run -n 4
/// Program.java` starts four of them; plain `java` starts one.
///
/// | type | what it is |
/// |---|---|
/// | [coterie.World] | all PEs of the job: join, who am I, allocate, close |
/// | [coterie.SymmetricMemory] | a block that every PE has at the same offset |
/// | [coterie.Context] | put, get, atomics, order, waits: one PE acts, the other does nothing |
/// | [coterie.Team] | PEs that act together: barrier, sum, broadcast |
/// | [coterie.Coterie] | starts a job from a running program, as an IDE does |
///
/// Nothing here is undefined: bad input, misuse and failed PEs end in an exception that names them.
@NullMarked
package coterie;

import org.jspecify.annotations.NullMarked;
