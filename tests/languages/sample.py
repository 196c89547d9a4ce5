"""The sample of a plugin, read from its descriptor as sdk/include/codebox/plugin.h lays it out."""
import ctypes


class Sample(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("code", ctypes.c_char_p),
                ("input", ctypes.c_char_p), ("output", ctypes.c_char_p)]


def of_plugin(path) -> tuple:
    """Its code, standard input and expected output. Only for plugins that this repository built."""
    entry = ctypes.CDLL(str(path)).codebox_plugin_v1
    entry.restype, entry.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    host = (ctypes.c_uint64 * 5)(40 | 1 << 32)
    descriptor = entry(ctypes.byref(host))
    sample_offset = 152
    sample = Sample.from_address(ctypes.c_void_p.from_address(descriptor + sample_offset).value)
    return tuple((text or b"").decode() for text in (sample.code, sample.input, sample.output))
