// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nccl;

/// The functions of NCCL that this module calls: one table for the binding and for the test that compares it with
/// `nccl.h`. All are in NCCL 2.14 and later.
public enum NcclFunction {
    /// tells the version, 10000 × major + 100 × minor + patch
    GET_VERSION("ncclGetVersion", "int *"),
    /// makes the 128 bytes by which members find each other
    GET_UNIQUE_ID("ncclGetUniqueId", "ncclUniqueId *"),
    /// connects the members; the 128 bytes travel by value
    COMM_INIT_RANK_CONFIG("ncclCommInitRankConfig", "ncclComm_t *, int, ncclUniqueId, int, ncclConfig_t *"),
    /// tells whether a call is still under way, or has failed
    COMM_GET_ASYNC_ERROR("ncclCommGetAsyncError", "ncclComm_t, ncclResult_t *"),
    /// flushes what a communicator has under way; collective
    COMM_FINALIZE("ncclCommFinalize", "ncclComm_t"),
    /// ends a communicator that is flushed
    COMM_DESTROY("ncclCommDestroy", "ncclComm_t"),
    /// ends a communicator, and its kernels that wait for other members
    COMM_ABORT("ncclCommAbort", "ncclComm_t"),
    /// explains a result
    GET_ERROR_STRING("ncclGetErrorString", "ncclResult_t"),
    /// tells the last error in words
    GET_LAST_ERROR("ncclGetLastError", "ncclComm_t"),
    /// every member gets the reduction of all vectors
    ALL_REDUCE("ncclAllReduce", "const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t"),
    /// the root gets the reduction of all vectors
    REDUCE("ncclReduce", "const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, int, ncclComm_t, cudaStream_t"),
    /// every member gets the root's vector
    BROADCAST("ncclBroadcast", "const void *, void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t"),
    /// every member gets a block of each member
    ALL_GATHER("ncclAllGather", "const void *, void *, size_t, ncclDataType_t, ncclComm_t, cudaStream_t"),
    /// every member gets its block of the reduction
    REDUCE_SCATTER(
            "ncclReduceScatter", "const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t"),
    /// sends a block to a member
    SEND("ncclSend", "const void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t"),
    /// receives a block of a member
    RECV("ncclRecv", "void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t"),
    /// begins sends and receives that go on together
    GROUP_START("ncclGroupStart", "void"),
    /// ends the list of them, and starts them
    GROUP_END("ncclGroupEnd", "void");

    private final String symbol;
    private final String parameters;

    NcclFunction(String symbol, String parameters) {
        this.symbol = symbol;
        this.parameters = parameters;
    }

    /// Returns the name in the library and in the header.
    public String symbol() {
        return symbol;
    }

    /// Returns the types of the parameters, as the header has them.
    String parameters() {
        return parameters;
    }

    /// Returns how many parameters it has.
    public int parameterCount() {
        return parameters.equals("void") ? 0 : parameters.split(",").length;
    }
}
