// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an operation does at its target, after its bytes are there: it increments a signal or adds to it.
///
/// A *strong* signal says that its put and all earlier puts and signals of its sender, context and target are
/// visible; a *weak* one says it of its own put alone. An *indexed* signal is a word of the context, by its id; a
/// *VA* signal is a word of a window, the same for all contexts.
///
/// Increments and adds do not mix: between two resets of an indexed signal all ranks increment it, or all add.
///
/// It is immutable. To make one allocates a small object, except in a compiled loop, where the JIT compiler
/// removes it; keep those that do not change.
/// @counterpart the remote actions `ncclGin_…Signal…`
public final class RemoteAction {
    enum Strength {
        STRONG,
        WEAK,
        /// as the communicator's requirements have it
        REQUIRED
    }

    /// No action.
    /// @counterpart `ncclGin_None`
    public static final RemoteAction NONE = new RemoteAction(Strength.WEAK, SignalUse.NONE, null, -1, 0);

    private static final long INCREMENT = 1;

    private final Strength strength;
    private final int use;
    private final @Nullable Window window;

    /// an id, or the offset of a word in bytes
    private final long place;

    private final long value;

    private RemoteAction(Strength strength, int use, @Nullable Window window, long place, long value) {
        this.strength = strength;
        this.use = use;
        this.window = window;
        this.place = place;
        this.value = value;
    }

    /// Increments a signal, strongly.
    /// @counterpart `ncclGin_StrongSignalInc`
    /// @param signal an id in `[0, n)`, where n is [DeviceCommunicator#signalCount]; the operation checks it
    public static RemoteAction strongSignalInc(int signal) {
        return new RemoteAction(Strength.STRONG, SignalUse.INCREMENTS, null, signal, INCREMENT);
    }

    /// Adds to a signal, strongly.
    /// @counterpart `ncclGin_StrongSignalAdd`
    /// @param signal as [#strongSignalInc]
    /// @param value any; sums wrap at 2^64
    public static RemoteAction strongSignalAdd(int signal, long value) {
        return new RemoteAction(Strength.STRONG, SignalUse.ADDS, null, signal, value);
    }

    /// Increments a signal, weakly; see [#strongSignalInc].
    /// @counterpart `ncclGin_WeakSignalInc`
    public static RemoteAction weakSignalInc(int signal) {
        return new RemoteAction(Strength.WEAK, SignalUse.INCREMENTS, null, signal, INCREMENT);
    }

    /// Adds to a signal, weakly; see [#strongSignalAdd].
    /// @counterpart `ncclGin_WeakSignalAdd`
    public static RemoteAction weakSignalAdd(int signal, long value) {
        return new RemoteAction(Strength.WEAK, SignalUse.ADDS, null, signal, value);
    }

    /// Increments a signal with the strength that the communicator's requirements ask for.
    /// @counterpart `ncclGin_SignalInc`, which NCCL has deprecated; the requirements' strength: better name one
    public static RemoteAction signalInc(int signal) {
        return new RemoteAction(Strength.REQUIRED, SignalUse.INCREMENTS, null, signal, INCREMENT);
    }

    /// Adds to a signal with the strength that the communicator's requirements ask for.
    /// @counterpart `ncclGin_SignalAdd`, which NCCL has deprecated; the requirements' strength: better name one
    public static RemoteAction signalAdd(int signal, long value) {
        return new RemoteAction(Strength.REQUIRED, SignalUse.ADDS, null, signal, value);
    }

    /// Increments a VA signal, strongly.
    /// @counterpart `ncclGin_StrongVASignalInc`
    /// @param window with [WindowFlag#STRICT_ORDERING]; the operation checks it
    /// @param byteOffset of an 8-byte word in it, a multiple of 8
    public static RemoteAction strongVaSignalInc(Window window, long byteOffset) {
        return va("strongVaSignalInc", Strength.STRONG, SignalUse.INCREMENTS, window, byteOffset, INCREMENT);
    }

    /// Adds to a VA signal, strongly; see [#strongVaSignalInc].
    /// @counterpart `ncclGin_StrongVASignalAdd`
    public static RemoteAction strongVaSignalAdd(Window window, long byteOffset, long value) {
        return va("strongVaSignalAdd", Strength.STRONG, SignalUse.ADDS, window, byteOffset, value);
    }

    /// Increments a VA signal, weakly; see [#strongVaSignalInc].
    /// @counterpart `ncclGin_WeakVASignalInc`
    public static RemoteAction weakVaSignalInc(Window window, long byteOffset) {
        return va("weakVaSignalInc", Strength.WEAK, SignalUse.INCREMENTS, window, byteOffset, INCREMENT);
    }

    /// Adds to a VA signal, weakly; see [#strongVaSignalInc].
    /// @counterpart `ncclGin_WeakVASignalAdd`
    public static RemoteAction weakVaSignalAdd(Window window, long byteOffset, long value) {
        return va("weakVaSignalAdd", Strength.WEAK, SignalUse.ADDS, window, byteOffset, value);
    }

    /// Increments a VA signal; see [#signalInc], [#strongVaSignalInc].
    /// @counterpart `ncclGin_VASignalInc`, which NCCL has deprecated
    public static RemoteAction vaSignalInc(Window window, long byteOffset) {
        return va("vaSignalInc", Strength.REQUIRED, SignalUse.INCREMENTS, window, byteOffset, INCREMENT);
    }

    /// Adds to a VA signal; see [#signalAdd], [#strongVaSignalInc].
    /// @counterpart `ncclGin_VASignalAdd`, which NCCL has deprecated
    public static RemoteAction vaSignalAdd(Window window, long byteOffset, long value) {
        return va("vaSignalAdd", Strength.REQUIRED, SignalUse.ADDS, window, byteOffset, value);
    }

    private static RemoteAction va(
            String operation, Strength strength, int use, Window window, long byteOffset, long value) {
        Objects.requireNonNull(window, () -> "RemoteAction." + operation + ": window is null");
        return new RemoteAction(strength, use, window, byteOffset, value);
    }

    boolean isNone() {
        return use == SignalUse.NONE;
    }

    Strength strength() {
        return strength;
    }

    int use() {
        return use;
    }

    @Nullable
    Window window() {
        return window;
    }

    long place() {
        return place;
    }

    long value() {
        return value;
    }

    @Override
    public String toString() {
        if (isNone()) {
            return "no action";
        }
        String which = strength == Strength.REQUIRED ? "" : strength.name().toLowerCase(Locale.ROOT) + " ";
        String what = use == SignalUse.INCREMENTS ? "increment" : "add of " + Long.toUnsignedString(value);
        return which + what + " of "
                + (window == null ? "signal " + place : "the VA signal at byte " + place + " of " + window);
    }
}
