//! Short calls: a few words, and at most one piece of data each way, straight into a frame and out of one. And turned ones: a few
//! words that are sent, and bytes that go both ways.

use super::RemoteSession;
use super::announce::Announce;
use super::reading::{ShortReply, TurnedReply};
use crate::call::{Failure, ShortWords};
use crate::calls::Intent;
use crate::message::{short_request, turned_request};
use crate::portal::{OpNumber, PortalId};
use crate::wire::{Request, kind};

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
        let announce = Announce::of(target, op);
        let sent = self.send(layout.reply_words(), &announce, deadline, Intent::Wait, |buffer, id| {
            let header =
                Request { len: 0, kind: kind::CALL, portals: 0, op: op.op, target: target.0, call: id.0 };
            short_request(buffer, layout, words, piece)?
                .finish_request(header, self.options.frame_bytes_max)
                .ok_or_else(|| self.request_too_long())
        })?;
        self.reply_of(sent, target, deadline, ShortReply { transport: self, layout, words, out })
    }

    /// Makes a turned call, whose word `at` refers to `data`.
    #[inline]
    pub(super) fn make_turned(
        &self,
        target: PortalId,
        op: OpNumber,
        at: usize,
        words: &ShortWords,
        data: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let layout = &op.operation().layout;
        let deadline = self.deadline();
        let announce = Announce::of(target, op);
        let sent = self.send(layout.reply_words(), &announce, deadline, Intent::Wait, |buffer, id| {
            let header =
                Request { len: 0, kind: kind::CALL, portals: 0, op: op.op, target: target.0, call: id.0 };
            turned_request(buffer, layout, at, words, data)?
                .finish_request(header, self.options.frame_bytes_max)
                .ok_or_else(|| self.request_too_long())
        })?;
        self.reply_of(sent, target, deadline, TurnedReply { transport: self, layout, data, long: Vec::new() })
    }
}
