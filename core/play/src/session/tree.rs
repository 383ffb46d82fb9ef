//! The decisions of a game with every branch that was tried, as a tree of answers.

use trencavel_rules::ids::PlayerId;

/// A decision of a [`Tree`]: the state after an answer. [`Tree::ROOT`] is the state before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// Its number, in the order in which decisions were first made.
    pub fn number(self) -> usize {
        self.0
    }

    /// The decision of a number. A tree refuses one that it does not have.
    pub fn from_number(number: usize) -> Self {
        Self(number)
    }
}

/// An answer, and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The decision before it; none for the root.
    pub parent: Option<NodeId>,
    /// The answer as a save writes it: `A: pass`. Empty for the root.
    pub answer: String,
    /// In which turn it was given, from 1.
    pub turn: u32,
    /// Who gave it.
    pub player: PlayerId,
    /// Events before and after it.
    pub(super) events: (usize, usize),
    children: Vec<NodeId>,
    /// The child visited last.
    recent: Option<NodeId>,
}

/// All answers that were given, also those that were taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree(Vec<Node>);

impl Tree {
    /// The state before the first answer.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree without answers, after so many events.
    pub(super) fn new(events: usize) -> Self {
        Self(vec![Node {
            parent: None,
            answer: String::new(),
            turn: 0,
            player: PlayerId::default(),
            events: (0, events),
            children: Vec::new(),
            recent: None,
        }])
    }

    /// A decision of this tree.
    pub fn get(&self, node: NodeId) -> Option<&Node> {
        self.0.get(node.0)
    }

    /// The decisions from the first to `node`, without the root.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(parent) = self.get(at).and_then(|node| node.parent) {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// What was answered after `node`, in the order in which it was tried.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        self.get(node).map_or(&[], |node| &node.children)
    }

    /// The decision that came after `node` the last time.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.get(node)?.recent
    }

    /// The other answers that were given where `node` was.
    pub fn branches(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let parent = self.get(node).and_then(|node| node.parent);
        parent.map_or(&[][..], |parent| self.children(parent)).iter().copied().filter(move |other| *other != node)
    }

    /// The decision that an answer leads to, a new one if nobody gave that answer here before.
    pub(super) fn follow(&mut self, from: NodeId, answer: Given) -> NodeId {
        let known = self.children(from).iter().copied().find(|child| self.0[child.0].answer == answer.line);
        let node = known.unwrap_or(NodeId(self.0.len()));
        let Given { line, turn, player, events } = answer;
        match known {
            Some(known) => self.0[known.0].events = events,
            None => {
                self.0[from.0].children.push(node);
                let children = Vec::new();
                self.0.push(Node { parent: Some(from), answer: line, turn, player, events, children, recent: None });
            }
        }
        self.0[from.0].recent = Some(node);
        node
    }

    /// Takes over the events of the same decision in a game under other rules.
    pub(super) fn recount(&mut self, node: NodeId, other: &Self, again: NodeId) {
        if let (Some(node), Some(again)) = (self.0.get_mut(node.0), other.get(again)) {
            node.events = again.events;
            node.turn = again.turn;
        }
    }
}

/// An answer that was just given.
pub(super) struct Given {
    pub(super) line: String,
    pub(super) turn: u32,
    pub(super) player: PlayerId,
    pub(super) events: (usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(line: &str) -> Given {
        Given { line: line.to_owned(), turn: 1, player: PlayerId::from_index(0), events: (0, 0) }
    }

    #[test]
    fn the_same_answer_leads_to_the_same_decision() {
        let mut tree = Tree::new(0);
        let pass = tree.follow(Tree::ROOT, given("A: pass"));
        let other = tree.follow(Tree::ROOT, given("A: deploy follower road"));
        assert_eq!(tree.follow(Tree::ROOT, given("A: pass")), pass);
        assert_eq!(tree.children(Tree::ROOT), [pass, other]);
        assert_eq!(tree.next(Tree::ROOT), Some(pass), "redoing goes where the game went last");
    }

    #[test]
    fn a_path_begins_with_the_first_answer() {
        let mut tree = Tree::new(0);
        let first = tree.follow(Tree::ROOT, given("A: pass"));
        let second = tree.follow(first, given("B: pass"));
        let branch = tree.follow(first, given("B: deploy follower road"));
        assert_eq!(tree.path(second), [first, second]);
        assert_eq!(tree.branches(second).collect::<Vec<_>>(), [branch]);
        assert!(tree.path(Tree::ROOT).is_empty());
        assert_eq!(tree.get(NodeId::from_number(9)), None);
    }
}
