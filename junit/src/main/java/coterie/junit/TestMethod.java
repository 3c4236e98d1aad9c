// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import org.jspecify.annotations.Nullable;

/// What a worker is asked to run.
///
/// @param className binary name of the class to make an instance of; the method may be a superclass's
/// @param takesWorld whether its parameter is the world, or it has none
record TestMethod(String className, String methodName, boolean takesWorld) {
    private static final String RUN = "run";
    private static final String WORLD = "world";
    private static final String ALONE = "alone";
    private static final String ONCE = "once";

    /// A command as a worker reads it.
    ///
    /// @param token what the worker marks its answers with
    /// @param seeds of a simulated test, or null for one that runs once
    record Command(String token, TestMethod test, @Nullable Seeds seeds) {
        /// One line. The method's name is last: other languages than Java allow blanks in it.
        String line() {
            return String.join(
                    " ",
                    RUN,
                    token,
                    test.takesWorld ? WORLD : ALONE,
                    seeds == null ? ONCE : seeds.label(),
                    test.className,
                    test.methodName);
        }

        static Command parse(String line) {
            String[] words = line.split(" ", 6);
            if (words.length != 6 || !words[0].equals(RUN)) {
                throw new IllegalArgumentException("worker: \"" + line + "\" is no command; use one version of the"
                        + " test extension for JUnit and the workers");
            }
            return new Command(
                    words[1],
                    new TestMethod(words[4], words[5], words[2].equals(WORLD)),
                    words[3].equals(ONCE) ? null : Seeds.of(words[3]));
        }
    }
}
