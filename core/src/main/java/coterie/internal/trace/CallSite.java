// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import java.util.List;
import java.util.stream.Stream;

/// Finds the line of the program that has called the library.
public final class CallSite {
    private static final List<String> LIBRARY = List.of(
            "coterie.internal.",
            "coterie.collective.",
            "coterie.layer.",
            "coterie.spi.",
            "coterie.stream.",
            "coterie.coarray.",
            "coterie.gin.",
            "coterie.cuda.",
            "java.",
            "jdk.");

    /// Of whose operations core's own are parts.
    private static final List<String> FACES = List.of("coterie.stream.", "coterie.coarray.", "coterie.gin.");

    private static final String API = "coterie.";

    private CallSite() {}

    /// Returns file and line, or an empty string if no program has called. It takes a microsecond.
    public static String find() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !isOfLibrary(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse(""));
    }

    /// Returns file and line with the method of a face that the program has called there, such as
    /// `App.java:12 (ImageTeam.sync)`; without the method where the operation says as much.
    public static String findCall() {
        return StackWalker.getInstance().walk(CallSite::call);
    }

    private static String call(Stream<StackWalker.StackFrame> frames) {
        String method = "";
        for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
            String name = frame.getClassName();
            if (!isOfLibrary(name)) {
                return frame.getFileName() + ":" + frame.getLineNumber() + method;
            }
            method = FACES.stream().anyMatch(name::startsWith)
                    ? " (" + name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName() + ")"
                    : "";
        }
        return "";
    }

    private static boolean isOfLibrary(String name) {
        return LIBRARY.stream().anyMatch(name::startsWith)
                || (name.startsWith(API) && name.indexOf('.', API.length()) < 0);
    }
}
