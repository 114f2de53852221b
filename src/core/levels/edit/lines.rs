//! Compares two texts line by line, and merges the changes of two authors.

/// A line of both texts or of one, by its index in each, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiffLine {
    Same(usize, usize),
    Old(usize),
    New(usize),
}

/// The lines of both texts in order. Removed lines come before the lines that replace
/// them.
pub fn compare(old: &str, new: &str) -> Vec<DiffLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let ends = old.iter().rev().zip(new.iter().rev());
    let tail = ends.take(rest).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut all: Vec<DiffLine> = (0..head).map(|n| DiffLine::Same(n, n)).collect();
    // For each pair of positions, the length of the longest common subsequence of the
    // remaining lines.
    let width = b.len() + 1;
    let mut common = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = match a[i] == b[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let at = |i: usize, j: usize| common[i * width + j];
        if i < a.len() && j < b.len() && a[i] == b[j] {
            all.push(DiffLine::Same(head + i, head + j));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || at(i + 1, j) >= at(i, j + 1)) {
            all.push(DiffLine::Old(head + i));
            i += 1;
        } else {
            all.push(DiffLine::New(head + j));
            j += 1;
        }
    }
    let (from_old, from_new) = (old.len() - tail, new.len() - tail);
    all.extend((0..tail).map(|n| DiffLine::Same(from_old + n, from_new + n)));
    all
}

/// The number of added or of removed lines, whichever is greater.
pub fn changes(old: &str, new: &str) -> usize {
    let all = compare(old, new);
    let count = |is: fn(&DiffLine) -> bool| all.iter().filter(|line| is(line)).count();
    count(|l| matches!(l, DiffLine::New(_))).max(count(|l| matches!(l, DiffLine::Old(_))))
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Merges two versions of one text. `None` if both changed the same or adjacent lines
/// in different ways.
pub fn merge(base: &str, mine: &str, theirs: &str) -> Option<String> {
    if mine == theirs || theirs == base {
        return Some(mine.into());
    }
    let base_lines = lines(base);
    let (a, b) = (hunks(base, mine), hunks(base, theirs));
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    let mut all = String::new();
    let mut at = 0;
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next()
            }
            (Some(x), Some(y)) if x.from <= y.to && y.from <= x.to => return None,
            (Some(x), Some(y)) if x.from < y.from => a.next(),
            (Some(_), None) => a.next(),
            _ => b.next(),
        };
        let Hunk { from, to, with } = next?;
        all.extend(base_lines[at..from].iter().copied());
        all += &with;
        at = to;
    }
    all.extend(base_lines[at..].iter().copied());
    Some(all)
}

/// Lines `from..to` of a text, and what replaces them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hunk {
    from: usize,
    to: usize,
    with: String,
}

fn hunks(base: &str, other: &str) -> Vec<Hunk> {
    let theirs = lines(other);
    let mut all: Vec<Hunk> = vec![];
    let (mut at, mut is_open) = (0, false);
    for line in compare(base, other) {
        if let DiffLine::Same(n, _) = line {
            (at, is_open) = (n + 1, false);
            continue;
        }
        if !is_open {
            all.push(Hunk {
                from: at,
                to: at,
                with: String::new(),
            });
            is_open = true;
        }
        let Some(hunk) = all.last_mut() else { continue };
        match line {
            DiffLine::Old(n) => (hunk.to, at) = (n + 1, n + 1),
            DiffLine::New(n) => hunk.with += theirs[n],
            DiffLine::Same(..) => {}
        }
    }
    all
}
