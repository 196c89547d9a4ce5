// The template's plugin in Rust: the header's structs, field for field.
#![crate_type = "cdylib"]
use std::os::raw::{c_char, c_void};
use std::ptr::null;

#[repr(C)]
pub struct Command {
    size: u32,
    time_ms: u32,
    memory_mib: u32,
    reserved: u32,
    argv: *const *const c_char,
}

#[repr(C)]
pub struct Sample {
    size: u32,
    reserved: u32,
    code: *const c_char,
    input: *const c_char,
    output: *const c_char,
}

#[repr(C)]
pub struct Plugin {
    size: u32,
    abi_major: u16,
    abi_minor: u16,
    need_minor: u16,
    flags: u16,
    list_format: u32,
    id: *const c_char,
    version: *const c_char,
    display_name: *const c_char,
    description: *const c_char,
    image: *const c_char,
    source_file: *const c_char,
    aliases: *const c_void,
    architectures: *const c_void,
    env: *const c_void,
    support: *const c_void,
    compile: *const Command,
    run: *const Command,
    list: *const Command,
    packages: *const c_void,
    warm: *const c_void,
    ignore: *const c_void,
    hints: *const c_void,
    sample: *const Sample,
    extension: *const c_void,
}

struct Shared<T>(T);
unsafe impl<T> Sync for Shared<T> {}

macro_rules! text {
    ($text:literal) => {
        concat!($text, "\0").as_ptr() as *const c_char
    };
}

static ARGV: Shared<[*const c_char; 3]> = Shared([text!("lua"), text!("{source}"), null()]);
static RUN: Shared<Command> = Shared(Command {
    size: std::mem::size_of::<Command>() as u32,
    time_ms: 0,
    memory_mib: 0,
    reserved: 0,
    argv: &ARGV.0 as *const _ as *const *const c_char,
});
static SAMPLE: Shared<Sample> = Shared(Sample {
    size: std::mem::size_of::<Sample>() as u32,
    reserved: 0,
    code: text!("print(6 * 7)\n"),
    input: null(),
    output: text!("42\n"),
});
static LUA: Shared<Plugin> = Shared(Plugin {
    size: std::mem::size_of::<Plugin>() as u32,
    abi_major: 1,
    abi_minor: 0,
    need_minor: 0,
    flags: 0,
    list_format: 0,
    id: text!("lua"),
    version: text!("1.0.0"),
    display_name: text!("Lua"),
    description: text!("Runs a Lua program and returns what it prints."),
    image: text!("codebox/sandbox-lua:latest"),
    source_file: text!("main.lua"),
    aliases: null(),
    architectures: null(),
    env: null(),
    support: null(),
    compile: null(),
    run: &RUN.0,
    list: null(),
    packages: null(),
    warm: null(),
    ignore: null(),
    hints: null(),
    sample: &SAMPLE.0,
    extension: null(),
});

#[no_mangle]
pub extern "C" fn codebox_plugin_v1(_host: *const c_void) -> *const Plugin {
    &LUA.0
}
