// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.World;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the place in the program that called the runtime: the innermost frame that belongs neither to the JDK nor
/// to the runtime.
final class CallSites {
    /// Frames that the stack walker fetches in one batch: more than the runtime has between a program's call and
    /// this class.
    private static final int DEPTH = 16;

    private final StackWalker walker = StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE), DEPTH);
    private final String core = origin(World.class);
    private final String sim = origin(CallSites.class);

    /// Whether a class belongs to the program.
    private final ClassValue<Boolean> programs = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isOfProgram(type);
        }
    };

    /// Returns the frame, or null if the stack has none of the program.
    @Nullable
    StackFrame current() {
        return walker.walk(this::innermost);
    }

    private @Nullable StackFrame innermost(Stream<StackFrame> frames) {
        return frames.filter(frame -> programs.get(frame.getDeclaringClass()))
                .findFirst()
                .orElse(null);
    }

    /// A program may have packages of any name, and may be in one jar with the runtime. So a class belongs to the
    /// runtime if it has both the runtime's package and the runtime's code source.
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
