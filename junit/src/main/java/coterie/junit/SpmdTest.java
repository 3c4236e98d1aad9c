// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that every PE of a job runs, once for each mode and number of PEs.
///
/// ```java
/// @SpmdTest(pes = {1, 2, 4})
/// void theBarrierShowsWhatWasPutBefore(World world) {
///     try (SymmetricMemory cell = world.allocate(Long.BYTES)) {
///         cell.longs().put(0, 42, (world.pe() + 1) % world.size());
///         world.team().barrier();
///         assertEquals(42, cell.segment().get(ValueLayout.JAVA_LONG, 0));
///     }
/// }
/// ```
///
/// The method runs in other JVMs than JUnit's, on a fresh instance of its class for each PE. It takes the joined
/// [coterie.World] and nothing else, or no parameter; with one, the harness joins before and closes after. Methods
/// with `@BeforeEach` and `@AfterEach` run in every PE too, with the same choice of parameters, superclasses' and
/// enclosing classes' first (last for `@AfterEach`). `@BeforeAll` and `@AfterAll`, the constructor that JUnit
/// itself calls, and other extensions act in JUnit's JVM, where PEs can't see what they do. The class needs a
/// constructor without parameters.
///
/// The test fails if one PE throws (the error is that PE's, others' are suppressed in it), ends, is still busy at
/// the deadline (the error then has what each PE waits for, and a thread dump), or leaves symmetric memory, a wait
/// or its world behind. It is aborted if a PE's assumption fails. What PEs print appears on JUnit's own stdout and
/// stderr, each line tagged with its PE, and at the end of the error.
///
/// In mode [SpmdMode#SIM] one test is many performances, each with a fresh instance and world, in another order of
/// events; it passes if all of them pass. The error has the seed of the first that failed, and which of its
/// perturbations that needs. Operations of the class's static initialisers are none of a performance.
///
/// PEs run on this JVM's Java and class path, with assertions enabled and its system properties that begin with
/// `coterie.`, and with the JVM options that the system property `coterie.junit.jvmOptions` names, with spaces between
/// them, such as `-Xmx2g -XX:+UseZGC`. They are kept for later tests of the same mode, number, nodes, heap and
/// properties while all is well and memory is not short.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@TestTemplate
@ExtendWith(SpmdExtension.class)
@SuppressWarnings("exports") // the extension is for JUnit, which reaches it all the same
public @interface SpmdTest {

    /// How many PEs, each in `[1, 1024]`, and up to 4096 if [#modes] names [SpmdMode#SIM] alone; the test runs
    /// once for each. Where the system property `coterie.junit.few` is a number, and not `all`, it runs with few of
    /// them: in mode [SpmdMode#PROCESSES] with the largest that is not larger than the property, or else the
    /// smallest; in mode [SpmdMode#THREADS] with the smallest above one; in mode [SpmdMode#SIM] with the largest.
    /// If all are larger than the property, mode [SpmdMode#PROCESSES] is left out where the run has another for the
    /// test.
    int[] pes() default {2};

    /// The nodes that PEs are taken to be on, as `coterie run --nodes` has them: `"a:3,b:2"` for PEs 0 to 2 on a
    /// node and PEs 3 and 4 on another, which have no memory in common. Every number of [#pes] must be their sum.
    /// Empty for one node.
    String nodes() default "";

    /// What PEs are; the test runs once for each. By default [SpmdMode#PROCESSES] and [SpmdMode#THREADS]. The
    /// system property `coterie.junit.modes` names those that a run is for, and adds [SpmdMode#SIM] to the default
    /// where it names that: `-Dcoterie.junit.modes=sim` runs all tests in a simulated network, and nowhere else.
    /// Where `coterie.junit.few` is a number, tests that an [AnyMode] names run in one of their modes.
    SpmdMode[] modes() default {};

    /// How many seeds a test of mode [SpmdMode#SIM] has, at least 1: 0, 1 and so on. Seed 0 is the order of events
    /// without perturbations. The system property `coterie.sim.seeds` stands above it, `coterie.sim.seed` names a
    /// single seed, and `coterie.sim.script` adds settings of the network.
    int seeds() default 5;

    /// Seconds that the slowest PE may take, at least 1, in mode [SpmdMode#SIM] for every ten seeds; the PEs are
    /// killed then. Their start does not count.
    long timeoutSeconds() default 30;

    /// Symmetric memory of each PE, in bytes.
    long heapBytes() default 64 << 20;
}
