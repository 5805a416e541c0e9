//! Enums whose values are written as texts in files, in the API or in the configuration.

/// Defines an enum from the names of its values: `ALL`, `as_str`, `parse`, and the traits that
/// write it as its name.
macro_rules! text_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$doc:meta])* $value:ident = $text:literal,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $($(#[$doc])* #[doc = concat!("`", $text, "`")] $value,)*
        }

        impl $name {
            /// All values, in their order.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$value),*];

            /// Returns the name of the value.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $text,)* }
            }

            /// Returns the value with this name.
            pub fn parse(text: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|it| it.as_str() == text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

pub(crate) use text_enum;
