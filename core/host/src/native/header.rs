//! What can be known of a library before it is loaded: a damaged one would kill the process while it is mapped.

/// Where the tables of an ELF file stand in its header, for a size of addresses.
struct Layout {
    class: u8,
    header: usize,
    /// Offsets of: program header table, section header table (addresses); sizes and counts of both (two bytes each).
    programs: usize,
    sections: usize,
    counts: usize,
    /// Within a program header: offset of its bytes in the file, and their number.
    offset: usize,
    length: usize,
    width: usize,
}

const WIDE: Layout =
    Layout { class: 2, header: 64, programs: 32, sections: 40, counts: 54, offset: 8, length: 32, width: 8 };
const NARROW: Layout =
    Layout { class: 1, header: 52, programs: 28, sections: 32, counts: 42, offset: 4, length: 16, width: 4 };

/// Processors by the numbers of ELF, as this language names them.
const MACHINES: [(u16, &str); 9] = [
    (3, "x86"),
    (8, "mips"),
    (20, "powerpc"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
];

/// How libraries and programs of other systems begin.
const FOREIGN: [(&[u8], &str); 7] = [
    (b"MZ", "Windows"),
    (b"\xcf\xfa\xed\xfe", "macOS"),
    (b"\xce\xfa\xed\xfe", "macOS"),
    (b"\xfe\xed\xfa\xcf", "macOS"),
    (b"\xfe\xed\xfa\xce", "macOS"),
    (b"\xca\xfe\xba\xbe", "macOS"),
    (b"\0asm", "WebAssembly"),
];

const SHARED: u16 = 3;
const LOAD: usize = 1;

/// Checks that these are all bytes of an ELF library for this machine.
///
/// # Errors
/// What it is instead, as the end of a sentence.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(match FOREIGN.iter().find(|(begin, _)| bytes.starts_with(begin)) {
            Some((_, system)) => format!("is built for {system}; this program runs on {}", std::env::consts::OS),
            None => "is no library in the ELF format; this program loads no other".to_owned(),
        });
    }
    let layout = if cfg!(target_pointer_width = "64") { WIDE } else { NARROW };
    let order = if cfg!(target_endian = "little") { 1 } else { 2 };
    if bytes.len() < layout.header {
        return Err("is cut off in its header".to_owned());
    }
    let machine = half(bytes, 18).unwrap_or_default();
    let own = MACHINES.iter().find(|(_, name)| *name == std::env::consts::ARCH);
    if bytes[4] != layout.class || bytes[5] != order || own.is_none_or(|(number, _)| *number != machine) {
        let name = MACHINES.iter().find(|(number, _)| *number == machine);
        let name = name.map_or_else(|| format!("processor number {machine}"), |(_, name)| (*name).to_owned());
        let bits = if bytes[4] == WIDE.class { 64 } else { 32 };
        return Err(format!("is built for {name}, {bits} bits; this program runs on {}", std::env::consts::ARCH));
    }
    if half(bytes, 16) != Some(SHARED) {
        return Err("is an ELF file, but no library".to_owned());
    }
    if !is_whole(bytes, &layout).unwrap_or(false) {
        return Err(format!("is cut off: {} bytes are not all that its header speaks of", bytes.len()));
    }
    Ok(())
}

/// Whether both tables and everything that would be mapped lie within the bytes; `None` if a number is not there.
fn is_whole(bytes: &[u8], layout: &Layout) -> Option<bool> {
    let [programs, sections] = [layout.programs, layout.sections].map(|at| address(bytes, at, layout));
    let [size, count, section_size, section_count] = [0, 2, 4, 6].map(|more| half(bytes, layout.counts + more));
    let (programs, size, count) = (programs?, usize::from(size?), usize::from(count?));
    let within = |at: usize, length: usize| at.checked_add(length).is_some_and(|end| end <= bytes.len());
    let sections_length = usize::from(section_size?) * usize::from(section_count?);
    if count == 0 || !within(programs, size * count) || !within(sections?, sections_length) {
        return Some(false);
    }
    let mut whole = true;
    for at in (0..count).map(|place| programs + place * size) {
        let kind = number(bytes, at, 4)?;
        let offset = address(bytes, at + layout.offset, layout)?;
        let length = address(bytes, at + layout.length, layout)?;
        whole &= kind != LOAD || within(offset, length);
    }
    Some(whole)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    u16::try_from(number(bytes, at, 2)?).ok()
}

fn address(bytes: &[u8], at: usize, layout: &Layout) -> Option<usize> {
    number(bytes, at, layout.width)
}

/// A number of so many bytes in the order of this machine; `None` if it is not there.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(width)?)?;
    let add = |sum: u64, digit: &u8| sum << 8 | u64::from(*digit);
    let number =
        if cfg!(target_endian = "little") { digits.iter().rev().fold(0, add) } else { digits.iter().fold(0, add) };
    usize::try_from(number).ok()
}
