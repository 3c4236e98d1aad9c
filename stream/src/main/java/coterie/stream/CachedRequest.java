// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.spi.OperationLog;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A collective of a team, as a persistent request that the first run prepares and all runs of one stream post.
final class CachedRequest {
    /// Polls from one look for failures to the next. Between them the request only reads its state: the hook's
    /// caller advances all requests anyway.
    private static final int POLLS_PER_TEST = 16;

    private static final int POSTED = 1;

    private final Team team;
    private final Collective collective;
    private final Collective persistent;
    private final String site;
    private @Nullable Request request;
    private int teamText;
    private int label;
    private int signature;
    private int siteText;

    /// Operations of the stream up to the last one that uses it.
    long usedBefore;

    /// @param site where the program has enqueued it first
    CachedRequest(Team team, Collective collective, String site) {
        this.team = team;
        this.collective = collective;
        this.persistent = collective.persistent();
        this.site = site;
    }

    Team team() {
        return team;
    }

    Collective collective() {
        return collective;
    }

    String site() {
        return site;
    }

    /// Names the collective for a log, the first time.
    void nameFor(OperationLog log) {
        if (label == 0) {
            label = log.text(labelText());
            signature = log.text(signatureText());
            teamText = log.team(team);
            siteText = log.text(site);
        }
    }

    /// Returns the name of the collective and its team.
    String labelText() {
        return signatureText() + " of team \"" + team.name() + "\"";
    }

    /// Returns the name of the collective, which all members have in common.
    String signatureText() {
        return collective.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /// Returns the number of the team's text in logs, after [#nameFor].
    int teamText() {
        return teamText;
    }

    /// Returns the number of the text that names the collective and its team.
    int label() {
        return label;
    }

    /// Returns the number of the text that all members have in common.
    int signature() {
        return signature;
    }

    /// Returns the number of the text of [#site].
    int siteText() {
        return siteText;
    }

    boolean poll(StreamOperation operation) {
        Request prepared = request;
        if (prepared == null) {
            prepared = team.tryPrepare(persistent).orElse(null);
            if (prepared == null) {
                return false;
            }
            request = prepared;
        }
        if (operation.state != POSTED) {
            prepared.post();
            operation.state = POSTED;
        }
        if (prepared.isComplete()) {
            return true;
        }
        operation.polls++;
        return operation.polls % POLLS_PER_TEST == 0 && prepared.test();
    }

    /// Releases the memory of the request.
    void close() {
        if (request != null) {
            request.close();
            request = null;
        }
    }
}
