//! Short calls: a few words, and at most one piece of data, straight into a frame and out of one.

use super::RemoteSession;
use super::announce::Announce;
use crate::call::{Failure, ShortWords};
use crate::message::{read_failure, read_short_reply, short_request};
use crate::portal::{OpNumber, PortalId};
use crate::wire::{Reply, Request, kind};

impl RemoteSession {
    #[inline]
    pub(super) fn make_short(
        &self,
        target: PortalId,
        op: OpNumber,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let layout = &op.operation().layout;
        let deadline = self.deadline();
        let id = self.send(layout.reply_words(), &Announce::of(target, op), deadline, |buffer, id| {
            let header =
                Request { len: 0, kind: kind::CALL, portals: 0, op: op.op, target: target.0, call: id.0 };
            short_request(buffer, layout, words, piece)?
                .finish_request(header, self.options.frame_bytes_max)
                .ok_or_else(|| self.request_too_long())
        })?;
        self.reply_of(id, deadline, |header, frame| self.take_short(op, words, out, header, frame))
    }

    #[inline]
    fn take_short(
        &self,
        op: OpNumber,
        words: &mut ShortWords,
        out: &mut Vec<u8>,
        header: &Reply,
        frame: &[u8],
    ) -> Result<(), Failure> {
        if header.status != 0 {
            return Err(read_failure(header, frame));
        }
        let layout = &op.operation().layout;
        if header.portals > 0 {
            // Nobody asked for them.
            self.release_unread(layout.reply_words(), frame);
        }
        read_short_reply(frame, usize::from(header.portals), layout, words, out)
    }
}
