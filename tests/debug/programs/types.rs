// Types of Rust, allocated in boxes and vectors. What is noted, with NOTES
// in the environment, is what the test knows by construction.

use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

struct Node {
    next: Option<Box<Node>>,
    key: u64,
    mark: u8,
}

#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

enum Shape {
    Circle { radius: f64 },
    Rectangle(f64, f64, u32),
    Empty,
}

struct Tree {
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
    weight: i64,
}

static NOTING: AtomicBool = AtomicBool::new(false);

fn note<T>(block: *const T, count: usize, name: &str, line: u32) {
    if !NOTING.load(Ordering::Relaxed) {
        return;
    }
    let size = count * std::mem::size_of::<T>();
    let said = format!("{:#x} {} {} {} types::{}\n", block as usize, size, line, name, name);
    std::io::stderr().write_all(said.as_bytes()).unwrap();
}

#[inline(never)]
fn list(n: u64) -> Option<Box<Node>> {
    let mut head = None;
    for i in 0..n {
        let node = Box::new(Node { next: head, key: i, mark: 1 });
        note(&*node, 1, "Node", line!() - 1);
        head = Some(node);
    }
    head
}

#[inline(never)]
fn sum(mut rest: &Option<Box<Node>>) -> u64 {
    let mut sum = 0;
    while let Some(node) = rest {
        sum += node.key + node.mark as u64;
        rest = &node.next;
    }
    sum
}

#[inline(never)]
fn points(n: usize) -> Vec<Point> {
    let points: Vec<Point> = (0..n).map(|i| Point { x: i as f32, y: 1.0, z: 2.0 }).collect();
    note(points.as_ptr(), n, "Point", line!() - 1);
    points
}

#[inline(never)]
fn furthest(points: &[Point]) -> f32 {
    let mut most = 0.0f32;
    for point in points {
        most = most.max(point.x - point.z + point.y);
    }
    most
}

#[inline(never)]
fn add_shapes(shapes: &mut Vec<Shape>, n: u32) {
    for i in 0..n {
        shapes.push(match i % 3 {
            0 => Shape::Circle { radius: i as f64 },
            1 => Shape::Rectangle(1.0, 2.0, i),
            _ => Shape::Empty,
        });
    }
    note(shapes.as_ptr(), shapes.capacity(), "Shape", line!() - 1);
}

#[inline(never)]
fn area(shapes: &Vec<Shape>) -> f64 {
    let mut sum = 0.0;
    for i in 0..shapes.len() {
        sum += match &shapes[i] {
            Shape::Circle { radius } => radius * radius,
            Shape::Rectangle(width, height, n) => width * height + *n as f64,
            Shape::Empty => 0.0,
        };
    }
    sum
}

#[inline(never)]
fn tree(depth: u32) -> Option<Box<Tree>> {
    if depth == 0 {
        return None;
    }
    let tree = Box::new(Tree { left: tree(depth - 1), right: tree(depth - 1), weight: 1 });
    note(&*tree, 1, "Tree", line!() - 1);
    Some(tree)
}

#[inline(never)]
fn weigh(tree: &Option<Box<Tree>>) -> i64 {
    match tree {
        None => 0,
        Some(tree) => tree.weight + weigh(&tree.left) + weigh(&tree.right),
    }
}

// ------------------------------------------------------------ others that own

struct Account {
    number: u64,
    balance: Cell<f64>,
}

#[inline(never)]
fn accounts(n: u64) -> Vec<Rc<Account>> {
    let mut all = Vec::with_capacity(n as usize);
    for i in 0..n {
        all.push(Rc::new(Account { number: i, balance: Cell::new(0.5) }));
    }
    all
}

#[inline(never)]
fn pay(accounts: &[Rc<Account>]) -> f64 {
    let mut sum = 0.0;
    for account in accounts {
        account.balance.set(account.balance.get() + account.number as f64);
        sum += account.balance.get();
    }
    sum
}

struct Wrapper<T> {
    mark: u32,
    inner: T,
}

#[inline(never)]
fn wrap(n: usize) -> Vec<Box<Wrapper<Point>>> {
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        all.push(Box::new(Wrapper { mark: i as u32, inner: Point { x: 1.0, y: 2.0, z: 3.0 } }));
    }
    all
}

#[inline(never)]
fn unwrap_all(all: &[Box<Wrapper<Point>>]) -> f32 {
    all.iter().map(|one| one.inner.x + one.inner.z + one.mark as f32).sum()
}

#[inline(never)]
fn row(i: usize) -> Vec<f64> {
    vec![i as f64; 8]
}

#[inline(never)]
fn rows(n: usize) -> Vec<Vec<f64>> {
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        all.push(row(i));
    }
    all
}

#[inline(never)]
fn add_rows(rows: &[Vec<f64>]) -> f64 {
    rows.iter().map(|row| row[1] + row[6]).sum()
}

struct Counter {
    reads: AtomicU64,
    writes: AtomicU64,
}

static COUNTERS: [Counter; 4] = [NONE, NONE, NONE, NONE];
#[allow(clippy::declare_interior_mutable_const)]
const NONE: Counter = Counter { reads: AtomicU64::new(0), writes: AtomicU64::new(0) };
static PRIMES: [u16; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

#[inline(never)]
fn count(i: usize) -> u64 {
    let counter = &COUNTERS[i % 4];
    counter.writes.store(PRIMES[i % 8] as u64, Ordering::Relaxed);
    counter.reads.fetch_add(1, Ordering::Relaxed)
}

fn main() {
    NOTING.store(std::env::var_os("NOTES").is_some(), Ordering::Relaxed);
    let counted: u64 = (0..50).map(count).sum();
    let (accounts, wrapped, rows) = (accounts(30), wrap(30), rows(30));
    for _ in 0..10 {
        let sums = (pay(&accounts), unwrap_all(&wrapped), add_rows(&rows));
        assert!(sums.0 > 0.0 && sums.1 > 0.0 && sums.2 > 0.0);
    }
    println!("{}", counted);
    std::mem::forget((accounts, wrapped, rows));
    let (list, points, tree) = (list(50), points(60), tree(6));
    let mut shapes = Vec::new();
    add_shapes(&mut shapes, 40);
    let sums = (sum(&list), furthest(&points), area(&shapes), weigh(&tree));
    println!("{} {} {} {}", sums.0, sums.1, sums.2, sums.3);
    std::mem::forget((list, points, shapes, tree));
}
