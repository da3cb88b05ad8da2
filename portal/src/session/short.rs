//! Answers of short calls, and of turned ones.

use carnet_idl::descriptor::Layout;

use super::{Session, answer};
use crate::call::{Areas, Failure, ShortWords};
use crate::message::{Frame, short_reply, turned_reply};

impl Session {
    /// Answers a short call.
    #[inline(always)]
    pub(crate) fn send_short(
        &self,
        call: u32,
        layout: &Layout,
        words: &ShortWords,
        out: &[u8],
    ) -> Result<(), Failure> {
        self.send_few(call, |buffer| short_reply(buffer, layout, words, out))
    }

    /// Answers a turned call; `word` refers to the data.
    #[inline(always)]
    pub(crate) fn send_turned(
        &self,
        call: u32,
        layout: &Layout,
        word: u64,
        areas: &Areas,
    ) -> Result<(), Failure> {
        self.send_few(call, |buffer| turned_reply(buffer, layout, word, areas))
    }

    /// Sends the answer that `begin` begins.
    #[inline(always)]
    fn send_few<'a>(
        &self,
        call: u32,
        begin: impl for<'b> FnOnce(&'b mut Vec<u8>) -> Result<Frame<'b, 'a>, Failure>,
    ) -> Result<(), Failure> {
        self.send(|buffer| {
            begin(buffer)?
                .finish_reply(answer(call), self.limits.frame_bytes_max)
                .ok_or_else(|| self.reply_too_long())
        })
    }
}
