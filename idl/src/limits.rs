//! How large things may be. The compiler enforces these on source texts, the decoder on descriptors.

/// Bytes of an interface file.
pub const TEXT_MAX: usize = 1 << 20;
/// Bytes of an encoded descriptor.
pub const ENCODED_MAX: usize = 4 << 20;
/// Letters of a name.
pub const NAME_MAX: usize = 100;
/// Depth of nested expressions and types in a source text.
pub const NESTING_MAX: usize = 32;
/// Depth of structs in structs, typedefs of typedefs, constants of constants.
pub const DEPTH_MAX: usize = 16;
/// Words of an operation's argument block, and of one element of a list.
pub const WORDS_MAX: usize = 64;
/// Bound of a string that has none in the text: what every transport takes besides other parameters. It is part of the
/// hashes of operations, so it stays as it is.
pub const STRING_DEFAULT: u32 = 4096;
/// Largest bound of strings and byte sequences.
pub const BYTES_MAX: u32 = 4 << 20;
/// Bytes of an array of `octet` or `char`. Stubs hold arrays by value, and an operation has as many as words.
pub const ARRAY_BYTES_MAX: u32 = 4096;
/// Bytes of the elements of a packed list, and of what they refer to: those that any list may have.
pub const PACKED_BYTES_MAX: usize = 1 << 20;
/// Parts that stubs write out where they read or write one value: arrays of lists of arrays would otherwise be code without
/// bound. What holds no lists has fewer, since it is a block.
pub const WRITTEN_OUT_MAX: usize = 1024;
/// How many times the bytes that an element of a list takes in a message it may take where the list is read. Unions that hold arrays
/// of bytes grow most, since each takes as much as its largest arm. Descriptors are held to it for packed lists alone: older
/// compilers let parameters grow.
pub const GROWTH_MAX: usize = 8;
/// Largest bound of lists.
pub const LIST_MAX: u32 = 1 << 16;
/// Members of one kind in a module, operations of an interface, values of an enum, fields, parameters.
pub const MEMBERS_MAX: usize = 4096;
/// Faults after which the compiler gives up.
pub const FAULTS_MAX: usize = 50;
/// Exceptions that an operation raises.
pub const RAISES_MAX: usize = 32;
/// Bytes of all strings and bytes of an exception that is not plain.
pub const EXCEPTION_BYTES_MAX: usize = 8192;
/// Files that one compilation reads, included ones with it.
pub const FILES_MAX: usize = 256;
/// Bytes of all of them.
pub const FILES_BYTES_MAX: usize = 4 << 20;
/// Depth of files included by files.
pub const INCLUDE_DEPTH_MAX: usize = 16;
/// Bound of an unbounded sequence: so many bytes, or as many elements of so many bytes in words (and at most
/// [`LIST_MAX`]). A list that a service returns is full at this size, too.
pub const SEQUENCE_DEFAULT_BYTES: u32 = 1 << 20;
/// Names in one declaration, and parameters that share one type in the paper's form.
pub const DECLARATORS_MAX: usize = 16;
/// Modules of one file.
pub const MODULES_MAX: usize = 64;
/// Bytes in which a client says which interfaces and operations its module has: servers read no more, so that it takes others
/// no time. Some 7,000 operations.
pub const HELLO_BYTES_MAX: usize = 64 << 10;
