# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GPU as the machine of checks.py, through the CUDA driver. Needs nothing but Python
and the driver's library."""
import ctypes
import struct
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

    def __init__(self, driver, image):
        self.driver, self.seconds = driver, {}
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(self.module), ctypes.c_char_p(image))
        self.give_tape(device)

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            raise Failure(f"{name}: {(text.value or b'').decode()} ({status})")

    def give_tape(self, device, bytes_of_thread=16384):
        """Memory for the tapes of gradients, where the module asks for it, as
        adze_gpu_tape() of include/adze/gpu.h gives it."""
        state, size = ctypes.c_uint64(), ctypes.c_size_t()
        if self.driver.cuModuleGetGlobal_v2(ctypes.byref(state), ctypes.byref(size), self.module,
                                            b"adze_gpu_tape_state"):
            return
        processors, threads = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(processors), 16, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(threads), 39, device)
        segments, bytes_of_warp = processors.value * threads.value // 32, bytes_of_thread * 32
        memory, users = ctypes.c_uint64(), ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(segments * bytes_of_warp))
        self.call("cuMemAlloc_v2", ctypes.byref(users), ctypes.c_size_t(4 * segments))
        self.call("cuMemsetD8_v2", users, ctypes.c_ubyte(0), ctypes.c_size_t(4 * segments))
        data = struct.pack("<QQIIQQ", memory.value, bytes_of_warp, segments, 0, users.value, 0)
        self.call("cuMemcpyHtoD_v2", state, data, ctypes.c_size_t(len(data)))

    def function(self, kernel):
        function = ctypes.c_void_p()
        status = self.driver.cuModuleGetFunction(ctypes.byref(function), self.module,
                                                 kernel.encode())
        return None if status else function

    def launch(self, kernel, program, arguments, how):
        function = self.function(kernel)
        if not function:
            raise Failure(f"the module has no {kernel}")
        slots, buffers, names = [], [], set()
        for p, value in arguments:
            if p.variables:
                address, size = ctypes.c_uint64(), ctypes.c_size_t()
                name = p.variables[p.name in names]
                names.add(p.name)
                self.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size),
                          self.module, name.encode())
                self.call("cuMemcpyHtoD_v2", address, value, ctypes.c_size_t(len(value)))
                buffers.append(address)
                continue
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
            if p.variables:
                data = ctypes.create_string_buffer(len(value))
                self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(len(data)))
                after.append(data.raw)
                continue
            data = ctypes.create_string_buffer(len(value) + self.GUARD)
            self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(len(data)))
            self.call("cuMemFree_v2", address)
            if data.raw[len(value):] != b"\xff" * self.GUARD:
                raise Failure(f"{kernel} writes beyond the end of {p.name}")
            after.append(data.raw[:len(value)])
        return after
