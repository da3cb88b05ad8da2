//! The operations. In the table, `a`, `b`, `c` are registers, `n` is the number; P is a register's number, R its reference.

macro_rules! operations {
    ($($name:ident $text:literal,)*) => {
        /// Numbers them.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of constants")]
        #[repr(u8)]
        enum Number {
            $($name,)*
        }
        $(
            #[doc = $text]
            pub const $name: u8 = Number::$name as u8;
        )*
        /// Their names, by number.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

operations! {
    CHARGE "Counts `n` instructions.",
    MOVE "P[a] = P[b]",
    MOVE_R "R[a] = R[b]",
    CONST "P[a] = n, as int or float",
    CONST_LONG "P[a] = n, extended to a long",
    CONST_WIDE "P[a] = the constant n of 64 bits",
    NULL "R[a] = null",
    STRING "R[a] = the string n",
    CLASS "R[a] = the Class object of class n",

    ADD "P[a] = P[b] + P[c], ints", SUB "-", MUL "*", DIV "/", REM "%",
    AND "&", OR "|", XOR "^", SHL "<<", SHR ">>", USHR ">>>",
    ADD_N "P[a] = P[b] + n, ints", MUL_N "* n", DIV_N "/ n, not 0", REM_N "% n, not 0",
    AND_N "& n", SHL_N "<< n", SHR_N ">> n", USHR_N ">>> n",
    NEG "P[a] = -P[b], ints",
    ADD_L "P[a] = P[b] + P[c], longs", SUB_L "-", MUL_L "*", DIV_L "/", REM_L "%",
    AND_L "&", OR_L "|", XOR_L "^", SHL_L "<<", SHR_L ">>", USHR_L ">>>",
    ADD_LN "P[a] = P[b] + n, longs",
    NEG_L "P[a] = -P[b], longs", COMPARE_L "P[a] = -1, 0 or 1",
    ADD_F "P[a] = P[b] + P[c], floats", SUB_F "-", MUL_F "*", DIV_F "/", REM_F "%", NEG_F "-",
    COMPARE_FL "-1 where one is NaN", COMPARE_FG "1 where one is NaN",
    ADD_D "P[a] = P[b] + P[c], doubles", SUB_D "-", MUL_D "*", DIV_D "/", REM_D "%", NEG_D "-",
    COMPARE_DL "-1 where one is NaN", COMPARE_DG "1 where one is NaN",
    I2L "P[a] = (long) P[b]", I2F "int to float", I2D "int to double",
    L2I "long to int", L2F "long to float", L2D "long to double",
    F2I "float to int", F2L "float to long", F2D "float to double",
    D2I "double to int", D2L "double to long", D2F "double to float",
    I2B "int to byte", I2C "int to char", I2S "int to short",

    LOAD_8 "P[a] = R[b][P[c]], a byte or boolean", LOAD_CHAR "a char", LOAD_SHORT "a short",
    LOAD_32 "an int or float", LOAD_64 "a long or double", LOAD_R "R[a] = R[b][P[c]]",
    STORE_8 "R[b][P[c]] = P[a], a byte or boolean", STORE_16 "a char or short",
    STORE_32 "an int or float", STORE_64 "a long or double", STORE_R "R[b][P[c]] = R[a], if it may",
    LENGTH "P[a] = R[b].length",

    LOOP "P[a] += the lowest byte of n; to the rest of n if P[a] < P[b], ints",
    GOTO "to n",
    IF_EQ "to n if P[a] == P[b], ints", IF_NE "!=", IF_LT "<", IF_GE ">=", IF_GT ">", IF_LE "<=",
    IF_EQ_N "to n if P[a] == b, as a byte", IF_NE_N "!=", IF_LT_N "<", IF_GE_N ">=", IF_GT_N ">", IF_LE_N "<=",
    IF_EQ_L "to n if P[a] == P[b], longs", IF_NE_L "!=", IF_LT_L "<", IF_GE_L ">=", IF_GT_L ">", IF_LE_L "<=",
    IF_SAME "to n if R[a] == R[b]", IF_OTHER "to n if R[a] != R[b]",
    IF_NULL "to n if R[a] == null", IF_SOME "to n if R[a] != null",
    SWITCH "by P[a], the switch n",
    RETURN "returns P[a]", RETURN_R "returns R[a]", RETURN_VOID "returns",
    THROW "throws R[a]",
    ENTER "enters the monitor of R[a]", EXIT "leaves the monitor of R[a]",

    GET_8 "P[a] = R[b].n, a byte or boolean", GET_CHAR "a char", GET_SHORT "a short", GET_32 "an int or float",
    GET_64 "a long or double", GET_R "R[a] = R[b].n",
    PUT_8 "R[b].n = P[a], a byte", PUT_BOOLEAN "its lowest bit", PUT_16 "a char or short", PUT_32 "an int or float",
    PUT_64 "a long or double", PUT_R "R[b].n = R[a]",
    GET_STATIC "P[a] = the static n", GET_STATIC_R "R[a] = the static n",
    PUT_STATIC "the static n = P[a]", PUT_STATIC_R "the static n = R[a]",
    NEW "R[a] = a new object of class n",
    NEW_ARRAY "R[a] = a new array of class n, of P[b] elements",
    NEW_ARRAYS "R[base] = a new array of class n, of c dimensions in P[base], …",
    CAST "R[b] is of class n, or an exception", IS_A "P[a] = whether R[b] is of class n",
    CALL "calls method n, arguments from base on", CALL_STATIC "likewise, of a class that may not be initialized yet",
    CALL_VIRTUAL "by the class of R[base], entry n of its table", CALL_INTERFACE "by the class of R[base], site n",
    CALL_HANDLE "calls a method that takes any arguments, named by constant n",

    FAR_ENTER "makes room for n far variables below the frame's registers, and for a deep stack",
    FAR_RETURN "returns P[a] or R[a], and gives n far variables back",
    FAR_GET "P[a] = the register that is n, as an int, below the first", FAR_GET_R "R[a] = it",
    FAR_PUT "the register that is n, as an int, below the first = P[a]", FAR_PUT_R "it = R[a]",

    LINK_CONSTANT "a constant n, unlinked: STRING, CLASS or another",
    LINK_GET "GET, unlinked: n is the constant", LINK_PUT "PUT, unlinked",
    LINK_GET_STATIC "GET_STATIC, unlinked", LINK_PUT_STATIC "PUT_STATIC, unlinked",
    LINK_NEW "NEW, unlinked", LINK_NEW_ARRAY "NEW_ARRAY of references, unlinked", LINK_NEW_ARRAYS "NEW_ARRAYS, unlinked",
    LINK_CAST "CAST, unlinked", LINK_IS_A "IS_A, unlinked",
    LINK_CALL_STATIC "invokestatic, unlinked", LINK_CALL_SPECIAL "invokespecial, unlinked",
    LINK_CALL_VIRTUAL "invokevirtual, unlinked", LINK_CALL_INTERFACE "invokeinterface, unlinked",
    LINK_CALL_DYNAMIC "invokedynamic, unlinked",
}
