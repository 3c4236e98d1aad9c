// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Which frames of a stack are not the program's. Users look for the line of their own program first, and few of them
/// know the classes of Coterie.
public final class RuntimeFrames {
    /// The property of a PE with which traces keep all frames: `-J-Dcoterie.frames=all`.
    static final String PROPERTY = "coterie.frames";

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    /// Packages of the runtime, of the faces, and of components that plug in.
    private static final List<String> COTERIE = List.of(
            "coterie.internal.",
            "coterie.collective.",
            "coterie.layer.",
            "coterie.spi.",
            "coterie.stream.",
            "coterie.gin.",
            "coterie.cuda.",
            "coterie.coarray.",
            "coterie.sim.",
            "coterie.cluster.",
            "coterie.tcp.",
            "coterie.ucx.");

    private static final String API_PREFIX = "coterie.";

    /// Exceptions of the JDK with which the runtime refuses a call; any other one may be a fault of the runtime, of
    /// which all frames are needed.
    private static final Set<Class<?>> REFUSALS = Set.of(
            IllegalArgumentException.class,
            IllegalStateException.class,
            IndexOutOfBoundsException.class,
            UnsupportedOperationException.class);

    private RuntimeFrames() {}

    /// Returns whether a class is the JDK's.
    public static boolean isOfJdk(String className) {
        return startsWithAny(className, JDK);
    }

    /// Returns whether a class is the runtime's or a face's, the API in package `coterie` included.
    static boolean isOfCoterie(String className) {
        return startsWithAny(className, COTERIE)
                || (className.startsWith(API_PREFIX) && className.lastIndexOf('.') == API_PREFIX.length() - 1);
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /// Removes the frames of Coterie from the trace of an exception with which it has answered a call of the program:
    /// all that are above the program's top frame, and the internal ones below. A trace without a
    /// frame of the program stays as it is.
    public static void hide(Throwable thrown) {
        if (!"all".equals(System.getProperty(PROPERTY)) && isAnswer(thrown)) {
            thrown.setStackTrace(withoutCoterie(thrown.getStackTrace()));
        }
    }

    private static boolean isAnswer(Throwable thrown) {
        return REFUSALS.contains(thrown.getClass())
                || isOfCoterie(thrown.getClass().getName());
    }

    static StackTraceElement[] withoutCoterie(StackTraceElement[] frames) {
        int top = 0;
        boolean isThrownByCoterie = false;
        while (top < frames.length
                && (isOfJdk(frames[top].getClassName()) || isOfCoterie(frames[top].getClassName()))) {
            isThrownByCoterie |= isOfCoterie(frames[top].getClassName());
            top++;
        }
        if (top == frames.length || !isThrownByCoterie) {
            return frames;
        }
        List<StackTraceElement> kept = new ArrayList<>();
        for (StackTraceElement frame : Arrays.asList(frames).subList(top, frames.length)) {
            if (!frame.getClassName().startsWith(COTERIE.getFirst())) {
                kept.add(frame);
            }
        }
        return kept.toArray(StackTraceElement[]::new);
    }
}
