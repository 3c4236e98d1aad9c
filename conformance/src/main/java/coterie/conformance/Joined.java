// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A world that a PE has joined with settings of a test's own.
///
/// A world reads its settings when it opens, so that they are set for the join alone, and one test can open many
/// worlds.
///
/// @param told what the runtime has logged meanwhile
record Joined(World world, List<String> told) implements AutoCloseable {

    /// Joins.
    ///
    /// @param settings such as `tls=p2p`, on this PE
    static Joined with(String... settings) {
        List<String> told = new ArrayList<>();
        return new Joined(join(told, settings), told);
    }

    /// What a join throws that is to be refused. All PEs call it, and none returns before all have been refused:
    /// what is set for one that is a thread is set for the others too.
    static Throwable refusal(String... settings) {
        Throwable thrown =
                catchThrowable(() -> join(new ArrayList<>(), settings).close());
        assertThat(World.isJoined()).as("joined with %s", List.of(settings)).isFalse();
        with().close();
        return thrown;
    }

    /// PEs that are threads have their properties and their log in common: they join one by one. None of them
    /// waits for another in a join. What they lock must be the same for the class loaders of all.
    private static World join(List<String> told, String... settings) {
        Properties properties = System.getProperties();
        synchronized (properties) {
            Map<String, @Nullable String> before = new HashMap<>();
            try (Listener _ = new Listener(told)) {
                for (String each : settings) {
                    int equals = each.indexOf('=');
                    String name = "coterie." + each.substring(0, equals);
                    before.put(name, properties.getProperty(name));
                    properties.setProperty(name, each.substring(equals + 1));
                }
                return World.join();
            } finally {
                before.forEach((name, value) -> {
                    if (value == null) {
                        properties.remove(name);
                    } else {
                        properties.setProperty(name, value);
                    }
                });
            }
        }
    }

    @Override
    public void close() {
        world.close();
    }

    /// Hears what the runtime logs, in place of the console.
    private static final class Listener extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger("coterie");
        private final List<String> told;

        Listener(List<String> told) {
            this.told = told;
            logger.addHandler(this);
            logger.setUseParentHandlers(false);
        }

        @Override
        public void publish(LogRecord line) {
            told.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.setUseParentHandlers(true);
            logger.removeHandler(this);
        }
    }
}
