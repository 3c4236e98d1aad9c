// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.CoterieException;
import coterie.ucx.libucp.LibUcp;
import coterie.ucx.libucp.UcpStructures;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.stream.Collectors;

/// What UCX finds on this machine.
final class Transports {
    private static final String RESOURCE = " resource ";
    private static final String VARIABLE = "UCX_TLS";

    /// All but System V segments: UCX makes them with mode 660, so that processes of the user's group can write them.
    private static final String WITHOUT_SHARED_SEGMENTS = "^sysv";

    private Transports() {}

    /// Returns the transports that UCX may use, in the form of UCX_TLS; empty if the user has set it.
    static String allowed() {
        return System.getenv(VARIABLE) != null ? "" : WITHOUT_SHARED_SEGMENTS;
    }

    /// Returns one phrase: the version, and each transport with its device, such as "UCX 1.13.1 with
    /// tcp/eth0".
    static String found() {
        LibUcp ucp = LibUcp.get();
        String version = "UCX "
                + Arrays.stream(ucp.version()).mapToObj(Integer::toString).collect(Collectors.joining("."));
        try (Arena arena = Arena.ofConfined()) {
            long context = ucp.createContext(UcpStructures.context(arena), "", allowed());
            try {
                return version + " with " + parse(ucp.contextInfo(context));
            } finally {
                ucp.destroyContext(context);
            }
        } catch (CoterieException e) {
            return version + " finds no transport: " + e.getMessage() + "; check UCX_TLS and UCX_NET_DEVICES";
        }
    }

    /// Returns the transports of a report, whose lines of transports are such as
    /// `#      resource 1  :  md 1  dev 1  flags -- tcp/eth0`.
    static String parse(String report) {
        return report.lines()
                .filter(line -> line.contains(RESOURCE))
                .map(line -> line.strip().substring(line.strip().lastIndexOf(' ') + 1))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
