"""The same kernels for a browser: rules and search as one WebAssembly module, made by llvmlite alone."""
