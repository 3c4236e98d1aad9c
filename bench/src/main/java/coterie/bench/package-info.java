// SPDX-License-Identifier: Apache-2.0

/// Measurements of the runtime through its public interface: the programs behind `coterie perf` and `coterie
/// scale`.
///
/// | type | what it is |
/// |---|---|
/// | `Perf` | the program: a job of n PEs that measures one point after the other |
/// | `Operation` | what can be measured, for the program, its help and its reports |
/// | `OperationGroup`, `OperationShape` | of which kind an operation is, and what its points are |
/// | `…Loops` | the timed loops, a class for each operation: the profile of one never shapes another's code |
/// | `…Loop` | what several of them share: which PEs run, and how the results are checked |
/// | `BenchFixture` | the world and the buffers that all loops work on, and how PEs agree on what comes next |
/// | `Stopwatch` | warms up, repeats, gates by the `Probe`, and makes a `Measurement` |
/// | `MeasurementReport` | rows for machines or tables for people |
///
/// And what a simulated network predicts, the programs behind `coterie scale`:
///
/// | type | what it is |
/// |---|---|
/// | `Scale` | the program: a job of n PEs that measures three exchanges in its own time |
/// | `Prediction` | a row of what it prints |
/// | `Plot` | the program that makes a picture of such rows, and `Chart` |
@NullMarked
package coterie.bench;

import org.jspecify.annotations.NullMarked;
