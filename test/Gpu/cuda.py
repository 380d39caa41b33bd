# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GPU as the machine of checks.py, through the CUDA driver. Needs nothing but Python
and the driver's library."""
import ctypes
import time

from checks import Failure


def library():
    """libcuda, or None where there is none."""
    for name in ("libcuda.so.1", "libcuda.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


class Gpu:
    """One module, loaded; each launch has buffers of its own, with guard bytes behind."""

    GUARD = 256

    def __init__(self, driver, image, repeat=1):
        self.driver, self.repeat, self.seconds = driver, repeat, {}
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(self.module), ctypes.c_char_p(image))

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            raise Failure(f"{name}: {(text.value or b'').decode()} ({status})")

    def unload(self):
        self.call("cuModuleUnload", self.module)

    def function(self, kernel):
        function = ctypes.c_void_p()
        status = self.driver.cuModuleGetFunction(ctypes.byref(function), self.module,
                                                 kernel.encode())
        return None if status else function

    def launch(self, kernel, program, arguments, how):
        function = self.function(kernel)
        if not function:
            raise Failure(f"the module has no {kernel}")
        slots, buffers = [], []
        for p, value in arguments:
            if not p.pointer:
                kind = {"i": ctypes.c_int32, "I": ctypes.c_uint32, "d": ctypes.c_double,
                        "f": ctypes.c_float, "q": ctypes.c_int64}[p.code]
                slots.append(kind(value))
                buffers.append(None)
                continue
            address = ctypes.c_uint64()
            data = value + b"\xff" * self.GUARD
            self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(data)))
            self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
            slots.append(address)
            buffers.append(address)
        table = (ctypes.c_void_p * len(slots))(*[ctypes.addressof(s) for s in slots])
        shared = program.shared_of(kernel)
        if shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, 8, shared)
        begin = time.perf_counter()
        self.call("cuLaunchKernel", function, *map(ctypes.c_uint, program.grid),
                  *map(ctypes.c_uint, program.block), ctypes.c_uint(shared), None, table,
                  None)
        self.call("cuCtxSynchronize")
        self.seconds.setdefault(kernel, []).append(time.perf_counter() - begin)
        after = []
        for (p, value), address in zip(arguments, buffers):
            if address is None:
                after.append(None)
                continue
            data = ctypes.create_string_buffer(len(value) + self.GUARD)
            self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(len(data)))
            self.call("cuMemFree_v2", address)
            if data.raw[len(value):] != b"\xff" * self.GUARD:
                raise Failure(f"{kernel} writes beyond the end of {p.name}")
            after.append(data.raw[:len(value)])
        return after
