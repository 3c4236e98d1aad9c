// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.List;

/// Decides the order of events in a section of a run, in place of virtual time.
public interface SchedulingStrategy {
    /// A possible next event.
    sealed interface Option {
        /// Returns a name that is unique among the options of a run, and equal in all runs with the same
        /// decisions.
        String label();

        /// Returns whether the order of the two makes no difference.
        boolean commutes(Option other);
    }

    /// A PE continues, up to its next access to its own memory.
    record Step(SimulatedTask task) implements Option {
        @Override
        public String label() {
            return "t" + task.pe();
        }

        @Override
        public boolean commutes(Option other) {
            return other instanceof Arrival arrival ? !arrival.event.concerns(task.pe()) : !equals(other);
        }
    }

    /// An event happens.
    record Arrival(TimedEvent event) implements Option {
        @Override
        public String label() {
            return event.label();
        }

        @Override
        public boolean commutes(Option other) {
            return switch (other) {
                case Step step -> step.commutes(this);
                case Arrival arrival -> event.commutes(arrival.event);
            };
        }
    }

    /// Returns the index of the next option.
    ///
    /// @param options at least one, in an order that depends on nothing but the decisions so far
    int choose(List<Option> options);
}
