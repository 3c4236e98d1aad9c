// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

/// The constants of `cuda.h` that this module uses, by their names there: one table for the binding and for the
/// test that compares it with the header.
public enum DriverConstant {
    /// the call has done what it says
    CUDA_SUCCESS(0),
    /// an argument is out of range
    CUDA_ERROR_INVALID_VALUE(1),
    /// the device has too little memory
    CUDA_ERROR_OUT_OF_MEMORY(2),
    /// no device is visible to this process
    CUDA_ERROR_NO_DEVICE(100),
    /// memory of the device is damaged; sticky
    CUDA_ERROR_ECC_UNCORRECTABLE(214),
    /// one device can't read the memory of the other
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED(217),
    /// a link between devices is damaged; sticky
    CUDA_ERROR_NVLINK_UNCORRECTABLE(220),
    /// an error that the driver has contained; sticky
    CUDA_ERROR_CONTAINED(226),
    /// the work is not over: no error
    CUDA_ERROR_NOT_READY(600),
    /// a kernel has used a wrong address; sticky
    CUDA_ERROR_ILLEGAL_ADDRESS(700),
    /// a kernel ran too long for a device with a display; sticky
    CUDA_ERROR_LAUNCH_TIMEOUT(702),
    /// the other device's memory is mapped already
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED(704),
    /// the context has ended; sticky
    CUDA_ERROR_CONTEXT_IS_DESTROYED(709),
    /// an assertion of a kernel has failed; sticky
    CUDA_ERROR_ASSERT(710),
    /// another registration has some of these pages
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED(712),
    /// sticky
    CUDA_ERROR_HARDWARE_STACK_ERROR(714),
    /// sticky
    CUDA_ERROR_ILLEGAL_INSTRUCTION(715),
    /// sticky
    CUDA_ERROR_MISALIGNED_ADDRESS(716),
    /// sticky
    CUDA_ERROR_INVALID_ADDRESS_SPACE(717),
    /// sticky
    CUDA_ERROR_INVALID_PC(718),
    /// a kernel has failed for a reason that the driver does not know; sticky
    CUDA_ERROR_LAUNCH_FAILED(719),
    /// the blocks of a cooperative launch don't fit the device at one time
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE(720),
    /// sticky
    CUDA_ERROR_TENSOR_MEMORY_LEAK(721),
    /// the call is not possible while a stream captures
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED(900),
    /// sticky
    CUDA_ERROR_EXTERNAL_DEVICE(911),
    /// threads of a block, at most
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK(1),
    /// multiprocessors
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT(16),
    /// the device's bus
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID(33),
    /// the device's number on its bus
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID(34),
    /// host and device have one space of addresses
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING(41),
    /// the domain of the device's bus
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID(50),
    /// the architecture, before the point
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR(75),
    /// the architecture, after the point
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR(76),
    /// atomics of the device on memory of the host are atomic for the host's processors
    CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED(86),
    /// registered pages have one address on host and device
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM(91),
    /// cooperative launches
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH(95),
    /// bytes of shared memory of a block, at most, for a kernel that is allowed them
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN(97),
    /// a wait of a stream can flush writes of other devices
    CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES(98),
    /// registration of memory of the host
    CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED(99),
    /// memory that a program maps where it wants
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED(102),
    /// handles of such memory as file descriptors
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED(103),
    /// streams write and wait for 64-bit words
    CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS(122),
    /// events of other processes
    CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED(125),
    /// atomics of one device on the memory of the other are atomic for both
    CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED(3),
    /// threads of a block of a kernel, at most
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK(0),
    /// bytes of dynamic shared memory of a block of a kernel that the program allows
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES(8),
    /// a stream that has no order with the legacy default stream
    CU_STREAM_NON_BLOCKING(1),
    /// the stream does not capture
    CU_STREAM_CAPTURE_STATUS_NONE(0),
    /// the stream captures
    CU_STREAM_CAPTURE_STATUS_ACTIVE(1),
    /// the stream captures, and the capture is lost
    CU_STREAM_CAPTURE_STATUS_INVALIDATED(2),
    /// a capture prohibits calls of all threads
    CU_STREAM_CAPTURE_MODE_GLOBAL(0),
    /// a capture prohibits calls of its thread
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL(1),
    /// a capture prohibits nothing
    CU_STREAM_CAPTURE_MODE_RELAXED(2),
    /// waits until the signed difference of word and operand is at least 0
    CU_STREAM_WAIT_VALUE_GEQ(0),
    /// waits until the word is the operand
    CU_STREAM_WAIT_VALUE_EQ(1),
    /// waits until word and operand have a bit in common
    CU_STREAM_WAIT_VALUE_AND(2),
    /// waits until word and operand together leave a bit unset
    CU_STREAM_WAIT_VALUE_NOR(3),
    /// the earlier work of the stream is visible before the word
    CU_STREAM_WRITE_VALUE_DEFAULT(0),
    /// an event that takes the time
    CU_EVENT_DEFAULT(0),
    /// an event that takes no time
    CU_EVENT_DISABLE_TIMING(2),
    /// registered for all contexts
    CU_MEMHOSTREGISTER_PORTABLE(1),
    /// mapped into the device
    CU_MEMHOSTREGISTER_DEVICEMAP(2),
    /// an opened handle of another device maps that device's memory
    CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS(1),
    /// where the driver's compiler writes its errors
    CU_JIT_ERROR_LOG_BUFFER(5),
    /// the bytes of that
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES(6);

    private final int value;

    DriverConstant(int value) {
        this.value = value;
    }

    /// Returns the constant's value.
    public int value() {
        return value;
    }
}
