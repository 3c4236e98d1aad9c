// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// The logger of a layer: passes on messages from the level of the layer's setting `LOG_LEVEL` on. The JDK's
/// default logger prints nothing below INFO, so messages of a level that it would drop go out at INFO, with their
/// level.
final class LayerLogger implements System.Logger {
    private final System.Logger to;
    private final Level least;

    /// @param name of the logger, such as `coterie.tl.sockets`
    LayerLogger(String name, Level least) {
        this.to = System.getLogger(name);
        this.least = least;
    }

    @Override
    public String getName() {
        return to.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
        return level != Level.OFF && level.getSeverity() >= least.getSeverity();
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            boolean isDropped = !to.isLoggable(level);
            to.log(isDropped ? Level.INFO : level, bundle, isDropped ? level + ": " + message : message, thrown);
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object @Nullable ... parameters) {
        if (isLoggable(level)) {
            boolean isPlain = parameters == null || parameters.length == 0; // a quote is then a quote
            log(level, bundle, isPlain ? format : MessageFormat.format(format, parameters), (Throwable) null);
        }
    }
}
