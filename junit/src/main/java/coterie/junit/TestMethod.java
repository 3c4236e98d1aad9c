// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

/// What a worker is asked to run.
///
/// @param className binary name of the class to make an instance of; the method may be a superclass's
/// @param takesWorld whether its parameter is the world, or it has none
record TestMethod(String className, String methodName, boolean takesWorld) {
    private static final String RUN = "run";
    private static final String WORLD = "world";
    private static final String ALONE = "alone";

    /// A command as a worker reads it.
    ///
    /// @param token what the worker marks its answers with
    record Command(String token, TestMethod test) {
        /// One line. The method's name is last: other languages than Java allow blanks in it.
        String line() {
            return String.join(" ", RUN, token, test.takesWorld ? WORLD : ALONE, test.className, test.methodName);
        }

        static Command parse(String line) {
            String[] words = line.split(" ", 5);
            if (words.length != 5 || !words[0].equals(RUN)) {
                throw new IllegalArgumentException("worker: \"" + line + "\" is no command; use one version of the"
                        + " test extension for JUnit and the workers");
            }
            return new Command(words[1], new TestMethod(words[3], words[4], words[2].equals(WORLD)));
        }
    }
}
