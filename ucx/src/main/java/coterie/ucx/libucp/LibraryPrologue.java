// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import java.util.Map;
import java.util.Set;

/// What must be so before this process loads UCX's libraries, whose constructors read the environment: UCX
/// leaves the JVM's signal handlers and the C library's machine code alone.
///
/// | variable | value | otherwise |
/// |---|---|---|
/// | `UCX_HANDLE_ERRORS`, `UCX_ERROR_SIGNALS` | none | UCX up to 1.19 takes SIGSEGV: it reports a null check |
/// | `UCX_DEBUG_SIGNO` | 0 | UCX takes SIGHUP, and the JVM's shutdown hooks do not run |
/// | `UCX_MEM_EVENTS` | no | UCX patches `munmap` and others while the JVM's threads execute them |
/// | `UCX_VFS_ENABLE` | n | UCX starts a thread for its file system in user space |
/// | `UCX_LOG_LEVEL` | fatal | UCX prints on stdout what the conduit reports as an exception |
///
/// The last two are defaults that a user can replace; other values of the first four harm the JVM.
final class LibraryPrologue {
    private static final Map<String, String> ALWAYS = Map.of(
            "UCX_HANDLE_ERRORS", "none",
            "UCX_ERROR_SIGNALS", "",
            "UCX_DEBUG_SIGNO", "0",
            "UCX_MEM_EVENTS", "no");
    private static final Map<String, String> BY_DEFAULT = Map.of("UCX_VFS_ENABLE", "n", "UCX_LOG_LEVEL", "fatal");

    private LibraryPrologue() {}

    /// Prepares this process. May run more than once.
    static void run() {
        ALWAYS.forEach((name, value) -> LibC.setVariable(name, value, true));
        BY_DEFAULT.forEach((name, value) -> LibC.setVariable(name, value, false));
        LibC.useDecimalPoints(); // UCX reads "0.06ns" by sscanf
    }

    /// The variables that the prologue sets whatever the user says.
    static Set<String> fixed() {
        return ALWAYS.keySet();
    }
}
