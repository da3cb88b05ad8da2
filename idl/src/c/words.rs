//! Words that a parameter, a field or what a header declares cannot be called.
//!
//! C and C++ of all standards to this day; macros and types of the system's headers that the runtime includes, with those
//! that gcc defines unless a strict standard is asked for; and every name of the runtime, which is read from its headers,
//! so that none is forgotten.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::C_RUNTIME;

/// Whether no field may have this name.
pub(super) fn is_word(name: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let lists = [LANGUAGES, TYPES, MACROS].map(str::split_whitespace);
        lists.into_iter().flatten().collect()
    });
    ALL.contains(name) || (name.starts_with("CARNET_") && is_of_runtime(name))
}

/// Whether the runtime has this name.
pub(super) fn is_of_runtime(name: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = C_RUNTIME.iter().flat_map(move |(_, text)| text.split(move |c| !is_inside(c)));
        words.filter(|word| word.starts_with("carnet_") || word.starts_with("CARNET_")).collect()
    });
    ALL.contains(name)
}

/// Functions that stubs call beside the runtime's.
pub(super) const CALLED: &[&str] = &["memset"];

/// Headers that a module's must not hide: those of the C standard, and others that the runtime's headers include, or that
/// these include. What they are called without `.h`; the runtime's own are [`C_RUNTIME`].
pub(super) const SYSTEM_HEADERS: &str = "
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
    stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    alloca endian fcntl features poll pthread sched strings unistd";

const LANGUAGES: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
    typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq";

const TYPES: &str = "
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t size_t";

const MACROS: &str = "
    NULL offsetof INT8_MIN INT8_MAX INT8_C INT16_MIN INT16_MAX INT16_C INT32_MIN INT32_MAX INT32_C INT64_MIN INT64_MAX
    INT64_C UINT8_MAX UINT8_C UINT16_MAX UINT16_C UINT32_MAX UINT32_C UINT64_MAX UINT64_C INTMAX_MIN INTMAX_MAX INTMAX_C
    UINTMAX_MAX UINTMAX_C INTPTR_MIN INTPTR_MAX UINTPTR_MAX PTRDIFF_MIN PTRDIFF_MAX SIZE_MAX SIG_ATOMIC_MIN SIG_ATOMIC_MAX
    INT_LEAST8_MIN INT_LEAST8_MAX UINT_LEAST8_MAX INT_LEAST16_MIN INT_LEAST16_MAX UINT_LEAST16_MAX INT_LEAST32_MIN
    INT_LEAST32_MAX UINT_LEAST32_MAX INT_LEAST64_MIN INT_LEAST64_MAX UINT_LEAST64_MAX INT_FAST8_MIN INT_FAST8_MAX
    UINT_FAST8_MAX INT_FAST16_MIN INT_FAST16_MAX UINT_FAST16_MAX INT_FAST32_MIN INT_FAST32_MAX UINT_FAST32_MAX
    INT_FAST64_MIN INT_FAST64_MAX UINT_FAST64_MAX
    WCHAR_MIN WCHAR_MAX WINT_MIN WINT_MAX i386 linux unix errno sa_handler sa_sigaction sched_priority si_addr si_addr_lsb
    si_arch si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall
    si_timerid si_uid si_upper si_utime si_value sigev_notify_attributes sigev_notify_function st_atime st_ctime st_mtime";
