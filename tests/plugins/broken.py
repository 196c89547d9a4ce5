"""Every way in which a plugin can be broken: how to make it, the id of its finding, and what an operator reads.
docs/plugins.md has the same ids."""
import os
import struct

import folder

# Test plugins that the build made: name, finding, words of the sentence.
BUILT = [
    ("no_entry", "entry", "does not export codebox_plugin_v1; it is not a Codebox plugin, or its entry is hidden."),
    ("other_major", "major", "version 2 "),
    ("newer_minor", "minor", "use a newer server or an older plugin."),
    ("null", "null", "The plugin's entry returned no descriptor and no reason."),
    ("declines", "declined", "The plugin declined to load: this machine has  no moon"),
    ("undefined", "symbol", "undefined symbol: nobody_has_this_symbol"),
    ("throws", "crashed", "The plugin threw: no luck today"),
    ("throws_in_constructor", "crashed", "The plugin crashed while it was loaded: signal 6, Aborted."),
    ("crashes", "crashed", "The plugin crashed while it was loaded: signal 11, Segmentation fault."),
    ("exits", "crashed", "The plugin ended its process with exit status 0 while it was loaded."),
    ("spins", "spun", "its constructors and its entry must return at once."),
    ("spins_in_entry", "spun", "its constructors and its entry must return at once."),
    ("bad_utf8", "rule", "hints must be"),
    ("bad_id", "rule", "id must have the form"),
    ("bad_names", "rule", "aliases"),
    ("short_struct", "rule", "size"),
    ("no_run", "rule", "run must be a command"),
    ("bad_tools", "rule", "codebox.tools/1 must be"),
    ("bad_schema", "rule", 'input_schema of the tool "fine" must be a JSON object'),
    ("part_placeholder", "rule", "run must be a command"),
]


def _write(target, bytes_):
    target.write_bytes(bytes_)
    target.chmod(0o644)


def _patched(offset, form, value):
    def make(target):
        image = bytearray(folder.built("good").read_bytes())
        struct.pack_into(form, image, offset, value)
        _write(target, bytes(image))
    return make


def _truncated(target):
    whole = folder.built("good").read_bytes()
    _write(target, whole[:len(whole) // 2])


def _writable(target):
    folder.put(folder.built("good"), target)
    target.chmod(0o666)


def _too_large(target):
    folder.put(folder.built("good"), target)
    os.truncate(target, (64 << 20) + 1)


# What a file can be besides: a name, how to make it, finding, words of the sentence.
MADE = [
    ("truncated", _truncated, "elf", "copy it again, then rename it into place."),
    ("text", lambda target: _write(target, b"#!/bin/sh\n"), "elf", "is not a shared library (no ELF header)"),
    ("a program", _patched(16, "<H", 2), "elf", "but not a shared library"),
    ("another machine", _patched(18, "<H", 8), "machine", "build it for this architecture."),
    ("another word size", _patched(4, "B", 1), "machine", "rebuild it here."),
    ("world-writable", _writable, "writable", "may be written by others than its owner; run chmod go-w on it."),
    ("a symbolic link", lambda target: target.symlink_to(folder.built("good")), "symlink",
     "is a symbolic link; put the library itself there."),
    ("a folder", lambda target: target.mkdir(), "not_regular", "put the library itself there."),
    ("a FIFO", lambda target: os.mkfifo(target, 0o600), "not_regular", "put the library itself there."),
    ("too large", _too_large, "too_large", "a plugin may have at most 64 MiB."),
    ("missing", lambda target: None, "unreadable", "cannot be opened: No such file or directory."),
]
