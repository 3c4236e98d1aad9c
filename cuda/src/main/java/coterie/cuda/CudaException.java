// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.CoterieException;
import java.io.Serial;

/// A call of the CUDA driver that has failed. The message has the operation, the PE, the device, and the driver's
/// name and text of the error.
///
/// An error is *sticky* if the driver can't serve the device in this process any more: a kernel has used a wrong
/// address, for instance. An earlier operation than the throwing one may be its reason, since the device runs
/// later than the host. The device is *lost* then: each later call throws a `CudaException` whose
/// cause is the first one. The process has to end and start again.
public final class CudaException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final int pe;
    private final int device;
    private final int code;
    private final String error;
    private final boolean isSticky;

    CudaException(Failure failure, String message) {
        super(message);
        this.operation = failure.operation;
        this.pe = failure.pe;
        this.device = failure.device;
        this.code = failure.code;
        this.error = failure.error;
        this.isSticky = failure.isSticky;
    }

    CudaException(Failure failure, String message, Throwable cause) {
        super(message, cause);
        this.operation = failure.operation;
        this.pe = failure.pe;
        this.device = failure.device;
        this.code = failure.code;
        this.error = failure.error;
        this.isSticky = failure.isSticky;
    }

    /// What has failed, without words.
    record Failure(String operation, int pe, int device, int code, String error, boolean isSticky) {}

    Failure failure() {
        return new Failure(operation, pe, device, code, error, isSticky);
    }

    /// Returns the operation that the program has called, such as "allocate".
    public String operation() {
        return operation;
    }

    /// Returns the number in the world of the PE whose device has failed.
    public int pe() {
        return pe;
    }

    /// Returns the number of the device on that PE.
    public int device() {
        return device;
    }

    /// Returns the driver's number of the error, such as 2.
    /// @counterpart `cudaError_t`, `CUresult`
    public int code() {
        return code;
    }

    /// Returns the driver's name of the error, such as `CUDA_ERROR_OUT_OF_MEMORY`.
    /// @counterpart `cudaGetErrorName`
    public String error() {
        return error;
    }

    /// Returns whether the device is lost for this process.
    /// @counterpart sticky errors; later calls have the first cause
    public boolean isSticky() {
        return isSticky;
    }
}
