//! The units and the side that an event concerns, by the types of its fields.

use super::{Event, EventKind};
use crate::battle::{
    Id, Side,
    ids::{ID, SIDE},
};
use serde::{
    Serialize, Serializer,
    ser::{
        SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};
use std::fmt;

/// What data concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Concerns {
    /// Every unit in it, a bit each.
    pub units: u64,
    /// The unit that its field `who` names, if that is a single one.
    pub subject: Option<Id>,
    /// The side that its field `side` names.
    pub side: Option<Side>,
}

impl Concerns {
    /// What some data concerns.
    pub fn of(data: &(impl Serialize + ?Sized)) -> Self {
        let mut reader = Reader::default();
        // Nothing that it does can fail.
        let _ = data.serialize(&mut reader);
        reader.found
    }
}

impl Event {
    /// What the event concerns: its sentence names no other unit.
    pub fn concerns(&self) -> Concerns {
        match &self.what {
            EventKind::Ruleset(own) => own.concerns(),
            shared => Concerns::of(shared),
        }
    }
}

/// A field that says more than that a unit is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum EventField {
    Who,
    Side,
    #[default]
    Other,
}

impl EventField {
    fn named(name: &str) -> Self {
        match name {
            "who" => Self::Who,
            "side" => Self::Side,
            _ => Self::Other,
        }
    }
}

/// Serializes into nothing, and keeps the ids that it comes by.
#[derive(Default)]
struct Reader {
    found: Concerns,
    /// The field of the outermost struct that is read.
    field: EventField,
    /// How deep in structs, lists and maps it is.
    depth: u32,
    /// The number that comes next is an id of this type.
    id: Option<&'static str>,
}

impl Reader {
    fn number(&mut self, n: u64) {
        let is_own = self.depth == 1;
        match self.id.take() {
            Some(ID) => {
                let who = Id(n as u16);
                self.found.units |= who.bit();
                if is_own && self.field == EventField::Who {
                    self.found.subject = Some(who);
                }
            }
            Some(SIDE) if is_own && self.field == EventField::Side => {
                self.found.side = Some(Side(n as u8));
            }
            _ => {}
        }
    }

    fn enter(&mut self) -> Result<&mut Self, fmt::Error> {
        self.depth += 1;
        Ok(self)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> fmt::Result {
        self.name(name);
        value.serialize(&mut *self)
    }

    fn name(&mut self, name: &str) {
        if self.depth == 1 {
            self.field = EventField::named(name);
        }
    }

    fn leave(&mut self) -> fmt::Result {
        self.depth -= 1;
        Ok(())
    }
}

/// Values that hold no id.
macro_rules! nothing {
    ($($name:ident($($value:ty),*);)*) => {
        $(fn $name(self, $(_: $value),*) -> fmt::Result { Ok(()) })*
    };
}

impl<'a> Serializer for &'a mut Reader {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = &'a mut Reader;
    type SerializeTuple = &'a mut Reader;
    type SerializeTupleStruct = &'a mut Reader;
    type SerializeTupleVariant = &'a mut Reader;
    type SerializeMap = &'a mut Reader;
    type SerializeStruct = &'a mut Reader;
    type SerializeStructVariant = &'a mut Reader;

    nothing! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_u8(self, n: u8) -> fmt::Result {
        self.number(n.into());
        Ok(())
    }

    fn serialize_u16(self, n: u16) -> fmt::Result {
        self.number(n.into());
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> fmt::Result {
        self.id = Some(name).filter(|name| [ID, SIDE].contains(name));
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        self.depth += 1;
        value.serialize(&mut *self)?;
        self.leave()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        self.enter()
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> fmt::Result {
        Ok(())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Lists and structs: each element is read.
macro_rules! elements {
    ($($of:ident: $name:ident($($key:ident)?);)*) => {
        $(impl $of for &mut Reader {
            type Ok = ();
            type Error = fmt::Error;

            fn $name<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> fmt::Result {
                elements!(@read self value $($key)?)
            }

            fn end(self) -> fmt::Result {
                self.leave()
            }
        })*
    };
    (@read $reader:ident $value:ident) => { $value.serialize(&mut **$reader) };
    (@read $reader:ident $value:ident $key:ident) => { Reader::field($reader, $key, $value) };
}

elements! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStruct: serialize_field(key);
    SerializeStructVariant: serialize_field(key);
}

impl SerializeMap for &mut Reader {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> fmt::Result {
        let name = fmt::from_fn(|f| key.serialize(f)).to_string();
        self.name(&name);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        value.serialize(&mut **self)
    }

    fn end(self) -> fmt::Result {
        self.leave()
    }
}
