//! Refusals in bytes.

use super::codec::{Reader, Writer};
use super::{Malformed, Refusal};
use crate::tree::CapKind;

/// Why a run is not interpreted as a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NotWalked {
    /// No tree came, and none can be made of bytecode.
    NoTree,
    /// It began in another engine. A walk comes to where it stands by what its calls came to, which was not remembered then.
    Began,
    /// It began as a tree, and has gone on in another engine since.
    WentOn,
    /// Its calls came to more than is remembered.
    TooMuch,
    /// Variables are to be set: with others a walk does not come to where the run stands.
    Variables,
    /// An earlier server has kept it, without what its calls came to.
    Earlier,
}

impl NotWalked {
    fn from_number(number: u8) -> Option<NotWalked> {
        use NotWalked::{Began, Earlier, NoTree, TooMuch, Variables, WentOn};
        [NoTree, Began, WentOn, TooMuch, Variables, Earlier].into_iter().find(|why| *why as u8 == number)
    }
}

impl Refusal {
    pub(super) fn write(&self, w: &mut Writer) {
        match self {
            Refusal::Bill { kind, bill, accepts } => {
                w.u8(0);
                w.limit_kind(*kind);
                w.u64(*bill);
                w.u64(*accepts);
            }
            Refusal::Defaults { policy, lines } => {
                w.u8(1);
                w.bytes(policy.as_bytes());
                w.count(lines.len());
                lines.iter().for_each(|line| w.u32(*line));
            }
            Refusal::NotApproved { writes, principal, approval } => {
                w.u8(2);
                w.u64(*writes);
                w.bytes(principal.as_bytes());
                w.raw(approval);
            }
            Refusal::WrongApproval => w.u8(3),
            Refusal::IdentityUsed => w.u8(4),
            Refusal::Busy(n) => {
                w.u8(5);
                w.u32(*n);
            }
            Refusal::Argument { index, message } => {
                w.u8(6);
                w.u32(*index);
                w.bytes(message.as_bytes());
            }
            Refusal::Closing => w.u8(7),
            Refusal::Allowance { kind, standing } => {
                w.u8(8);
                w.limit_kind(*kind);
                w.standing(standing);
            }
            Refusal::PrincipalBusy(n) => {
                w.u8(9);
                w.u32(*n);
            }
            Refusal::NotKept => w.u8(10),
            Refusal::WentOn => w.u8(11),
            Refusal::NoCap(kind) => {
                w.u8(12);
                w.u8(*kind as u8);
            }
            Refusal::RaisesApproved => w.u8(13),
            Refusal::NotCached => w.u8(14),
            Refusal::NoJournal(why) => {
                w.u8(15);
                w.bytes(why.as_bytes());
            }
            Refusal::OnlyInstalled(policy) => {
                w.u8(16);
                w.bytes(policy.as_bytes());
            }
            Refusal::RaisesInstalled => w.u8(17),
            Refusal::InDoubt => w.u8(18),
            Refusal::Variable { slot, message } => {
                w.u8(19);
                w.u32(u32::from(*slot));
                w.bytes(message.as_bytes());
            }
            Refusal::FixedVariables => w.u8(20),
            Refusal::OtherProgram => w.u8(21),
            Refusal::CannotGoOn(why) => {
                w.u8(22);
                w.bytes(why.as_bytes());
            }
            Refusal::NoTrees => w.u8(23),
            Refusal::NotATree(why) => {
                w.u8(24);
                w.u8(*why as u8);
            }
        }
    }

    pub(super) fn read(r: &mut Reader<'_>) -> Result<Refusal, Malformed> {
        Ok(match r.u8()? {
            0 => Refusal::Bill { kind: r.limit_kind()?, bill: r.u64()?, accepts: r.u64()? },
            1 => {
                let policy = r.string()?;
                let count = r.count(4)?;
                let lines = (0..count).map(|_| r.u32()).collect::<Result<_, _>>()?;
                Refusal::Defaults { policy, lines }
            }
            2 => Refusal::NotApproved { writes: r.u64()?, principal: r.string()?, approval: r.hash()? },
            3 => Refusal::WrongApproval,
            4 => Refusal::IdentityUsed,
            5 => Refusal::Busy(r.u32()?),
            6 => Refusal::Argument { index: r.u32()?, message: r.string()? },
            7 => Refusal::Closing,
            8 => Refusal::Allowance { kind: r.limit_kind()?, standing: Box::new(r.standing()?) },
            9 => Refusal::PrincipalBusy(r.u32()?),
            10 => Refusal::NotKept,
            11 => Refusal::WentOn,
            12 => Refusal::NoCap(CapKind::from_number(u32::from(r.u8()?)).ok_or(Malformed)?),
            13 => Refusal::RaisesApproved,
            14 => Refusal::NotCached,
            15 => Refusal::NoJournal(r.string()?),
            16 => Refusal::OnlyInstalled(r.string()?),
            17 => Refusal::RaisesInstalled,
            18 => Refusal::InDoubt,
            19 => {
                let slot = u16::try_from(r.u32()?).map_err(|_| Malformed)?;
                Refusal::Variable { slot, message: r.string()? }
            }
            20 => Refusal::FixedVariables,
            21 => Refusal::OtherProgram,
            22 => Refusal::CannotGoOn(r.string()?),
            23 => Refusal::NoTrees,
            24 => Refusal::NotATree(NotWalked::from_number(r.u8()?).ok_or(Malformed)?),
            _ => return Err(Malformed),
        })
    }
}
