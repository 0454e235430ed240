//! Collective operations: data from all ranks is combined up the tree, and the result is sent to
//! all ranks.

use super::{Ipc, IpcFailed, Tree, receive_bytes, send_bytes};

/// Merges the numbers of all ranks in rank order, and returns the result on all ranks. Returns
/// `None` if a rank has no numbers, a rank could not be reached, or `merge` returns `None`. In that
/// case all ranks return `None`, unless the unreachable rank was lost on the way down.
///
/// Every rank performs all steps, whatever fails, so that no reachable rank waits in vain.
pub fn combine(
    ipc: &(impl Ipc + ?Sized),
    own: Option<Vec<u64>>,
    merge: impl Fn(Vec<u64>, Vec<u64>) -> Option<Vec<u64>>,
) -> Option<Vec<u64>> {
    let tree = Tree::of(ipc);
    let mut all = own;
    for child in tree.children() {
        let theirs = receive(ipc, child);
        all = all.zip(theirs).and_then(|(left, right)| merge(left, right));
    }
    if let Some(parent) = tree.parent() {
        all = send(ipc, parent, all.as_deref()).ok().and_then(|()| receive(ipc, parent));
    }
    for child in tree.children().rev() {
        // A child that cannot be reached has no result; nothing more can be done for it.
        let _ = send(ipc, child, all.as_deref());
    }
    all
}

/// Combines the values of all ranks, in rank order, and returns the result on all ranks.
pub fn all_join<const N: usize>(
    ipc: &(impl Ipc + ?Sized),
    values: [u64; N],
    join: impl Fn([u64; N], [u64; N]) -> [u64; N],
) -> Result<[u64; N], IpcFailed> {
    let joined = combine(ipc, Some(values.to_vec()), |left, right| {
        Some(join(left.try_into().ok()?, right.try_into().ok()?).to_vec())
    });
    joined.and_then(|joined| joined.try_into().ok()).ok_or(IpcFailed)
}

/// Sends a byte that states whether numbers follow, and then the numbers.
fn send(ipc: &(impl Ipc + ?Sized), to: u32, numbers: Option<&[u64]>) -> Result<(), IpcFailed> {
    let mut bytes = vec![u8::from(numbers.is_some())];
    bytes.extend(numbers.unwrap_or_default().iter().flat_map(|number| number.to_le_bytes()));
    send_bytes(ipc, to, &bytes)
}

fn receive(ipc: &(impl Ipc + ?Sized), from: u32) -> Option<Vec<u64>> {
    let bytes = receive_bytes(ipc, from).ok()?;
    let numbers = bytes.strip_prefix(&[1])?.as_chunks().0;
    Some(numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
}
