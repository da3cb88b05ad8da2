//! Bills in bytes.

use carnet_idl::descriptor::Effect;

use super::codec::{Reader, Writer};
use super::{BillAnswer, Malformed, Refusal, read_faults, write_faults};
use crate::bill::{Bill, Bound, Line, Place};

impl BillAnswer {
    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(256);
        match &self.bill {
            Ok(bill) => {
                w.u8(1);
                write_bill(&mut w, bill);
            }
            Err(faults) => {
                w.u8(0);
                write_faults(&mut w, faults);
            }
        }
        w.raw(&self.approval);
        w.option(self.refusal.as_ref(), |w, refusal| refusal.write(w));
        w.finish()
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &[u8]) -> Result<BillAnswer, Malformed> {
        let mut r = Reader::new(bytes);
        let bill = if r.bool()? { Ok(read_bill(&mut r)?) } else { Err(read_faults(&mut r)?) };
        let (approval, refusal) = (r.hash()?, r.option(Refusal::read)?);
        r.end()?;
        Ok(BillAnswer { bill, approval, refusal })
    }
}

fn write_bill(w: &mut Writer, bill: &Bill) {
    w.bytes(bill.program.as_bytes());
    w.raw(&bill.hash);
    w.count(bill.services.len());
    bill.services.iter().for_each(|service| w.bytes(service.as_bytes()));
    w.count(bill.lines.len());
    for line in &bill.lines {
        w.bytes(line.name.as_bytes());
        w.u8(u8::from(line.effect == Effect::Writes));
        w.u64(line.at_most);
        w.count(line.from.len());
        for place in &line.from {
            w.u32(place.line);
            w.u64(place.at_most);
            w.option(place.pages.as_ref(), |w, (reached, limit)| {
                w.u64(*reached);
                w.u64(*limit);
            });
            w.u8(u8::from(place.default));
        }
    }
    for bound in [bill.calls, bill.writes, bill.written, bill.instructions, bill.time_ns] {
        w.u64(bound.at_most);
        w.u64(bound.loops);
        w.option(bound.cut_by.as_ref(), |w, source| w.limit_source(*source));
    }
    w.count(bill.defaults.len());
    bill.defaults.iter().for_each(|line| w.u32(*line));
    w.u8(u8::from(bill.idempotent));
    for texts in [&bill.notes, &bill.unknown] {
        w.count(texts.len());
        texts.iter().for_each(|text| w.bytes(text.as_bytes()));
    }
}

fn read_bill(r: &mut Reader<'_>) -> Result<Bill, Malformed> {
    let (program, hash) = (r.string()?, r.hash()?);
    let services = r.list(4, Reader::string)?;
    let lines = r.list(17, |r| {
        Ok(Line {
            name: r.string()?,
            effect: if r.bool()? { Effect::Writes } else { Effect::Reads },
            at_most: r.u64()?,
            from: r.list(14, |r| {
                Ok(Place {
                    line: r.u32()?,
                    at_most: r.u64()?,
                    pages: r.option(|r| Ok((r.u64()?, r.u64()?)))?,
                    default: r.bool()?,
                })
            })?,
        })
    })?;
    let mut bound =
        || Ok(Bound { at_most: r.u64()?, loops: r.u64()?, cut_by: r.option(Reader::limit_source)? });
    let (calls, writes, written, instructions, time_ns) = (bound()?, bound()?, bound()?, bound()?, bound()?);
    let defaults = r.list(4, Reader::u32)?;
    let idempotent = r.bool()?;
    let (notes, unknown) = (r.list(4, Reader::string)?, r.list(4, Reader::string)?);
    Ok(Bill {
        program,
        hash,
        services,
        lines,
        calls,
        writes,
        written,
        instructions,
        time_ns,
        defaults,
        idempotent,
        notes,
        unknown,
    })
}
