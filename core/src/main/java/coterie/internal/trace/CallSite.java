// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import coterie.spi.FacePackage;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.stream.Stream;

/// Finds the line of the program that has called the library.
public final class CallSite {
    private static final List<String> LIBRARY =
            List.of("coterie.internal.", "coterie.collective.", "coterie.layer.", "coterie.spi.", "java.", "jdk.");

    private static final String API = "coterie.";

    private CallSite() {}

    /// Returns file and line, or an empty string if no program has called. It takes a microsecond.
    public static String find() {
        return walker().walk(frames -> frames.filter(frame -> !isOfLibrary(frame) && !isOfFace(frame))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse(""));
    }

    /// Returns file and line with the method of a face that the program has called there, such as
    /// `App.java:12 (ImageTeam.sync)`; without the method where the operation says as much.
    public static String findCall() {
        return walker().walk(CallSite::call);
    }

    private static StackWalker walker() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    }

    private static String call(Stream<StackFrame> frames) {
        String method = "";
        for (StackFrame frame : (Iterable<StackFrame>) frames::iterator) {
            if (isOfLibrary(frame)) {
                method = "";
            } else if (isOfFace(frame)) {
                String name = frame.getClassName();
                method = " (" + name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName() + ")";
            } else {
                return frame.getFileName() + ":" + frame.getLineNumber() + method;
            }
        }
        return "";
    }

    /// Whether a frame is of the JDK or of core.
    private static boolean isOfLibrary(StackFrame frame) {
        String name = frame.getClassName();
        return LIBRARY.stream().anyMatch(name::startsWith)
                || (name.startsWith(API) && name.indexOf('.', API.length()) < 0);
    }

    /// Whether a frame is of a face, which says so itself: core's own operations are parts of the face's.
    private static boolean isOfFace(StackFrame frame) {
        Package room = frame.getDeclaringClass().getPackage();
        return room != null && room.isAnnotationPresent(FacePackage.class);
    }
}
