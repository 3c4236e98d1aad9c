// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What the runtime logs in this JVM until it is closed, on any PE.
final class Logged extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("coterie");
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    Logged() {
        logger.addHandler(this);
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void publish(LogRecord line) {
        messages.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
