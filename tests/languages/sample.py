"""The sample of a plugin, read from its descriptor as sdk/include/codebox/plugin.h lays it out."""
import ctypes


class Sample(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("code", ctypes.c_char_p),
                ("input", ctypes.c_char_p), ("output", ctypes.c_char_p)]


def _field(path, offset):
    """A pointer of the descriptor. Only for plugins that this repository built."""
    entry = ctypes.CDLL(str(path)).codebox_plugin_v1
    entry.restype, entry.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    host = (ctypes.c_uint64 * 5)(40 | 1 << 32)
    return ctypes.c_void_p.from_address(entry(ctypes.byref(host)) + offset).value


def image_of(path) -> str:
    """The image that it runs in by default."""
    return ctypes.string_at(_field(path, 48)).decode()


def of_plugin(path) -> tuple:
    """Its code, standard input and expected output."""
    sample = Sample.from_address(_field(path, 152))
    return tuple((text or b"").decode() for text in (sample.code, sample.input, sample.output))
