// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.Set;

/// What an operation is: its names, and how it runs.
enum OperationType {
    NONE("nothing", (_, _) -> true),
    HOST("host function", "execute", HostSteps::run),
    POLL("polled host function", HostSteps::poll),
    RECORD("record", HostSteps::record),
    WAIT_EVENT("wait for an event", HostSteps::awaitEvent),
    ORDER("order after another stream", HostSteps::awaitLane),
    GRAPH("graph", HostSteps::graph),
    KERNEL("kernel", HostSteps::kernel),
    RELEASE("close", HostSteps::release),
    LATE_COPY("copy", OneSidedSteps::lateCopy),
    PUT("put", OneSidedSteps::put),
    PUT_NBI("putNbi", OneSidedSteps::put),
    PUT_STRIDED("putStrided", OneSidedSteps::putStrided),
    PUT_WORD("put of a value", "put", OneSidedSteps::putWord),
    PUT_SIGNAL("putSignal", OneSidedSteps::putSignal),
    PUT_SIGNAL_NBI("putSignalNbi", OneSidedSteps::putSignal),
    GET("get", OneSidedSteps::get),
    GET_NBI("getNbi", OneSidedSteps::get),
    GET_STRIDED("getStrided", OneSidedSteps::getStrided),
    GET_WORD("get of a value", OneSidedSteps::getWord),
    SIGNAL("signal", OneSidedSteps::signal),
    ATOMIC("atomic", OneSidedSteps::atomic),
    FETCH_ATOMIC("fetching atomic", "fetchAtomic", OneSidedSteps::fetchAtomic),
    COMPARE_AND_SWAP("compareAndExchange", OneSidedSteps::compareAndSwap),
    WRITE_VALUE("writeValue", OneSidedSteps::writeValue),
    FENCE("fence", OneSidedSteps::fence),
    FLUSH("flush", OneSidedSteps::flush),
    QUIET("quiet", OneSidedSteps::quiet),
    WAIT_VALUE("waitValue", WaitSteps::value),
    WAIT_UNTIL("waitUntil", WaitSteps::word),
    WAIT_UNTIL_ALL("waitUntilAll", WaitSteps::words),
    GROUP_CHECK("wait for or test of a set", WaitSteps::group),
    SIGNAL_FETCH("fetch of a signal", "fetch", WaitSteps::fetchSignal),
    SIGNAL_WAIT("waitUntil of a signal", "waitUntil", WaitSteps::signal),
    BARRIER("barrier", WaitSteps::barrier),
    SYNC("sync", WaitSteps::collective),
    COLLECTIVE("collective", WaitSteps::collective);

    private final String label;
    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // steps have no state
    private final OperationStep step;

    private final boolean runsCode;
    private final boolean isNonBlocking;

    OperationType(String label, OperationStep step) {
        this(label, label, step);
    }

    OperationType(String label, String method, OperationStep step) {
        this.label = label;
        this.method = method;
        this.step = step;
        this.runsCode = Set.of("HOST", "POLL", "KERNEL", "GRAPH").contains(name());
        this.isNonBlocking = name().endsWith("_NBI");
    }

    String label() {
        return label;
    }

    /// Returns the name of the method that enqueues it.
    String method() {
        return method;
    }

    OperationStep step() {
        return step;
    }

    /// Returns whether it runs code of the program.
    boolean runsCode() {
        return runsCode;
    }

    /// Returns whether it copies to the caller's memory.
    boolean isGet() {
        return this == GET || this == GET_NBI || this == GET_STRIDED;
    }

    /// Returns whether the next operation, or a kernel, goes on when it has started.
    boolean isNonBlocking() {
        return isNonBlocking;
    }

    /// Returns whether it does nothing but order others.
    boolean isOrder() {
        return this == RECORD || this == WAIT_EVENT || this == ORDER || this == RELEASE;
    }
}
