// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nvrtc;

/// The functions of NVRTC that this module calls: one table for the binding and for the test that compares it with
/// `nvrtc.h`.
enum NvrtcFunction {
    /// tells the version
    VERSION("nvrtcVersion", "int *, int *"),
    /// counts the architectures that it compiles for
    GET_NUM_SUPPORTED_ARCHS("nvrtcGetNumSupportedArchs", "int *"),
    /// lists them, such as 90
    GET_SUPPORTED_ARCHS("nvrtcGetSupportedArchs", "int *"),
    /// makes a program of a source and of headers with the names by which it includes them
    CREATE_PROGRAM(
            "nvrtcCreateProgram",
            "nvrtcProgram *, const char *, const char *, int, const char * const *, const char * const *"),
    /// compiles a program
    COMPILE_PROGRAM("nvrtcCompileProgram", "nvrtcProgram, int, const char * const *"),
    /// tells the bytes of the log
    GET_PROGRAM_LOG_SIZE("nvrtcGetProgramLogSize", "nvrtcProgram, size_t *"),
    /// copies the log
    GET_PROGRAM_LOG("nvrtcGetProgramLog", "nvrtcProgram, char *"),
    /// tells the bytes of the PTX
    GET_PTX_SIZE("nvrtcGetPTXSize", "nvrtcProgram, size_t *"),
    /// copies the PTX
    GET_PTX("nvrtcGetPTX", "nvrtcProgram, char *"),
    /// tells the bytes of the machine code; 0 if the architecture is a virtual one
    GET_CUBIN_SIZE("nvrtcGetCUBINSize", "nvrtcProgram, size_t *"),
    /// copies the machine code
    GET_CUBIN("nvrtcGetCUBIN", "nvrtcProgram, char *"),
    /// ends a program
    DESTROY_PROGRAM("nvrtcDestroyProgram", "nvrtcProgram *");

    private final String symbol;
    private final String parameters;

    NvrtcFunction(String symbol, String parameters) {
        this.symbol = symbol;
        this.parameters = parameters;
    }

    String symbol() {
        return symbol;
    }

    /// Returns the types of the parameters, as the header has them.
    String parameters() {
        return parameters;
    }
}
