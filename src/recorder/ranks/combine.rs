//! What all ranks give, put together up the tree and given to all of them.

use super::{Ipc, IpcFailed, Tree, receive_bytes, send_bytes};

/// Merges the numbers of all ranks, in their order, and gives all ranks the result; `None` if a rank has none, could not be reached, or
/// the merge refuses. Then all ranks get `None`, unless it is the way down on which one could not be reached.
///
/// Every rank goes all the way, whatever fails, so that none waits in vain for one that can be reached.
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
        // A child that is not reached has no result, which is all that can be done for it.
        let _ = send(ipc, child, all.as_deref());
    }
    all
}

/// Joins the values of all ranks, those of lower ranks first, and gives the result to all.
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

/// The numbers behind a byte that says that there are some.
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
