// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import java.util.Map;

/// Settings of jobs on nodes `a:2,b:2`, for tests of what is not so by default; one set for all, since PEs are
/// kept by their settings.
final class TwoNodeSettings {
    /// Up to so many bytes an alltoall over memory is done by gets, from there on by puts.
    static final int PUTS_FROM = 1024;

    private static final Map<String, String> PROPERTIES = Map.of(
            "coterie.tl.mapped.tune", "alltoall:0-1k:@pull:inf#alltoall:1k-inf:@push:inf",
            "coterie.tl.p2p.tune", "alltoall:@push:inf",
            "coterie.tl.p2p.allreduce.sra.pipeline", "thresh=1k:fragsize=800:pdepth=2:ordered",
            "coterie.cl.hier.allreduce.rab.pipeline", "thresh=1k:nfrags=11:pdepth=2:sequential",
            "coterie.cl.hier.allreduce.split.rail.pipeline", "thresh=1k:nfrags=11:pdepth=2:parallel",
            "coterie.cl.hier.reduce.2step.pipeline", "thresh=1k:nfrags=11:pdepth=2:ordered");

    private TwoNodeSettings() {}

    /// For PEs that are started from now on.
    static void set() {
        PROPERTIES.forEach(System::setProperty);
    }

    static void clear() {
        PROPERTIES.keySet().forEach(System::clearProperty);
    }
}
