//! Stubs in a crate for which every warning is an error, and which uses nothing of them: that it compiles is the test. The
//! modules are private, so that the compiler looks for what nobody calls.

#![deny(warnings, nonstandard_style, unreachable_pub, unused)]

/// Modules of the compiler's cases, and that each of them is what it says.
macro_rules! include_all {
    ($($name:ident)*) => {
        $(mod $name {
            include!(concat!("../../idl/tests/cases/modules/", stringify!($name), ".rs"));
        })*

        #[test]
        fn stubs_compile_without_a_warning_where_nothing_of_them_is_used() {
            $(
                let text = include_str!(concat!("../../idl/tests/cases/modules/", stringify!($name), ".idl"));
                assert!(text.contains(&format!("module {} {{", $name::module().name)));
            )*
        }
    };
}

include_all!(
    arrays derived everything extremes full landing memory names nested paper plain shared sharing unused whole wide
);
