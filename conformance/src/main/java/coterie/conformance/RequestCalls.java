// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;

/// Requests that many cases make.
final class RequestCalls {
    private RequestCalls() {}

    /// Sums element 0 of all members up in element 1.
    static Collective sum(IntegerView longs) {
        return Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1);
    }

    /// Prepares a request, posts it and waits for it.
    ///
    /// @return the algorithm that served it
    static String postAndAwait(Team team, Collective collective) {
        try (Request request = team.prepare(collective)) {
            request.post();
            request.await();
            return request.algorithm();
        }
    }
}
