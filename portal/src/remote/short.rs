//! Short calls: a few words, and at most one piece of data each way, straight into a frame and out of one. And turned ones: a few
//! words that are sent, and bytes that go both ways.

use std::time::Instant;

use super::RemoteSession;
use super::announce::Announce;
use super::reading::{ShortReply, TurnedReply};
use super::sending::Sent;
use crate::call::{Failure, ShortWords};
use crate::calls::Intent;
use crate::message::{Frame, short_request, turned_request};
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
        let sent =
            self.send_few(target, op, deadline, |buffer| short_request(buffer, layout, words, piece))?;
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
        let sent =
            self.send_few(target, op, deadline, |buffer| turned_request(buffer, layout, at, words, data))?;
        self.reply_of(sent, target, deadline, TurnedReply { transport: self, layout, data, long: Vec::new() })
    }

    /// Sends the request that `begin` begins.
    #[inline(always)]
    fn send_few<'a>(
        &self,
        target: PortalId,
        op: OpNumber,
        deadline: Option<Instant>,
        begin: impl for<'b> FnOnce(&'b mut Vec<u8>) -> Result<Frame<'b, 'a>, Failure>,
    ) -> Result<Sent, Failure> {
        let (words, announce) = (op.operation().layout.reply_words(), Announce::of(target, op));
        self.send(words, &announce, deadline, Intent::Wait, |buffer, id| {
            let header =
                Request { len: 0, kind: kind::CALL, portals: 0, op: op.op, target: target.0, call: id.0 };
            begin(buffer)?
                .finish_request(header, self.options.frame_bytes_max)
                .ok_or_else(|| self.request_too_long())
        })
    }
}
