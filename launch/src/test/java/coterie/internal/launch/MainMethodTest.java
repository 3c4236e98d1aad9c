// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The JDK's own launcher defines which main method runs.
class MainMethodTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                StaticWithArguments.class,
                StaticWithout.class,
                InstanceWithArguments.class,
                InstanceWithout.class,
                InstanceWithArgumentsAndStaticWithout.class,
                PrivateWithArgumentsAndStaticWithout.class,
                NumberWithArgumentsAndStaticWithout.class,
                Inherits.class,
                InheritsFromInterface.class,
                OverridesInherited.class,
                PrivateConstructor.class,
                ConstructorWithParameter.class,
                AbstractInstance.class,
                AbstractStatic.class,
                OnlyPrivate.class,
                StaticInInterface.class,
                Nothing.class
            })
    void theSameMainRunsAsUnderJava(Class<?> main) throws Exception {
        assertThat(ours(main)).isEqualTo(javas(main));
    }

    private static String javas(Class<?> main) throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Launching.classPathText(),
                        main.getName(),
                        "argument")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return java.waitFor() == 0 ? said : "refused";
    }

    private static String ours(Class<?> main) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            MainMethod.of(main).call(new String[] {"argument"});
            return said.toString(StandardCharsets.UTF_8);
        } catch (LaunchException e) {
            return "refused";
        } catch (Throwable e) {
            throw new AssertionError(e);
        } finally {
            System.setOut(before);
        }
    }

    private static void say(String what, String... args) {
        System.out.println(what + List.of(args));
    }

    static class StaticWithArguments {
        static void main(String[] args) {
            say("static with", args);
        }

        static void main() {
            say("static without");
        }
    }

    static class StaticWithout {
        protected static void main() {
            say("static without");
        }
    }

    static class InstanceWithArguments {
        void main(String... args) {
            say("instance with", args);
        }
    }

    static class InstanceWithout {
        void main() {
            say("instance without");
        }
    }

    static class InstanceWithArgumentsAndStaticWithout {
        void main(String[] args) {
            say("instance with", args);
        }

        static void main() {
            say("static without");
        }
    }

    static class PrivateWithArgumentsAndStaticWithout {
        @SuppressWarnings("UnusedMethod")
        private static void main(String[] args) {
            say("private", args);
        }

        static void main() {
            say("static without");
        }
    }

    static class NumberWithArgumentsAndStaticWithout {
        @SuppressWarnings("IncorrectMainMethod")
        static int main(String[] args) {
            return args.length;
        }

        static void main() {
            say("static without");
        }
    }

    static class Inherits extends InstanceWithArguments {}

    interface WithMain {
        default void main() {
            say("default without");
        }
    }

    static class InheritsFromInterface implements WithMain {}

    static class OverridesInherited extends StaticWithArguments {
        static void main() {
            say("overriding without");
        }
    }

    static class PrivateConstructor {
        private PrivateConstructor() {}

        void main() {
            say("instance without");
        }
    }

    static class ConstructorWithParameter {
        ConstructorWithParameter(int unused) {
            say("made with " + unused);
        }

        void main() {
            say("instance without");
        }
    }

    abstract static class AbstractInstance {
        void main() {
            say("instance without");
        }
    }

    abstract static class AbstractStatic {
        static void main() {
            say("static without");
        }
    }

    static class OnlyPrivate {
        @SuppressWarnings("UnusedMethod")
        private static void main(String[] args) {
            say("private", args);
        }
    }

    interface StaticInInterface {
        static void main(String[] args) {
            say("static in interface", args);
        }
    }

    static class Nothing {}
}
