// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;

/// The functions of libucp that the conduit calls, loaded once in a process. Parameters are structures of
/// [UcpStructures]; a function that returns an object throws if UCX has none.
///
/// The functions of data return a *result*: 0 if the operation is complete, an error in [-100, -1], otherwise
/// a request for [#requestStatus], which the caller frees once it is complete.
@SuppressWarnings("restricted")
public final class LibUcp {
    /// The library's name, the same since 2016.
    public static final String NAME = "libucp.so.0";

    /// UCX's status of an operation that goes on.
    public static final int IN_PROGRESS = 1;

    private static final int LEAST_ERROR = -100;

    /// The version of the interface that this class was written for, which every later UCX accepts.
    private static final int MAJOR = 1;

    private static final int MINOR = 13;

    private final SymbolLookup library;
    private final MemorySegment progress;
    private final MemorySegment put;
    private final MemorySegment get;
    private final MemorySegment send;
    private final MemorySegment flush;
    private final MemorySegment check;
    private final MemorySegment free;
    private final MemorySegment arm;

    private LibUcp(SymbolLookup library) {
        this.library = library;
        progress = find("ucp_worker_progress");
        put = find("ucp_put_nbx");
        get = find("ucp_get_nbx");
        send = find("ucp_am_send_nbx");
        flush = find("ucp_ep_flush_nbx");
        check = find("ucp_request_check_status");
        free = find("ucp_request_free");
        arm = find("ucp_worker_arm");
    }

    /// An attempt to load a library.
    ///
    /// @param library null if there is a reason
    /// @param missing why it can't be used, and the remedy; empty if it can
    private record Attempt(@Nullable LibUcp library, String missing) {
        /// The attempt of this process.
        private static final class OfProcess {
            static final Attempt ATTEMPT = load(NAME);
        }

        static Attempt load(String name) {
            LibraryPrologue.run();
            SymbolLookup library;
            try {
                library = SymbolLookup.libraryLookup(name, Arena.global());
            } catch (IllegalArgumentException e) {
                return new Attempt(
                        null,
                        name + " not found: install libucx0 (Debian, Ubuntu) or ucx (Fedora, openSUSE), or add its"
                                + " folder to LD_LIBRARY_PATH");
            }
            try {
                LibUcp loaded = new LibUcp(library);
                int[] version = loaded.version();
                return version[0] == MAJOR && version[1] >= MINOR
                        ? new Attempt(loaded, "")
                        : new Attempt(
                                null,
                                name + " is UCX " + version[0] + "." + version[1] + ": install UCX 1.13 or later");
            } catch (CoterieException e) {
                return new Attempt(null, name + " can't be used, as " + e.getMessage() + ": install UCX 1.13 or later");
            }
        }
    }

    /// Returns why this process has no usable libucp, and the remedy; empty if it has one.
    ///
    /// @param name of the library; [#NAME] but in tests
    public static String missing(String name) {
        return (name.equals(NAME) ? Attempt.OfProcess.ATTEMPT : Attempt.load(name)).missing;
    }

    /// Returns the library of this process, which loads it at the first call.
    ///
    /// @throws CoterieException with the reason of [#missing]
    public static LibUcp get() {
        Attempt attempt = Attempt.OfProcess.ATTEMPT;
        if (attempt.library == null) {
            throw new CoterieException(attempt.missing);
        }
        return attempt.library;
    }

    private MemorySegment find(String function) {
        return library.find(function).orElseThrow(() -> new CoterieException("it has no " + function));
    }

    private long call(String function, long a, long b, long c, long d) {
        return LibC.call(find(function), a, b, c, d, 0, 0, 0);
    }

    private void require(String function, long status) {
        if ((byte) status != 0) {
            throw new CoterieException(function + " failed: " + text((byte) status));
        }
    }

    /// Returns whether a result of a data function is an error.
    public static boolean isError(long result) {
        return result < 0 && result >= LEAST_ERROR;
    }

