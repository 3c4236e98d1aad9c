// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /// Throws if an argument is null; the message has the operation, the communicator with the rank, and the parameter.
    void checkNotNull(String operation, String name, @Nullable Object argument) {
        if (argument == null) {
            throw new NullPointerException(
                    operation + " on PE " + comm.world().pe() + ", " + comm + ": " + name + " is null");
        }
    }

    /// Returns the flags of a call; one that is passed twice counts once.
    Set<WindowFlag> flags(String operation, WindowFlag... flags) {
        checkNotNull(operation, "flags", flags);
        Set<WindowFlag> all = EnumSet.noneOf(WindowFlag.class);
        for (WindowFlag each : flags) {
            checkNotNull(operation, "a flag of flags", each);
            all.add(each);
        }
        return all;
    }

    void checkRank(String operation, int rank) {
        if (rank < 0 || rank >= comm.size()) {
            throw new IndexOutOfBoundsException(
                    operation + " on " + comm + ": rank " + rank + "; allowed are [0, " + comm.size() + ")");
        }
    }

    /// @param name of the parameter
    void checkOwner(String operation, String name, GinTeam members) {
        checkNotNull(operation, name, members);
        if (members.owner() != comm.rank()) {
            throw new GinException(
                    GinError.FOREIGN,
                    operation + " on " + comm + ": the team view belongs to rank " + members.owner()
                            + "; each rank makes its own");
        }
    }

    /// Returns the rank of a team's member, or throws.
    ///
    /// @param name of the parameter that is the team
    int toRank(String operation, String name, GinTeam members, int member) {
        checkOwner(operation, name, members);
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
        int rank = toRank(operation, "team", members, peer);
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
        checkWindow(context, operation, "window", window);
    }

    void checkWindow(GinContext context, String operation, String name, Window window) {
        checkNotNull(operation, name, window);
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
