// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.spi.Accelerator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// The accelerators that plug in, for the command-line tools.
public final class Accelerators {
    private Accelerators() {}

    /// What an accelerator says of this machine.
    ///
    /// @param text what there is, or what is missing and the remedy
    public record Answer(String name, boolean isUsable, String text) {}

    /// Returns the answers of all accelerators, by name.
    ///
    /// @throws CoterieException if one can't be loaded
    public static List<Answer> answers() {
        ClassLoader programs = Thread.currentThread().getContextClassLoader();
        List<Answer> answers = new ArrayList<>();
        try {
            for (Accelerator each : ServiceLoader.load(
                    Accelerator.class, programs == null ? Accelerators.class.getClassLoader() : programs)) {
                String missing = each.missing(Worlds::setting);
                answers.add(new Answer(
                        each.name(),
                        missing.isEmpty(),
                        missing.isEmpty() ? each.description(Worlds::setting) : missing));
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new CoterieException(
                    "accelerators that plug in: one can't be loaded; mend it, or remove it from the class path or the"
                            + " module path: " + e.getMessage(),
                    e);
        }
        answers.sort(Comparator.comparing(Answer::name));
        return answers;
    }
}
