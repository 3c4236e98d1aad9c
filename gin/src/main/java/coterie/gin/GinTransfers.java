// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.stream.KernelGroup;
import org.jspecify.annotations.Nullable;

/// The operations of a context that move bytes and send signals; [Gin] has the rules.
abstract sealed class GinTransfers permits Gin {
    private static final int MOST_VALUE_BYTES = Long.BYTES;

    final GinContext context;
    final DeviceCommunicator comm;
    final @Nullable KernelGroup group;

    GinTransfers(GinContext context, @Nullable KernelGroup group) {
        this.context = context;
        this.comm = context.comm;
        this.group = group;
    }

    /// Returns the same context for one thread.
    abstract Gin alone();

    /// Puts bytes, without actions; see
    /// [#put(GinTeam, int, Window, long, Window, long, long, RemoteAction, LocalAction, OptFlag)].
    public void put(
            GinTeam team, int peer, Window target, long targetByte, Window source, long sourceByte, long bytes) {
        put(team, peer, target, targetByte, source, sourceByte, bytes, RemoteAction.NONE, LocalAction.NONE);
    }

    /// Puts bytes, and acts at the peer.
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetByte,
            Window source,
            long sourceByte,
            long bytes,
            RemoteAction remote) {
        put(team, peer, target, targetByte, source, sourceByte, bytes, remote, LocalAction.NONE);
    }

    /// Puts bytes, and acts at the peer and at the caller.
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetByte,
            Window source,
            long sourceByte,
            long bytes,
            RemoteAction remote,
            LocalAction local) {
        put(team, peer, target, targetByte, source, sourceByte, bytes, remote, local, OptFlag.DEFAULT);
    }

    /// Starts to copy bytes of a window of the caller to a window of a peer.
    /// @counterpart `ncclGin::put` of bytes
    /// @param targetByte in the peer's window
    /// @param sourceByte in the caller's window
    /// @param bytes 0 or more; with 0 bytes only the actions happen
    /// @param remote at the peer, after all bytes are there
    /// @param local at the caller, once the source may be reused
    /// @throws coterie.PeFailedException if the peer is not direct, and has failed
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetByte,
            Window source,
            long sourceByte,
            long bytes,
            RemoteAction remote,
            LocalAction local,
            OptFlag flag) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(
                    () -> alone.put(team, peer, target, targetByte, source, sourceByte, bytes, remote, local, flag));
            return;
        }
        int rank = comm.checks().target(context, "put", team, peer);
        comm.checks().checkWindow(context, "put", "target", target);
        comm.checks().checkWindow(context, "put", "source", source);
        target.check(context, "put", rank, targetByte, bytes);
        source.check(context, "put", comm.rank(), sourceByte, bytes);
        comm.checks().checkNotNull("put", "local", local);
        comm.checks().checkNotNull("put", "flag", flag);
        comm.checks().checkNotNull("put", "remote", remote);
        if (!local.isNone()) {
            comm.checks().checkCounter(context, "put", local.counter());
        }
        if (!remote.isNone()) {
            comm.checks().check(context, "put", rank, remote);
        }
        context.hint(flag);
        context.put(target, targetByte, source, sourceByte, bytes, rank, remote, local);
    }

    /// Puts elements, without a hint.
    public void put(
            GinTeam team,
            int peer,
            SymmetricPointer target,
            SymmetricPointer source,
            long elements,
            RemoteAction remote,
            LocalAction local) {
        put(team, peer, target, source, elements, remote, local, OptFlag.DEFAULT);
    }

    /// Puts elements.
    /// @counterpart `ncclGin::put` with `ncclSymPtr`
    /// @param target at the peer
    /// @param source at the caller, of the same type
    /// @param elements 0 or more
    public void put(
            GinTeam team,
            int peer,
            SymmetricPointer target,
            SymmetricPointer source,
            long elements,
            RemoteAction remote,
            LocalAction local,
            OptFlag flag) {
        comm.checks().checkNotNull("put", "target", target);
        comm.checks().checkNotNull("put", "source", source);
        if (target.type() != source.type()) {
            throw new IllegalArgumentException(context.where("put") + ": a target of " + target.type()
                    + " and a source of " + source.type() + "; allowed are equal types");
        }
        put(
                team,
                peer,
                target.window(),
                target.byteOffset(),
                source.window(),
                source.byteOffset(),
                target.bytes(elements),
                remote,
                local,
                flag);
    }

    /// Puts a value, without an action.
    public void putValue(GinTeam team, int peer, Window target, long targetByte, long value, int bytes) {
        putValue(team, peer, target, targetByte, value, bytes, RemoteAction.NONE);
    }

    /// Puts a value, and acts at the peer.
    public void putValue(
            GinTeam team, int peer, Window target, long targetByte, long value, int bytes, RemoteAction remote) {
        putValue(team, peer, target, targetByte, value, bytes, remote, OptFlag.DEFAULT);
    }

    /// Starts to copy the low bytes of a value, little-endian, to a window of a peer. The peer sees 1, 2, 4 or 8
    /// bytes at a multiple of their number at once.
    /// @counterpart `ncclGin::putValue`; 1 to 8 bytes
    /// @param bytes in `[1, 8]`
    public void putValue(
            GinTeam team,
            int peer,
            Window target,
            long targetByte,
            long value,
            int bytes,
            RemoteAction remote,
            OptFlag flag) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.putValue(team, peer, target, targetByte, value, bytes, remote, flag));
            return;
        }
        int rank = comm.checks().target(context, "putValue", team, peer);
        if (bytes < 1 || bytes > MOST_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    context.where("putValue") + ": a value of " + bytes + " bytes; allowed are [1, 8]");
        }
        comm.checks().checkWindow(context, "putValue", "target", target);
        target.check(context, "putValue", rank, targetByte, bytes);
        comm.checks().checkNotNull("putValue", "flag", flag);
        comm.checks().checkNotNull("putValue", "remote", remote);
        if (!remote.isNone()) {
            comm.checks().check(context, "putValue", rank, remote);
        }
        context.hint(flag);
        context.putValue(target, targetByte, value, bytes, rank, remote);
    }

    /// Puts one element, without a hint.
    public void putValue(GinTeam team, int peer, SymmetricPointer target, long bits, RemoteAction remote) {
        putValue(team, peer, target, bits, remote, OptFlag.DEFAULT);
    }

    /// Puts one element: the low bits of `bits`, as many as its type has.
    /// @counterpart `ncclGin::putValue` with `ncclSymPtr`
    public void putValue(
            GinTeam team, int peer, SymmetricPointer target, long bits, RemoteAction remote, OptFlag flag) {
        comm.checks().checkNotNull("putValue", "target", target);
        putValue(
                team,
                peer,
                target.window(),
                target.byteOffset(),
                bits,
                target.type().byteSize(),
                remote,
                flag);
    }

    /// Acts at a peer, without a hint.
    public void signal(GinTeam team, int peer, RemoteAction remote) {
        signal(team, peer, remote, OptFlag.DEFAULT);
    }

    /// Acts at a peer.
    /// @counterpart `ncclGin::signal`
    /// @param remote any but [RemoteAction#NONE]
    public void signal(GinTeam team, int peer, RemoteAction remote, OptFlag flag) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.signal(team, peer, remote, flag));
            return;
        }
        int rank = comm.checks().target(context, "signal", team, peer);
        comm.checks().checkNotNull("signal", "remote", remote);
        if (remote.isNone()) {
            throw new IllegalArgumentException(
                    context.where("signal") + ": no action; allowed are increments and adds");
        }
        comm.checks().checkNotNull("signal", "flag", flag);
        comm.checks().check(context, "signal", rank, remote);
        context.hint(flag);
        context.signal(rank, remote);
    }

    /// Gets bytes, without a hint.
    public void get(
            GinTeam team, int peer, Window source, long sourceByte, Window target, long targetByte, long bytes) {
        get(team, peer, source, sourceByte, target, targetByte, bytes, OptFlag.DEFAULT);
    }

    /// Starts to copy bytes of a window of a peer to a window of the caller, which sees them after a [Gin#flush].
    /// @counterpart `ncclGin::get`
    /// @param sourceByte in the peer's window
    /// @param targetByte in the caller's window
    /// @param bytes 0 or more
    public void get(
            GinTeam team,
            int peer,
            Window source,
            long sourceByte,
            Window target,
            long targetByte,
            long bytes,
            OptFlag flag) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.get(team, peer, source, sourceByte, target, targetByte, bytes, flag));
            return;
        }
        int rank = comm.checks().target(context, "get", team, peer);
        comm.checks().checkWindow(context, "get", "source", source);
        comm.checks().checkWindow(context, "get", "target", target);
        source.check(context, "get", rank, sourceByte, bytes);
        target.check(context, "get", comm.rank(), targetByte, bytes);
        comm.checks().checkNotNull("get", "flag", flag);
        context.hint(flag);
        context.get(source, sourceByte, target, targetByte, bytes, rank);
    }

    /// Runs an action once for the group.
    void once(Runnable action) {
        if (group == null) {
            action.run();
        } else {
            group.invokeOne(action);
        }
    }

    GinContext context() {
        return context;
    }

    @Nullable
    KernelGroup group() {
        return group;
    }
}
