// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests of a stream: one for each team and [Collective] that the program keeps. The runtime's lock guards
/// it, but for [#close].
final class RequestCache {
    private static final String CUDA = "coterie.cuda.";

    /// Requests beyond which the cache lets go those that no pending operation uses: a program that makes a new
    /// `Collective` for each call must not fill memory.
    private static final int MAX_IDLE = 32;

    private final List<CachedRequest> requests = new ArrayList<>();

    /// Finds or makes the request.
    ///
    /// @param completed operations of the stream that are over
    @SuppressWarnings("ReferenceEquality") // the very objects: a comparison of all arguments would cost more
    CachedRequest find(Team team, Collective collective, long completed, StreamEngine engine) {
        for (int i = requests.size() - 1; i >= 0; i--) {
            CachedRequest each = requests.get(i);
            if (each.team() == team && each.collective() == collective) {
                return each;
            }
        }
        if (requests.size() >= MAX_IDLE) {
            retire(completed, engine);
        }
        CachedRequest made = new CachedRequest(team, collective, callSite());
        requests.add(made);
        return made;
    }

    private void retire(long completed, StreamEngine engine) {
        @Nullable CachedRequest oldest = null;
        for (CachedRequest each : requests) {
            if (each.usedBefore <= completed && (oldest == null || each.usedBefore < oldest.usedBefore)) {
                oldest = each;
            }
        }
        if (oldest != null) {
            requests.remove(oldest);
            engine.retire(oldest);
        }
    }

    /// Returns the program's line that has called the library.
    static String callSite() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !isLibrary(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse("an unknown line"));
    }

    /// Returns whether a class belongs to this module, to the module whose streams have lanes here, or to the
    /// part of core between it and the program.
    private static boolean isLibrary(String name) {
        String core = World.class.getPackageName() + ".";
        boolean isFace = (name.startsWith(WorkStream.class.getPackageName() + ".") || name.startsWith(CUDA))
                && !name.endsWith("Test");
        return isFace
                || name.startsWith(core + "internal.")
                || (name.startsWith(core) && name.indexOf('.', core.length()) < 0);
    }

    /// Lets the thread that runs the hook release all.
    void retireAll(StreamEngine engine) {
        requests.forEach(engine::retire);
        requests.clear();
    }

    /// Releases all. No operation uses them any more.
    void close() {
        requests.forEach(CachedRequest::close);
        requests.clear();
    }
}
