// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// The functions that libucp calls, on the thread that calls libucp. They must not throw: an exception that
/// left one would end the JVM.
@SuppressWarnings("restricted")
public final class UcpCallbacks {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle ON_MESSAGE = returnsSuccess(MethodHandles.dropArguments(
            MethodHandles.dropArguments(
                    handle(
                            "message",
                            MethodType.methodType(void.class, long.class, long.class, long.class, long.class)),
                    1,
                    long.class),
            6,
            long.class));
    private static final MethodHandle ON_ERROR = MethodHandles.explicitCastArguments(
            MethodHandles.dropArguments(
                    handle("lost", MethodType.methodType(void.class, int.class, int.class)), 2, long.class),
            MethodType.methodType(void.class, Receiver.class, long.class, long.class, byte.class));

    private final Receiver receiver;

    /// What happens at a worker.
    public interface Receiver {
        /// A message has arrived, at addresses that are valid until the return.
        ///
        /// @param header address of the header
        /// @param headerLength in bytes
        /// @param payload address of the bytes after the header
        /// @param length of the payload in bytes
        void message(long header, long headerLength, long payload, long length);

        /// An endpoint has lost its peer.
        ///
        /// @param pe from [UcpStructures#endpoint]
        /// @param status of UCX
        void lost(int pe, int status);
    }

    /// @param receiver must not throw
    public UcpCallbacks(Receiver receiver) {
        this.receiver = receiver;
    }

    private static MethodHandle handle(String name, MethodType type) {
        try {
            return MethodHandles.lookup().findVirtual(Receiver.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static MethodHandle returnsSuccess(MethodHandle handle) {
        return MethodHandles.filterReturnValue(handle, MethodHandles.constant(byte.class, (byte) 0));
    }

    /// Returns the function for the messages of a worker.
    ///
    /// `ucs_status_t cb(void *arg, const void *header, size_t header_length, void *data, size_t length,
    /// const ucp_am_recv_param_t *)`
    public MemorySegment messageFunction(Arena arena) {
        return LINKER.upcallStub(
                ON_MESSAGE.bindTo(receiver),
                FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                arena);
    }

    /// Returns the function for the errors of endpoints.
    ///
    /// `void cb(void *arg, ucp_ep_h, ucs_status_t)`
    public MemorySegment errorFunction(Arena arena) {
        return LINKER.upcallStub(
                ON_ERROR.bindTo(receiver), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_BYTE), arena);
    }
}
