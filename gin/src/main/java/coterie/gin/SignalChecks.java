// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// How far a communicator checks the use of its signals. Arguments are always checked.
public enum SignalChecks {
    /// Increments and adds that meet on one indexed signal between two resets, and resets that increments or adds
    /// race with, throw. The first use of a signal in each of the two ways costs a round trip, and a reset one for
    /// each rank that is not direct.
    ON,
    /// neither is checked
    OFF
}
