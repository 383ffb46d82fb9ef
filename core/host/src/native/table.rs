//! The table of functions that libraries are given. Whatever they hand over is checked; a refusal fails their call.

#![expect(unsafe_code, reason = "libraries hand over raw pointers")]

use trencavel_abi::*;

use super::calls::{Running, with};
use super::declaring::Spec;
use crate::lua::Misuse;

/// What the host does for libraries.
pub(super) static HOST: TrvHost = TrvHost {
    size: size_of::<TrvHost>() as u32,
    abi_major: TRV_ABI_MAJOR,
    abi_minor: TRV_ABI_MINOR,
    reserved: 0,
    declare,
    option,
    active,
    thing,
    number,
    word,
    marks,
    tokens,
    figures,
    answer,
    answer_text,
    add,
    offer,
    cancel,
    emit,
    ask,
    fail,
};

fn null(what: &str) -> Misuse {
    Misuse::new(format!("{what} is null or not a valid place"))
}

/// No text or list of an honest library has more bytes.
const MOST_BYTES: usize = 1 << 20;
/// Nothing lies below, so an address there is null and an offset.
const LOWEST: usize = 4096;

/// Whether something of this type can lie there.
fn is_place<T>(place: *const T) -> bool {
    place.addr() >= LOWEST && place.is_aligned()
}

/// A text that a library hands over.
///
/// # Safety
/// As [`TrvText::read`]; libraries promise it by the header.
unsafe fn text<'a>(given: TrvText, what: &str) -> Result<&'a str, Misuse> {
    if given.length > 0 && !is_place(given.bytes) {
        return Err(null(what));
    }
    if given.length > MOST_BYTES {
        return Err(Misuse::new(format!("{what} has {} bytes, which are too many", given.length)));
    }
    // SAFETY: the caller's promise.
    unsafe { given.read() }.ok_or_else(|| Misuse::new(format!("{what} is no text in UTF-8")))
}

