//! Why a class is rejected: place, rule, what was found, what was expected.

use std::fmt;

use crate::class::shown;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The class, as it calls itself.
    pub class: String,
    /// Where in it.
    pub place: Place,
    /// Which rule.
    pub rule: Rule,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, document) = match self.rule.kind() {
            Kind::Unsafe => ("error", "JVMS"),
            Kind::Unsupported => ("not supported", "JVMS"),
            Kind::Profile => ("not in the profile", "JIVE"),
        };
        write!(f, "{kind}[{}] {}", self.rule.name(), self.class)?;
        match &self.place {
            Place::Class => {}
            place => write!(f, ": {place}")?,
        }
        write!(f, ": found {}, expected {} ({document} {})", self.found, self.expected, self.rule.section())
    }
}

/// A place in a class file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The class as a whole.
    Class,
    /// A constant, by its index.
    Constant(u16),
    /// A field, by name and descriptor.
    Field(String),
    /// A method, by name and descriptor.
    Method(String),
    /// An instruction, or the end of the code.
    Code {
        /// The method, by name and descriptor.
        method: String,
        /// Offset of the instruction.
        offset: u32,
        /// Its mnemonic; empty if it is none.
        instruction: &'static str,
    },
}

impl Place {
    /// A field.
    #[must_use]
    pub fn field(name: &[u8], descriptor: &[u8]) -> Place {
        Place::Field(format!("{} {}", shown(name), shown(descriptor)))
    }

    /// A method.
    #[must_use]
    pub fn method(name: &[u8], descriptor: &[u8]) -> Place {
        Place::Method(shown(name) + &shown(descriptor))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Class => write!(f, "class"),
            Place::Constant(index) => write!(f, "constant #{index}"),
            Place::Field(field) => write!(f, "field {field}"),
            Place::Method(method) => write!(f, "method {method}"),
            Place::Code { method, offset, instruction: "" } => write!(f, "method {method} at {offset}"),
            Place::Code { method, offset, instruction } => {
                write!(f, "method {method} at {offset} {instruction}")
            }
        }
    }
}

/// What a broken rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Running the class could break a promise.
    Unsafe,
    /// It is beyond what is supported, though it may be fine.
    Unsupported,
    /// It is beyond the [profile](mod@crate::profile) that was asked for, though it is fine.
    Profile,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $rule:ident $name:literal $section:literal $kind:ident,)*) => {
        /// The rules, each with its name and the section of the JVMS (Java SE 17) that it comes from; those of the profile, of
        /// the paper on JIVE.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule { $($(#[doc = $doc])* $rule,)* }

        impl Rule {
            /// All of them.
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];

            /// Its name, for example `stack-type`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name,)* }
            }

            /// Its section.
            #[must_use]
            pub fn section(self) -> &'static str {
                match self { $(Rule::$rule => $section,)* }
            }

            /// What it means when it is broken.
            #[must_use]
            pub fn kind(self) -> Kind {
                match self { $(Rule::$rule => Kind::$kind,)* }
            }
        }
    };
}

rules! {
    /// The version is one that is read.
    Version "version" "4.1" Unsupported,
    /// A constant is of the kind that is needed where it is used.
    Constant "constant" "4.4" Unsafe,
    /// A text is modified UTF-8.
    Text "text" "4.4.7" Unsafe,
    /// A name is one.
    Name "name" "4.2" Unsafe,
    /// A descriptor is one.
    Descriptor "descriptor" "4.3" Unsafe,
    /// Flags go together.
    Flags "flags" "4.1, 4.5, 4.6" Unsafe,
    /// Nothing is there twice.
    Duplicate "duplicate" "4.1, 4.5, 4.6, 4.7" Unsafe,
    /// An attribute is well formed, where it belongs, and not missing.
    Attribute "attribute" "4.7" Unsafe,
    /// The superclass is a class that can be extended, superinterfaces are interfaces.
    Superclass "superclass" "4.10" Unsafe,
    /// A final method is not overridden.
    FinalMethod "final-method" "4.10" Unsafe,
    /// A class that a question is about is there.
    Missing "missing-class" "5.3" Unsafe,
    /// There are 1 to 65535 bytes of code.
    CodeLength "code-length" "4.9.1" Unsafe,
    /// An instruction is one, and all of it is there.
    Instruction "instruction" "4.9.1" Unsafe,
    /// `jsr` and `ret` are of old versions.
    Subroutine "subroutine" "4.9.1" Unsupported,
    /// An operand is one that the instruction takes.
    Operand "operand" "4.9.1" Unsafe,
    /// Control goes to instructions only.
    Target "target" "4.9.1" Unsafe,
    /// A local variable is one of the frame's.
    LocalIndex "local-index" "4.9.1" Unsafe,
    /// A handler guards instructions and catches throwables.
    Handler "handler" "4.7.3, 4.10.1.3" Unsafe,
    /// Control does not run out of the code.
    CodeEnd "code-end" "4.9.2" Unsafe,
    /// The StackMapTable is well formed.
    StackMap "stack-map" "4.7.4" Unsafe,
    /// There is a frame where control comes from elsewhere.
    FrameMissing "frame-missing" "4.10.1.6" Unsafe,
    /// A frame fits what flows to it.
    FrameMismatch "frame-mismatch" "4.10.1.5" Unsafe,
    /// The operand stack is not popped when empty.
    StackUnderflow "stack-underflow" "4.10.1.4" Unsafe,
    /// The operand stack does not exceed its limit.
    StackOverflow "stack-overflow" "4.10.1.4" Unsafe,
    /// An operand has the type that the instruction takes.
    StackType "stack-type" "4.10.1.9" Unsafe,
    /// A local variable has the type that the instruction takes.
    LocalType "local-type" "4.10.1.7" Unsafe,
    /// An object is initialized once, by its own class, before it is used.
    Initialization "initialization" "4.10.1.9" Unsafe,
    /// A protected member of another package is used on objects of the own class only.
    Protected "protected" "4.10.1.8" Unsafe,
    /// A method returns what it says.
    Return "return" "4.10.1.9" Unsafe,
    /// Checking takes an effort in proportion to the length of the file.
    Effort "effort" "4.10.1" Unsupported,
    /// Who asked did not let it be checked to the end: this is no verdict.
    Stopped "stopped" "4.10.1" Unsupported,
    /// An applet is one class that extends Object, with no interfaces.
    AppletClass "applet-class" "3.1" Profile,
    /// An applet's types are byte, short, int, and one-dimensional arrays of these.
    AppletType "applet-type" "3.1" Profile,
    /// An applet's constants are ints.
    AppletConstant "applet-constant" "3.1" Profile,
    /// An applet's objects are arrays, and one of its own class.
    AppletObject "applet-object" "3.1" Profile,
    /// An applet uses fields and methods that it declares itself.
    AppletMember "applet-member" "3.1" Profile,
    /// An applet has one method of each name.
    AppletOverload "applet-overload" "3.1" Profile,
    /// An applet throws and catches nothing.
    AppletException "applet-exception" "3.1" Profile,
    /// An applet has no monitors.
    AppletThread "applet-thread" "3.1" Profile,
}
