// SPDX-License-Identifier: Apache-2.0

/// SPMD tests for JUnit Jupiter: [coterie.junit.SpmdTest] has every PE of a job run the test method.
///
/// ```
///  JUnit's JVM                                        the PEs: JVMs, or threads of one
///
///  SpmdExtension     one invocation a mode and number of PEs
///      │
///  SpmdInvocation    keeps JUnit from calling the method
///      │
///  WorkerPool        idle groups, by layout
///      │ take, or start                    stdin
///  WorkerGroup ──── run <token> world a.b.SomeTest method ────►  Worker ─► World.join
///      │                                                         TestInstance: before, test, after
///  Exchange    ◄─── [the test's lines] ─────────────────────────     │
///      │       ◄─── <token> FAILED <the exception, encoded> ────  left behind? ─► World.close
///  Judgement                              stdout, stderr             │
///      │                                                         next command
///      ▼ passed: give the group back
///        otherwise: kill it, throw an error with the PE's exception, all output, where each PE was
/// ```
///
/// A test can do anything to its PEs: end them, wedge them, leave them in the middle of a collective. So the PEs
/// are never JUnit's own process; they are told what to run by name, answer in lines that a fresh random token
/// marks, and are reused only after a test that every PE passed and left clean. Everything else costs a new group,
/// a third of a second, and can't spoil another test.
///
/// A PE that has failed says so and then stands still. The others mostly wait for it then, so they get two more
/// seconds to fail by themselves, and are killed with the group. At a test's deadline the status pages tell what
/// each PE waits for, and signal 3 what its threads do, before the group is killed.
@NullMarked
package coterie.junit;

import org.jspecify.annotations.NullMarked;
