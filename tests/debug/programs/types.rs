// Types of Rust, allocated in boxes and vectors. What is noted is what the test
// knows by construction.

use std::io::Write;

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

fn note<T>(block: *const T, count: usize, name: &str, line: u32) {
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

fn main() {
    let (list, points, tree) = (list(50), points(60), tree(6));
    let mut shapes = Vec::new();
    add_shapes(&mut shapes, 40);
    let sums = (sum(&list), furthest(&points), area(&shapes), weigh(&tree));
    println!("{} {} {} {}", sums.0, sums.1, sums.2, sums.3);
    std::mem::forget((list, points, shapes, tree));
}
