// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.collective.Barriers;
import coterie.internal.collective.DataCollectives;
import coterie.internal.collective.ScalarReductions;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveResources;
import coterie.internal.p2p.TeamPort;
import coterie.internal.request.BlockingRequests;
import coterie.internal.request.Requests;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a team has for its collectives. What those over memory need is made by the first of them: many teams do no more
/// than barriers.
final class TeamCalls {
    private final TeamSync teamSync;
    private final CollectiveResources resources;
    private final TeamPort port;
    private final AlgorithmSelector selector;
    private final Barriers barriers;
    private final Requests requests;
    private final BlockingRequests blockingRequests;
    private volatile @Nullable DataCollectives data;
    private @Nullable StagedCollectives staged;
    private volatile @Nullable ScalarReductions scalars;

    TeamCalls(TeamSync teamSync, CollectiveResources resources) {
        this.teamSync = teamSync;
        this.resources = resources;
        this.port = resources.port(teamSync);
        this.selector = new AlgorithmSelector(teamSync, resources, port);
        this.barriers = new Barriers(teamSync, selector, this::data);
        this.requests = new Requests(teamSync, resources, port, selector);
        this.blockingRequests = new BlockingRequests(teamSync, requests, selector);
    }

    Barriers barriers() {
        return barriers;
    }

    Requests requests() {
        return requests;
    }

    BlockingRequests blockingRequests() {
        return blockingRequests;
    }

    AlgorithmSelector selector() {
        return selector;
    }

    DataCollectives data() {
        DataCollectives made = data;
        return made == null ? makeData() : made;
    }

    private synchronized DataCollectives makeData() {
        DataCollectives made = data;
        if (made == null) {
            made = new DataCollectives(teamSync, resources, port, selector);
            data = made;
        }
        return made;
    }

    ScalarReductions scalars() {
        ScalarReductions made = scalars;
        return made == null ? makeScalars() : made;
    }

    private synchronized ScalarReductions makeScalars() {
        ScalarReductions made = scalars;
        if (made == null) {
            made = new ScalarReductions(teamSync, selector, this::data);
            scalars = made;
        }
        return made;
    }

    /// Sets where collectives on arrays and segments get their memory from; before the first of them.
    void stage(TeamStaging staging) {
        staged = new StagedCollectives(teamSync, this, staging);
    }

    StagedCollectives staged() {
        return Objects.requireNonNull(staged);
    }

    /// Returns whether requests are in progress.
    boolean isBusy() {
        return requests.isBusy();
    }

    /// Returns whether a request in progress uses a block of memory.
    boolean uses(PeMemory block) {
        return requests.use(block);
    }

    /// Completes the operations of the team's collectives, and notifies members that wait for this PE.
    void drain() {
        requests.drain();
    }

    /// Returns whether members may notify each other of requests that this PE will never post.
    boolean isPolled() {
        return port.isOpen();
    }

    /// Stops polling for requests; no member waits for one any more.
    void stopPolling() {
        port.stopPolling();
    }

    /// Completes the operations of failed requests.
    void drainFailed() {
        if (port.failure(OperationKind.FREE.label()) != null) {
            port.drain();
        }
    }

    /// Returns how many runs of requests have been posted.
    long posts() {
        return port.posts();
    }

    /// Ends the team's collectives on this PE, with nothing under way: it writes nothing to other members any more.
    void close() {
        requests.close();
        DataCollectives made = data;
        if (made != null) {
            made.close();
        }
        selector.close();
    }

    /// Releases the memory of closed collectives, to which no member writes any more.
    void release() {
        boolean isOver = requests.release();
        DataCollectives made = data;
        if (made != null) {
            made.release(isOver);
        }
    }

    /// Ends the requests of all members.
    void revoke() {
        port.revoke();
    }
}
