// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.List;

/// Decides what comes next in a part of a performance, in the place of virtual time.
public interface SchedulingStrategy {
    /// Something that could come next.
    sealed interface Option {
        /// Tells it from all others of its performance, and is the same in every performance with the same decisions.
        String label();

        /// Whether it makes no difference which of the two comes first.
        boolean commutes(Option other);
    }

    /// A PE goes on, up to its next look at its memory.
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

    /// Returns the number of the option that comes next.
    ///
    /// @param options at least one, in an order that depends on nothing but the decisions so far
    int choose(List<Option> options);
}
