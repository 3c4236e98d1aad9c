// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Structures that libucp reads, of 64-bit Linux. They have the size of the newest version, and zeros where a
/// field is newer than UCX 1.13; each begins with a mask that says which fields count.
///
/// ```
///  ucp_params_t            88   mask@0  features@8
///  ucp_worker_params_t    200   mask@0  thread_mode@8:i32
///  ucp_worker_attr_t       80   mask@0  address@16  address_length@24
///  ucp_ep_params_t        104   mask@0  address@8  err_mode@16:i32  err_handler: cb@24 arg@32
///  ucp_mem_map_params_t    48   mask@0  address@8  length@16
///  ucp_am_handler_param_t  32   mask@0  id@8:i32  flags@12:i32  cb@16  arg@24
///  ucp_request_param_t     96   mask@0:i32  flags@4:i32  memh@64
/// ```
public final class UcpStructures {
    private static final long RMA = 1L << 1;
    private static final long WAKEUP = 1L << 4;
    private static final long MESSAGES = 1L << 6;

    /// One thread at a time calls the worker: the conduit has a lock of its own.
    private static final int SERIALIZED = 1;

    /// The endpoint reports the end of its peer, and completes what is under way.
    private static final int PEER_ERRORS = 1;

    /// The flags field of a request counts.
    private static final int HAS_FLAGS = 1 << 4;

    private static final int HAS_MEMORY = 1 << 8;

    /// Sends a message's bytes with its header, whatever their number: the handler gets both at once.
    private static final int EAGER = 1 << 1;

    /// The handler gets whole messages.
    private static final int WHOLE = 1;

    private UcpStructures() {}

    private static MemorySegment zeroed(Arena arena, long bytes) {
        return arena.allocate(bytes, Long.BYTES);
    }

    /// A context for puts, gets and messages, whose workers have a descriptor of events.
    public static MemorySegment context(Arena arena) {
        MemorySegment params = zeroed(arena, 88);
        params.set(JAVA_LONG, 0, 1);
        params.set(JAVA_LONG, 8, RMA | WAKEUP | MESSAGES);
        return params;
    }

    /// A worker that one thread at a time calls.
    public static MemorySegment worker(Arena arena) {
        MemorySegment params = zeroed(arena, 200);
        params.set(JAVA_LONG, 0, 1);
        params.set(JAVA_INT, 8, SERIALIZED);
        return params;
    }

    /// A question for a worker's address.
    static MemorySegment workerAddress(Arena arena) {
        MemorySegment attributes = zeroed(arena, 80);
        attributes.set(JAVA_LONG, 0, 1 << 1);
        return attributes;
    }

    static long address(MemorySegment attributes) {
        return attributes.get(JAVA_LONG, 16);
    }

    static long addressLength(MemorySegment attributes) {
        return attributes.get(JAVA_LONG, 24);
    }

    /// An endpoint.
    ///
    /// @param address of the peer's worker; must live as long as the endpoint is being created
    /// @param onError from [UcpCallbacks]
    /// @param pe that the callback gets
    public static MemorySegment endpoint(Arena arena, MemorySegment address, MemorySegment onError, int pe) {
        MemorySegment params = zeroed(arena, 104);
        params.set(JAVA_LONG, 0, 1 | 1 << 1 | 1 << 2);
        params.set(JAVA_LONG, 8, address.address());
        params.set(JAVA_INT, 16, PEER_ERRORS);
        params.set(JAVA_LONG, 24, onError.address());
        params.set(JAVA_LONG, 32, pe);
        return params;
    }

    /// Memory to register.
    public static MemorySegment memory(Arena arena, MemorySegment memory) {
        MemorySegment params = zeroed(arena, 48);
        params.set(JAVA_LONG, 0, 1 | 1 << 1);
        params.set(JAVA_LONG, 8, memory.address());
        params.set(JAVA_LONG, 16, memory.byteSize());
        return params;
    }

    /// A handler of the messages with an id.
    ///
    /// @param onMessage from [UcpCallbacks]
    public static MemorySegment handler(Arena arena, int id, MemorySegment onMessage) {
        MemorySegment params = zeroed(arena, 32);
        params.set(JAVA_LONG, 0, 1 | 1 << 1 | 1 << 2);
        params.set(JAVA_INT, 8, id);
        params.set(JAVA_INT, 12, WHOLE);
        params.set(JAVA_LONG, 16, onMessage.address());
        return params;
    }

    /// An operation without attributes.
    public static MemorySegment operation(Arena arena) {
        return zeroed(arena, 96);
    }

    /// A put from, or a get to, memory that is registered.
    ///
    /// @param memory from [LibUcp#map]
    public static MemorySegment operationOn(Arena arena, long memory) {
        MemorySegment params = operation(arena);
        params.set(JAVA_INT, 0, HAS_MEMORY);
        params.set(JAVA_LONG, 64, memory);
        return params;
    }

    /// A message whose bytes travel with its header.
    public static MemorySegment message(Arena arena) {
        return flags(arena, EAGER);
    }

    /// The close of an endpoint that neither completes what is under way nor notifies the peer.
    public static MemorySegment forcedClose(Arena arena) {
        return flags(arena, 1);
    }

    private static MemorySegment flags(Arena arena, int flags) {
        MemorySegment params = operation(arena);
        params.set(JAVA_INT, 0, HAS_FLAGS);
        params.set(JAVA_INT, 4, flags);
        return params;
    }
}
