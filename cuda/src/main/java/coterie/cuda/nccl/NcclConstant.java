// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nccl;

import java.util.Arrays;

/// The constants of `nccl.h` that this module uses, by their names there: one table for the binding and for the
/// test that compares it with the header.
public enum NcclConstant {
    /// the call has done what it says
    ncclSuccess(0),
    /// a call of CUDA has failed
    ncclUnhandledCudaError(1),
    /// a call of the system has failed
    ncclSystemError(2),
    /// an error of NCCL itself
    ncclInternalError(3),
    /// an argument has a wrong value
    ncclInvalidArgument(4),
    /// a call that the state does not allow
    ncclInvalidUsage(5),
    /// another member has failed, or the connection to it
    ncclRemoteError(6),
    /// the call goes on in a thread of NCCL: no error
    ncclInProgress(7),

    /// elements: 8 bits, signed
    ncclInt8(0),
    /// elements: 8 bits, unsigned
    ncclUint8(1),
    /// elements: 32 bits, signed
    ncclInt32(2),
    /// elements: 32 bits, unsigned
    ncclUint32(3),
    /// elements: 64 bits, signed
    ncclInt64(4),
    /// elements: 64 bits, unsigned
    ncclUint64(5),
    /// elements: binary16
    ncclFloat16(6),
    /// elements: binary32
    ncclFloat32(7),
    /// elements: binary64
    ncclFloat64(8),
    /// elements: bfloat16
    ncclBfloat16(9),

    /// reduction: sum
    ncclSum(0),
    /// reduction: product
    ncclProd(1),
    /// reduction: the largest
    ncclMax(2),
    /// reduction: the smallest
    ncclMin(3),
    /// reduction: the mean
    ncclAvg(4);

    private final int value;

    NcclConstant(int value) {
        this.value = value;
    }

    /// Returns the number.
    public int value() {
        return value;
    }

    /// Returns the name of a result.
    static String result(int result) {
        return Arrays.stream(values())
                .filter(each -> each.value == result && each.compareTo(ncclInProgress) <= 0)
                .findFirst()
                .map(NcclConstant::name)
                .orElse("ncclResult_t " + result);
    }
}
