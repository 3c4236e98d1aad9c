// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// An event at a moment of virtual time, such as the arrival of a message.
public abstract class TimedEvent {
    /// Nanoseconds since the begin of the run.
    long time;

    /// Order of planning, which decides between events of one moment.
    long order;

    /// Executes the event, on the running thread; must not wait.
    protected abstract void happen();

    /// See [SchedulingStrategy.Option#label].
    protected abstract String label();

    /// Returns whether the order of the two events makes no difference.
    protected abstract boolean commutes(TimedEvent other);

    /// Returns whether the PE can observe the event.
    protected abstract boolean concerns(int pe);
}
