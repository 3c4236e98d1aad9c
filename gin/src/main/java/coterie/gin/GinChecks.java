// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Checks the arguments of operations before anything is sent, on every transport alike.
final class GinChecks {
    private final DeviceCommunicator comm;
    private final CommunicatorRequirements requirements;
    private final Layout layout;

    GinChecks(DeviceCommunicator comm, CommunicatorRequirements requirements) {
        this.comm = comm;
        this.requirements = requirements;
        this.layout = comm.layout();
    }

    void checkRank(String operation, int rank) {
        if (rank < 0 || rank >= comm.size()) {
            throw new IndexOutOfBoundsException(
                    operation + " on " + comm + ": rank " + rank + "; allowed are [0, " + comm.size() + ")");
        }
    }

    void checkOwner(String operation, GinTeam members) {
        if (members.owner() != comm.rank()) {
            throw new GinException(
                    GinError.FOREIGN,
                    operation + " on " + comm + ": the team view belongs to rank " + members.owner()
                            + "; each rank makes its own");
        }
    }

    /// Returns the rank of a team's member, or throws.
    int toRank(String operation, GinTeam members, int member) {
        checkOwner(operation, members);
        if (member < 0 || member >= members.size()) {
            throw new IndexOutOfBoundsException(operation + " on " + comm + ": peer " + member + " of " + members
                    + "; allowed are [0, " + members.size() + ")");
        }
        int rank = members.toCommunicator(member);
        checkRank(operation, rank);
        return rank;
    }

    /// Returns the rank of an operation's peer, or throws if operations do not reach it.
    int target(GinContext context, String operation, GinTeam members, int peer) {
        comm.checkOpen(operation);
        int rank = toRank(operation, members, peer);
        if (comm.connectionType() == ConnectionType.RAIL && rank % comm.lsaSize() != comm.rank() % comm.lsaSize()) {
            throw new GinException(
                    GinError.NOT_CONNECTED,
                    context.where(operation) + ": rank " + rank + " is on rail " + rank % comm.lsaSize()
                            + ", the caller on rail " + comm.rank() % comm.lsaSize()
                            + "; the communicator has RAIL connections");
        }
        return rank;
    }

    /// Returns whether a signal of an action is weak.
    boolean isWeak(RemoteAction remote) {
        return remote.strength() == RemoteAction.Strength.WEAK
                || (remote.strength() == RemoteAction.Strength.REQUIRED && requirements.excludesStrong);
    }

    /// Checks that an action can happen at a rank.
    void check(GinContext context, String operation, int rank, RemoteAction remote) {
        if (requirements.excludesStrong && remote.strength() == RemoteAction.Strength.STRONG) {
            throw new GinException(
                    GinError.NOT_REQUIRED,
                    context.where(operation) + ": " + remote + "; the requirements exclude strong signals");
        }
        Window window = remote.window();
        if (window != null) {
            checkVa(context, operation, window);
            window.checkSignal(context, operation, rank, remote.place());
            return;
        }
        int signal = (int) remote.place();
        checkSignal(context, operation, signal);
        if (requirements.checks == SignalChecks.ON) {
            context.use.check(operation, rank, signal, remote.use());
        }
    }

    void checkVa(GinContext context, String operation, Window window) {
        if (requirements.excludesVa) {
            throw new GinException(
                    GinError.NOT_REQUIRED, context.where(operation) + ": the requirements exclude VA signals");
        }
        checkWindow(context, operation, window);
    }

    void checkWindow(GinContext context, String operation, Window window) {
        if (window == null) {
            throw new NullPointerException(context.where(operation) + ": window is null");
        }
        if (!window.communicator().equals(comm)) {
            throw new GinException(
                    GinError.FOREIGN, context.where(operation) + ": " + window + " belongs to another communicator");
        }
    }

    void checkSignal(GinContext context, String operation, int signal) {
        comm.checkOpen(operation);
        if (signal < 0 || signal >= layout.namedSignals) {
            throw new IndexOutOfBoundsException(context.where(operation) + ": signal " + signal + "; allowed are [0, "
                    + layout.namedSignals + "), ginSignalCount and those of resources");
        }
    }

    void checkCounter(GinContext context, String operation, int counter) {
        comm.checkOpen(operation);
        if (counter < 0 || counter >= layout.counters) {
            throw new IndexOutOfBoundsException(context.where(operation) + ": counter " + counter + "; allowed are [0, "
                    + layout.counters + "), ginCounterCount and those of resources");
        }
    }
}
