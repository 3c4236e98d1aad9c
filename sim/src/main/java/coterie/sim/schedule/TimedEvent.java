// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// Something that happens by itself at a moment of virtual time, such as the arrival of a message.
public abstract class TimedEvent {
    /// Nanoseconds from the begin of the performance.
    long time;

    /// Among those of one moment: they happen in the order in which they were planned.
    long order;

    /// Takes place. Whoever has the stage does it, so it must not wait.
    protected abstract void happen();

    /// See [SchedulingStrategy.Option#label].
    protected abstract String label();

    /// Whether it makes no difference which of the two happens first.
    protected abstract boolean commutes(TimedEvent other);

    /// Whether the PE could tell that it has happened.
    protected abstract boolean concerns(int pe);
}
