//! Collective calls made of messages: everything goes through one rank, the root if the call has
//! one, otherwise rank 0.
//!
//! Reductions combine values in the order of ranks, so floating-point sums are the same in every
//! run.

use super::call::Call;
use super::links::{Broken, Links};
use super::number;

/// The bytes of each rank, in the order of ranks.
type Parts = Vec<Vec<u8>>;

impl Links {
    fn others(&self) -> impl Iterator<Item = u32> + use<> {
        let own = self.rank;
        (0..self.size).filter(move |&rank| rank != own)
    }

    /// Returns after all ranks have called it.
    pub(crate) fn barrier(&mut self, call: Call) -> Result<(), Broken> {
        self.gather(call, &[], |_| 0)?;
        self.bcast(call, &mut Vec::new())
    }

    /// Sends the bytes of the root to all ranks.
    pub(crate) fn bcast(&mut self, call: Call, bytes: &mut Vec<u8>) -> Result<(), Broken> {
        if self.rank != call.root {
            *bytes = self.receive(call.root, call, Some(bytes.len()))?;
            return Ok(());
        }
        self.others().try_for_each(|rank| self.send(rank, call, bytes))
    }

    /// Sends the bytes of all ranks to the root, which has the expected lengths.
    pub(crate) fn gather(
        &mut self,
        call: Call,
        own: &[u8],
        length: impl Fn(u32) -> usize,
    ) -> Result<Option<Parts>, Broken> {
        if self.rank != call.root {
            self.send(call.root, call, own)?;
            return Ok(None);
        }
        let size = self.size;
        let part = |rank| match rank == self.rank {
            true => Ok(own.to_vec()),
            false => self.receive(rank, call, Some(length(rank))),
        };
        (0..size).map(part).collect::<Result<Parts, Broken>>().map(Some)
    }

    /// Sends the bytes of all ranks to all ranks.
    pub(crate) fn allgather(&mut self, call: Call, own: &[u8]) -> Result<Vec<u8>, Broken> {
        let mut all = match self.gather(call, own, |_| own.len())? {
            Some(parts) => parts.concat(),
            None => vec![0; own.len() * self.size as usize],
        };
        self.bcast(call, &mut all)?;
        Ok(all)
    }

    /// Sends the combined elements of all ranks to the root.
    pub(crate) fn reduce(&mut self, call: Call, own: &[u8]) -> Result<Option<Vec<u8>>, Broken> {
        let Some(parts) = self.gather(call, own, |_| own.len())? else { return Ok(None) };
        let combine = |mut all: Vec<u8>, part: Vec<u8>| {
            number::combine(call.datatype, call.operation, &mut all, &part);
            all
        };
        Ok(parts.into_iter().reduce(combine))
    }

    /// Sends the combined elements of all ranks to all ranks.
    pub(crate) fn allreduce(&mut self, call: Call, own: &[u8]) -> Result<Vec<u8>, Broken> {
        let mut all = self.reduce(call, own)?.unwrap_or_else(|| own.to_vec());
        self.bcast(call, &mut all)?;
        Ok(all)
    }

    /// Sends each rank its part of the root's bytes; `length` is that of this rank's part.
    pub(crate) fn scatter(&mut self, call: Call, parts: &[&[u8]], length: usize) -> Result<Vec<u8>, Broken> {
        if self.rank != call.root {
            return self.receive(call.root, call, Some(length));
        }
        let part = |rank: u32| parts.get(rank as usize).copied().unwrap_or_default();
        self.others().try_for_each(|rank| self.send(rank, call, part(rank)))?;
        Ok(part(self.rank).to_vec())
    }
}