    /// `void ucp_get_version(unsigned *major, unsigned *minor, unsigned *release)`
    public int[] version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parts = arena.allocate(JAVA_INT, 3);
            long at = parts.address();
            call("ucp_get_version", at, at + Integer.BYTES, at + 2 * Integer.BYTES, 0);
            return parts.toArray(JAVA_INT);
        }
    }

    /// `const char *ucs_status_string(ucs_status_t status)`, which libucp's dependency libucs has.
    public String text(int status) {
        return NativeMemory.text(call("ucs_status_string", status, 0, 0, 0));
    }

    /// Makes a context from the environment's settings.
    ///
    /// `ucs_status_t ucp_config_read(const char *prefix, const char *file, ucp_config_t **config)`,
    /// `ucs_status_t ucp_config_modify(ucp_config_t *, const char *name, const char *value)`,
    /// `ucs_status_t ucp_init_version(unsigned major, unsigned minor, const ucp_params_t *, const
    /// ucp_config_t *, ucp_context_h *)`, `void ucp_config_release(ucp_config_t *)`
    ///
    /// @param devices network devices that it may use; empty: those of UCX_NET_DEVICES
    /// @param transports that it may use, in the form of UCX_TLS; empty: those of UCX_TLS
    public long createContext(MemorySegment params, String devices, String transports) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            require("ucp_config_read", call("ucp_config_read", 0, 0, made.address(), 0));
            long config = made.get(JAVA_LONG, 0);
            long status = modify(config, "NET_DEVICES", devices, arena);
            if ((byte) status == 0) {
                status = modify(config, "TLS", transports, arena);
            }
            if ((byte) status == 0) {
                status = LibC.call(
                        find("ucp_init_version"), MAJOR, MINOR, params.address(), config, made.address(), 0, 0);
            }
            call("ucp_config_release", config, 0, 0, 0);
            require("ucp_init", status);
            return made.get(JAVA_LONG, 0);
        }
    }

    private long modify(long config, String name, String value, Arena arena) {
        return value.isEmpty()
                ? 0
                : call(
                        "ucp_config_modify",
                        config,
                        arena.allocateFrom(name).address(),
                        arena.allocateFrom(value).address(),
                        0);
    }

    /// `void ucp_cleanup(ucp_context_h)`
    public void destroyContext(long context) {
        call("ucp_cleanup", context, 0, 0, 0);
    }

    /// Returns what a context has found on this machine, in UCX's words.
    ///
    /// `void ucp_context_print_info(ucp_context_h, FILE *)`
    public String contextInfo(long context) {
        return LibC.printed(stream -> call("ucp_context_print_info", context, stream, 0, 0));
    }

    /// `ucs_status_t ucp_worker_create(ucp_context_h, const ucp_worker_params_t *, ucp_worker_h *)`
    public long createWorker(long context, MemorySegment params) {
        return made("ucp_worker_create", context, params.address());
    }

    /// `void ucp_worker_destroy(ucp_worker_h)`
    public void destroyWorker(long worker) {
        call("ucp_worker_destroy", worker, 0, 0, 0);
    }

    /// Returns the bytes by which a peer finds a worker.
    ///
    /// `ucs_status_t ucp_worker_query(ucp_worker_h, ucp_worker_attr_t *)`,
    /// `void ucp_worker_release_address(ucp_worker_h, ucp_address_t *)`
    public byte[] workerAddress(long worker) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = UcpStructures.workerAddress(arena);
            require("ucp_worker_query", call("ucp_worker_query", worker, attributes.address(), 0, 0));
            long address = UcpStructures.address(attributes);
            byte[] copy = NativeMemory.bytes(address, UcpStructures.addressLength(attributes));
            call("ucp_worker_release_address", worker, address, 0, 0);
            return copy;
        }
    }

    /// Returns the address of a structure for [#awaitEvent], of the descriptor that is readable when an armed
    /// worker has something to do.
    ///
    /// `ucs_status_t ucp_worker_get_efd(ucp_worker_h, int *fd)`
    ///
    /// @param arena of the structure
    public long events(long worker, Arena arena) {
        MemorySegment descriptor = arena.allocate(JAVA_INT);
        require("ucp_worker_get_efd", call("ucp_worker_get_efd", worker, descriptor.address(), 0, 0));
        return LibC.pollOf(descriptor.get(JAVA_INT, 0), arena);
    }

    /// Waits until an armed worker has an event, or time is over; returns whether it has.
    ///
    /// @param events from [#events]
    public static boolean awaitEvent(long events, int timeoutMillis) {
        return LibC.awaitReadable(events, timeoutMillis);
    }

    /// Ends an [#awaitEvent] of another thread.
    ///
    /// `ucs_status_t ucp_worker_signal(ucp_worker_h)`
    public void signal(long worker) {
        require("ucp_worker_signal", call("ucp_worker_signal", worker, 0, 0, 0));
    }

    /// Makes the worker's descriptor readable at its next event. Returns false if it has an event already.
    ///
    /// `ucs_status_t ucp_worker_arm(ucp_worker_h)`
    public boolean arm(long worker) {
        return (byte) LibC.call(arm, worker, 0, 0, 0, 0, 0, 0) == 0;
    }

    /// Sets the handler of a worker's messages with one id; see [UcpStructures#handler].
    ///
    /// `ucs_status_t ucp_worker_set_am_recv_handler(ucp_worker_h, const ucp_am_handler_param_t *)`
    public void setHandler(long worker, MemorySegment params) {
        require(
                "ucp_worker_set_am_recv_handler",
                call("ucp_worker_set_am_recv_handler", worker, params.address(), 0, 0));
    }

    /// Registers memory. `ucs_status_t ucp_mem_map(ucp_context_h, const ucp_mem_map_params_t *, ucp_mem_h *)`
    public long map(long context, MemorySegment params) {
        return made("ucp_mem_map", context, params.address());
    }

    /// `ucs_status_t ucp_mem_unmap(ucp_context_h, ucp_mem_h)`
    public void unmap(long context, long memory) {
        require("ucp_mem_unmap", call("ucp_mem_unmap", context, memory, 0, 0));
    }

    /// Returns the key by which peers access registered memory.
    ///
    /// `ucs_status_t ucp_rkey_pack(ucp_context_h, ucp_mem_h, void **buffer, size_t *size)`,
    /// `void ucp_rkey_buffer_release(void *)`
    public byte[] packKey(long context, long memory) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            require("ucp_rkey_pack", call("ucp_rkey_pack", context, memory, buffer.address(), size.address()));
            byte[] key = NativeMemory.bytes(buffer.get(JAVA_LONG, 0), size.get(JAVA_LONG, 0));
            call("ucp_rkey_buffer_release", buffer.get(JAVA_LONG, 0), 0, 0, 0);
            return key;
        }
    }

    /// `ucs_status_t ucp_ep_create(ucp_worker_h, const ucp_ep_params_t *, ucp_ep_h *)`
    public long createEndpoint(long worker, MemorySegment params) {
        return made("ucp_ep_create", worker, params.address());
    }

    /// Closes an endpoint. Returns a result.
    ///
    /// `ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h, const ucp_request_param_t *)`
    public long closeEndpoint(long endpoint, MemorySegment params) {
        return call("ucp_ep_close_nbx", endpoint, params.address(), 0, 0);
    }

    /// `ucs_status_t ucp_ep_rkey_unpack(ucp_ep_h, const void *rkey_buffer, ucp_rkey_h *)`
    public long unpackKey(long endpoint, MemorySegment key) {
        return made("ucp_ep_rkey_unpack", endpoint, key.address());
    }

    /// `void ucp_rkey_destroy(ucp_rkey_h)`
    public void destroyKey(long key) {
        call("ucp_rkey_destroy", key, 0, 0, 0);
    }

    private long made(String function, long owner, long params) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            require(function, call(function, owner, params, made.address(), 0));
            return made.get(JAVA_LONG, 0);
        }
    }

    /// Advances a worker; callbacks run on the calling thread. Returns 0 if nothing has moved.
    ///
    /// `unsigned ucp_worker_progress(ucp_worker_h)`
    public int progress(long worker) {
        return (int) LibC.call(progress, worker, 0, 0, 0, 0, 0, 0);
    }

    /// Puts bytes. Returns a result.
    ///
    /// `ucs_status_ptr_t ucp_put_nbx(ucp_ep_h, const void *buffer, size_t count, uint64_t remote, ucp_rkey_h,
    /// const ucp_request_param_t *)`
    public long put(long endpoint, long source, long length, long remote, long key, long params) {
        return LibC.call(put, endpoint, source, length, remote, key, params, 0);
    }

    /// Gets bytes. Returns a result.
    ///
    /// `ucs_status_ptr_t ucp_get_nbx(ucp_ep_h, void *buffer, size_t count, uint64_t remote, ucp_rkey_h,
    /// const ucp_request_param_t *)`
    public long get(long endpoint, long target, long length, long remote, long key, long params) {
        return LibC.call(get, endpoint, target, length, remote, key, params, 0);
    }

    /// Sends an active message. Returns a result.
    ///
    /// `ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h, unsigned id, const void *header, size_t header_length,
    /// const void *buffer, size_t count, const ucp_request_param_t *)`
    public long send(long endpoint, int id, long header, long headerLength, long payload, long length, long params) {
        return LibC.call(send, endpoint, id, header, headerLength, payload, length, params);
    }

    /// Completes the puts of an endpoint at the peer. Returns a result.
    ///
    /// `ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h, const ucp_request_param_t *)`
    public long flush(long endpoint, long params) {
        return LibC.call(flush, endpoint, params, 0, 0, 0, 0, 0);
    }

    /// Returns the status of a request.
    ///
    /// `ucs_status_t ucp_request_check_status(void *request)`
    public int requestStatus(long request) {
        return (byte) LibC.call(check, request, 0, 0, 0, 0, 0, 0);
    }

    /// `void ucp_request_free(void *request)`
    public void free(long request) {
        LibC.call(free, request, 0, 0, 0, 0, 0, 0);
    }
}
