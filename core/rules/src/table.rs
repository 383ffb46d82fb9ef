//! A journaled list: every change can be taken back, at the price of one copy of the record that changed.

/// What a journal entry took the place of.
#[derive(Clone, Copy, Debug)]
enum Change<T> {
    Set(u32, T),
    Push,
    Pop(T),
    Insert(u32),
    Remove(u32, T),
    SwapRemove(u32, T),
}

/// A list of small records that remembers its changes until [`Table::forget`], unless it was told not to.
#[derive(Debug)]
pub(crate) struct Table<T> {
    items: Vec<T>,
    journal: Vec<Change<T>>,
    forgets: bool,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { items: Vec::new(), journal: Vec::new(), forgets: false }
    }
}

impl<T: Copy> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), journal: Vec::new(), forgets: self.forgets }
    }

    /// Copies the records into the room that is already there; the journal starts anew.
    fn clone_from(&mut self, source: &Self) {
        self.items.clear();
        self.items.extend_from_slice(&source.items);
        self.journal.clear();
    }
}

impl<T: Copy> Table<T> {
    pub fn items(&self) -> &[T] {
        &self.items
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Bytes that the records take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.items.as_slice())
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.items[index]
    }

    #[inline]
    pub fn at(&self, index: usize) -> &T {
        &self.items[index]
    }

    pub fn last(&self) -> Option<T> {
        self.items.last().copied()
    }

    /// The record at `index`, to be changed.
    #[inline]
    pub fn edit(&mut self, index: usize) -> &mut T {
        let item = &mut self.items[index];
        if !self.forgets {
            self.journal.push(Change::Set(index as u32, *item));
        }
        item
    }

    #[inline]
    fn note(&mut self, change: Change<T>) {
        if !self.forgets {
            self.journal.push(change);
        }
    }

    /// Whether changes are remembered from now on.
    pub fn remember(&mut self, remembers: bool) {
        self.forgets = !remembers;
        self.journal.clear();
    }

    #[inline]
    pub fn push(&mut self, item: T) -> usize {
        self.note(Change::Push);
        self.items.push(item);
        self.items.len() - 1
    }

    pub fn pop(&mut self) -> Option<T> {
        let item = self.items.pop()?;
        self.note(Change::Pop(item));
        Some(item)
    }

    /// Takes out the record at `index`; later ones move up.
    pub fn remove(&mut self, index: usize) -> T {
        let item = self.items.remove(index);
        self.note(Change::Remove(index as u32, item));
        item
    }

    /// Takes out the record at `index`; the last one takes its place.
    pub fn swap_remove(&mut self, index: usize) -> T {
        let item = self.items.swap_remove(index);
        self.note(Change::SwapRemove(index as u32, item));
        item
    }

    /// Puts a record before `index`; later ones move down.
    pub fn insert(&mut self, index: usize, item: T) {
        self.note(Change::Insert(index as u32));
        self.items.insert(index, item);
    }

    /// Takes everything out and forgets how to undo; the room is kept.
    pub fn clear(&mut self) {
        self.items.clear();
        self.journal.clear();
    }

    /// A point in time to come back to.
    pub fn mark(&self) -> u32 {
        self.journal.len() as u32
    }

    /// Takes back everything since `mark`.
    pub fn undo(&mut self, mark: u32) {
        while self.journal.len() > mark as usize {
            match self.journal.pop() {
                Some(Change::Set(index, old)) => self.items[index as usize] = old,
                Some(Change::Push) => {
                    self.items.pop();
                }
                Some(Change::Pop(old)) => self.items.push(old),
                Some(Change::Insert(index)) => {
                    self.items.remove(index as usize);
                }
                Some(Change::Remove(index, old)) => self.items.insert(index as usize, old),
                Some(Change::SwapRemove(index, old)) => {
                    self.items.push(old);
                    let last = self.items.len() - 1;
                    self.items.swap(index as usize, last);
                }
                None => return,
            }
        }
    }

    /// Forgets how to undo; all marks are void.
    pub fn forget(&mut self) {
        self.journal.clear();
    }
}

/// A list that only grows: its length is all that undo has to know.
#[derive(Debug)]
pub(crate) struct Rows<T>(Vec<T>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Clone for Rows<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clear();
        self.0.extend_from_slice(&source.0);
    }
}

impl<T: Copy> Rows<T> {
    pub fn items(&self) -> &[T] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Bytes that the records take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }

    #[inline]
    pub fn at(&self, index: usize) -> &T {
        &self.0[index]
    }

    #[inline]
    pub fn push(&mut self, item: T) -> usize {
        self.0.push(item);
        self.0.len() - 1
    }

    /// Takes everything out; the room is kept.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// A point in time to come back to.
    pub fn mark(&self) -> u32 {
        self.0.len() as u32
    }

    /// Takes off everything since `mark`.
    pub fn undo(&mut self, mark: u32) {
        self.0.truncate(mark as usize);
    }

    /// There is nothing to forget.
    pub fn forget(&mut self) {}

    /// There is nothing to remember.
    pub fn remember(&mut self, _: bool) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_restores_every_kind_of_change() {
        let mut table = Table::default();
        for n in 0..5 {
            table.push(n);
        }
        table.forget();
        let before = table.items().to_vec();
        let mark = table.mark();
        *table.edit(2) = 20;
        table.remove(0);
        table.swap_remove(1);
        table.insert(1, 99);
        table.swap_remove(table.len() - 1);
        table.pop();
        table.push(7);
        assert_ne!(table.items(), before);
        table.undo(mark);
        assert_eq!(table.items(), before);
    }

    #[test]
    fn a_table_that_remembers_nothing_has_nothing_to_undo() {
        let mut table = Table::default();
        table.remember(false);
        table.push(1);
        *table.edit(0) = 2;
        assert_eq!(table.mark(), 0);
        table.remember(true);
        *table.edit(0) = 3;
        table.undo(0);
        assert_eq!(table.items(), [2]);
    }
}
