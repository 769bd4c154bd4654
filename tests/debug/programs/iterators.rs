// What iterators and containers of Rust's library call, and how often: each function counts its own calls, and they are
// printed.
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(not(has_no_black_box))]
use std::hint::black_box;

#[cfg(has_no_black_box)]
#[inline(always)]
fn black_box<T: Copy>(x: T) -> T {
    unsafe { std::ptr::read_volatile(&x) }
}

static KEPT: AtomicU64 = AtomicU64::new(0);
static MAPPED: AtomicU64 = AtomicU64::new(0);
static FOLDED: AtomicU64 = AtomicU64::new(0);
static COMPARED: AtomicU64 = AtomicU64::new(0);
static VISITED: AtomicU64 = AtomicU64::new(0);
static KEYED: AtomicU64 = AtomicU64::new(0);
static GENERATED: AtomicU64 = AtomicU64::new(0);

#[inline(always)]
fn count(counter: &AtomicU64) {
    counter.store(counter.load(Relaxed) + 1, Relaxed);
}

#[inline]
fn keep(x: u32) -> bool {
    count(&KEPT);
    if x % 3 == 0 {
        return false;
    }
    x & 4 == 0 || x > 50
}

#[inline]
fn mapped(x: u32) -> u64 {
    count(&MAPPED);
    let mut y = x as u64;
    while y & 1 == 0 && y > 2 {
        y >>= 1;
    }
    y
}

#[inline]
fn folded(sum: u64, x: u64) -> u64 {
    count(&FOLDED);
    sum.wrapping_mul(31) ^ x
}

#[inline]
fn compare(a: &u64, b: &u64) -> std::cmp::Ordering {
    count(&COMPARED);
    (a % 1000).cmp(&(b % 1000))
}

#[inline]
fn visit(key: u64, times: u64) -> u64 {
    count(&VISITED);
    if times > 3 {
        return key;
    }
    key * times + 1
}

#[inline]
fn key_of(x: u64) -> u64 {
    count(&KEYED);
    if x > 500 {
        x % 61
    } else {
        x % 17
    }
}

#[inline]
fn generated(state: &mut u64) -> Option<u64> {
    count(&GENERATED);
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    if *state >> 40 == 0 {
        return None;
    }
    Some(*state >> 33)
}

#[inline(never)]
fn chain(n: u32) -> u64 {
    (0..n).chain(n + 5..n + 50).filter(|&x| keep(x)).map(mapped).fold(7, folded)
}

#[inline(never)]
fn sorted(n: usize) -> Vec<u64> {
    let mut state = 42;
    let mut all: Vec<u64> = std::iter::from_fn(|| generated(&mut state)).take(n).collect();
    all.sort_by(compare);
    all
}

#[inline(never)]
fn histogram(all: &[u64]) -> u64 {
    let mut found = BTreeMap::new();
    for &x in all {
        *found.entry(key_of(x)).or_insert(0) += 1;
    }
    found.iter().map(|(&key, &times)| visit(key, times)).sum()
}

fn main() {
    let sum = chain(black_box(300));
    let all = sorted(black_box(400));
    println!("{} {}", sum, histogram(&all));
    for (name, counter) in [
        ("keep", &KEPT),
        ("mapped", &MAPPED),
        ("folded", &FOLDED),
        ("compare", &COMPARED),
        ("visit", &VISITED),
        ("key_of", &KEYED),
        ("generated", &GENERATED),
    ] {
        eprintln!("{} {}", name, counter.load(Relaxed));
    }
}