/// A list that a library hands over.
///
/// # Safety
/// `first` must be null or point to `count` values that stay as they are during the call.
unsafe fn list<'a, T>(first: *const T, count: usize, what: &str) -> Result<&'a [T], Misuse> {
    if count == 0 {
        return Ok(&[]);
    }
    if !is_place(first) {
        return Err(null(what));
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > MOST_BYTES) {
        return Err(Misuse::new(format!("{what} has {count} entries, which are too many")));
    }
    // SAFETY: not null, aligned, and much shorter than an allocation can be; the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Writes a result where the library wants it.
///
/// # Safety
/// `out` must be null or a place for a `T`.
unsafe fn give<T>(
    call: TrvCall,
    function: &str,
    out: *mut T,
    find: impl FnOnce(&mut Running) -> Result<T, Misuse>,
) -> TrvStatus {
    with(call, |running| {
        if !is_place(out) {
            return Err(null(&format!("the place for the result of `{function}`")));
        }
        let found = find(running)?;
        // SAFETY: not null and aligned; the caller promises that it is a place for this type.
        unsafe { out.write(found) };
        Ok(())
    })
}

unsafe extern "C" fn declare(call: TrvCall, declaration: *const TrvDeclaration) -> TrvStatus {
    with(call, |running| {
        let stand = running.stand("declare")?;
        if !is_place(declaration) {
            return Err(null("the declaration"));
        }
        // SAFETY: not null, aligned, and a library's declaration begins with its size in every version.
        let size = unsafe { (*declaration).size };
        if (size as usize) < size_of::<TrvDeclaration>() {
            return Err(Misuse::new(format!("a declaration says it has {size} bytes, which are too few")));
        }
        // SAFETY: it says that it is as large as this struct at least.
        let given = unsafe { *declaration };
        // SAFETY: texts of a declaration are lent for the call, as the header asks.
        let [kind, id, fields, file] = unsafe {
            [
                text(given.kind, "the kind of a declaration")?,
                text(given.id, "the id of a declaration")?,
                text(given.fields, "the fields of a declaration")?,
                text(given.file, "the file of a declaration")?,
            ]
        };
        // SAFETY: the functions of a declaration are lent for the call, as the header asks.
        let functions = unsafe { list(given.functions, given.function_count, "the functions of a declaration")? };
        let function = |one: &TrvFunction| {
            // SAFETY: as above.
            let field = unsafe { text(one.field, "the name of a function")? };
            let missing = || Misuse::new(format!("{kind} \"{id}\": the function `{field}` is null"));
            Ok((field, one.run.ok_or_else(missing)?))
        };
        let functions = functions.iter().map(function).collect::<Result<_, Misuse>>()?;
        let place = (file, given.line);
        stand.declare(&Spec { kind, id, fields, place, functions })
    })
}

unsafe extern "C" fn option(call: TrvCall, name: TrvText, out: *mut TrvText) -> TrvStatus {
    // SAFETY: the library gives a place for the result and lends the name, as the header asks.
    unsafe {
        give(call, "option", out, |running| {
            let value = running.stand("option")?.option(text(name, "the name of an option")?)?.to_owned();
            Ok(running.lend(&value))
        })
    }
}

unsafe extern "C" fn active(call: TrvCall, expansion: TrvText, out: *mut i64) -> TrvStatus {
    // SAFETY: the library gives a place for the result and lends the id, as the header asks.
    unsafe {
        give(call, "active", out, |running| {
            running.stand("active")?.active(text(expansion, "the id of an expansion")?).map(i64::from)
        })
    }
}

unsafe extern "C" fn thing(call: TrvCall, of: TrvThing, kind: TrvKind, out: *mut TrvThing) -> TrvStatus {
    // SAFETY: the library gives a place for the result, as the header asks.
    unsafe { give(call, "thing", out, |running| running.hook("thing")?.thing(of, kind)) }
}

unsafe extern "C" fn number(call: TrvCall, of: TrvThing, aspect: TrvAspect, out: *mut i64) -> TrvStatus {
    // SAFETY: the library gives a place for the result, as the header asks.
    unsafe { give(call, "number", out, |running| running.hook("number")?.number(of, aspect)) }
}

unsafe extern "C" fn word(call: TrvCall, of: TrvThing, aspect: TrvAspect, out: *mut TrvText) -> TrvStatus {
    // SAFETY: the library gives a place for the result, as the header asks.
    unsafe {
        give(call, "word", out, |running| {
            let word = running.hook("word")?.word(of, aspect)?;
            Ok(running.lend(&word))
        })
    }
}

unsafe extern "C" fn marks(call: TrvCall, feature: TrvThing, mark: TrvText, out: *mut i64) -> TrvStatus {
    // SAFETY: the library gives a place for the result and lends the word, as the header asks.
    unsafe { give(call, "marks", out, |running| running.hook("marks")?.marks(feature, text(mark, "a mark")?)) }
}

unsafe extern "C" fn tokens(call: TrvCall, place: TrvThing, token: TrvText, out: *mut i64) -> TrvStatus {
    // SAFETY: the library gives a place for the result and lends the word, as the header asks.
    unsafe {
        give(call, "tokens", out, |running| running.hook("tokens")?.tokens(place, text(token, "a kind of token")?))
    }
}

unsafe extern "C" fn figures(
    call: TrvCall,
    feature: TrvThing,
    out: *mut TrvThing,
    room: usize,
    count: *mut usize,
) -> TrvStatus {
    // SAFETY: the library gives a place for the count, and one with this room for the figures, as the header asks.
    unsafe {
        give(call, "figures", count, |running| {
            let found = running.hook("figures")?.figures(feature)?;
            let fitting = found.len().min(room);
            if fitting > 0 && !is_place(out) {
                return Err(null("the place for figures"));
            }
            if fitting > 0 {
                std::ptr::copy_nonoverlapping(found.as_ptr(), out, fitting);
            }
            Ok(found.len())
        })
    }
}

unsafe extern "C" fn answer(call: TrvCall, number: i64) -> TrvStatus {
    with(call, |running| running.hook("answer")?.answer(number))
}

unsafe extern "C" fn answer_text(call: TrvCall, sentence: TrvText) -> TrvStatus {
    // SAFETY: the library lends the sentence, as the header asks.
    with(call, |running| running.hook("answer_text")?.answer_text(unsafe { text(sentence, "a sentence")? }))
}

unsafe extern "C" fn add(call: TrvCall, label: TrvText, count: i64, unit: i64) -> TrvStatus {
    // SAFETY: the library lends the label, as the header asks.
    with(call, |running| running.hook("add")?.add(unsafe { text(label, "what is counted")? }, count, unit))
}

unsafe extern "C" fn offer(call: TrvCall, option: TrvThing) -> TrvStatus {
    with(call, |running| running.hook("offer")?.offer(option))
}

unsafe extern "C" fn cancel(call: TrvCall) -> TrvStatus {
    with(call, |running| running.hook("cancel")?.cancel())
}

unsafe extern "C" fn emit(call: TrvCall, verb: TrvText, fields: *const TrvField, field_count: usize) -> TrvStatus {
    with(call, |running| {
        // SAFETY: the library lends the verb and the fields with their texts, as the header asks.
        let (verb, fields) = unsafe { (text(verb, "a verb")?, list(fields, field_count, "the list of fields")?) };
        let field = |field: &TrvField| {
            // SAFETY: as above.
            let (name, word) = unsafe { (text(field.name, "the name of a field")?, field.word) };
            // SAFETY: as above; without a word there is nothing to read.
            let word = if field.value.kind == TRV_WORD { unsafe { text(word, "a word of a field")? } } else { "" };
            Ok((name, field.value, word))
        };
        let fields: Vec<_> = fields.iter().map(field).collect::<Result<_, Misuse>>()?;
        running.hook("emit")?.emit(verb, &fields)
    })
}

unsafe extern "C" fn ask(call: TrvCall, resolve: TrvText, player: TrvThing, data: *const i32) -> TrvStatus {
    with(call, |running| {
        // SAFETY: the library lends the word and the four numbers, as the header asks.
        let (resolve, data) = unsafe {
            let data: &[i32] = if data.is_null() { &[] } else { list(data, 4, "the data of a question")? };
            (text(resolve, "a `resolve`")?, data)
        };
        running.hook("ask")?.ask(resolve, player, data)
    })
}

unsafe extern "C" fn fail(call: TrvCall, reason: TrvText) -> TrvStatus {
    // SAFETY: the library lends the reason, as the header asks.
    with(call, |_| Err(Misuse::new(unsafe { text(reason, "the reason of a failure")? })))
}
