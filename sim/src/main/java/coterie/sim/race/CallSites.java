// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.World;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the place in the program from which the runtime has been called: the innermost frame that is neither the
/// JDK's nor the runtime's own.
final class CallSites {
    /// Frames of the runtime between an operation of a program and here, and some: they come in one piece then.
    private static final int DEPTH = 16;

    private final StackWalker walker = StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE), DEPTH);
    private final String core = origin(World.class);
    private final String sim = origin(CallSites.class);

    /// Whether a class is a program's.
    private final ClassValue<Boolean> programs = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isOfProgram(type);
        }
    };

    /// The place, or null if there is none.
    @Nullable
    StackFrame current() {
        return walker.walk(this::innermost);
    }

    private @Nullable StackFrame innermost(Stream<StackFrame> frames) {
        return frames.filter(frame -> programs.get(frame.getDeclaringClass()))
                .findFirst()
                .orElse(null);
    }

    /// Programs may have packages of any name, and may lie in one jar with the runtime. So the runtime's classes
    /// are those of its packages that come from where it comes from.
    private boolean isOfProgram(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader.equals(ClassLoader.getPlatformClassLoader())) {
            return false;
        }
        String origin = origin(type);
        return !isOfRuntime(type.getPackageName()) || !(origin.equals(core) || origin.equals(sim));
    }

    private static boolean isOfRuntime(String name) {
        return name.equals("coterie")
                || name.equals("coterie.spi")
                || name.startsWith("coterie.internal.")
                || name.equals("coterie.sim")
                || name.startsWith("coterie.sim.");
    }

    private static String origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? "" : String.valueOf(source.getLocation());
    }
}
