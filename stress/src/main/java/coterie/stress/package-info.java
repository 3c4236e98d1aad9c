// SPDX-License-Identifier: Apache-2.0

/// What two PEs that are threads of one JVM may see of each other, under jcstress.
///
/// A test is a state, of which jcstress makes millions, and two actors, which are PE 0 and PE 1. Unlike the two-PE
/// litmus of the conformance tests this runs code that the compiler has treated in each of its modes, from
/// interpreted to fully optimised, but in one process only.
@org.jspecify.annotations.NullMarked
package coterie.stress;
