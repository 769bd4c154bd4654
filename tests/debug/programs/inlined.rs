// Inlined functions of Rust, whose names are symbols that have to be demangled. How often each is called stands below.
use std::ops::{Add, Mul};

#[cfg(not(has_no_black_box))]
use std::hint::black_box;

#[cfg(has_no_black_box)]
#[inline(always)]
fn black_box<T: Copy>(x: T) -> T {
    unsafe { std::ptr::read_volatile(&x) }
}

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);

impl Shape for Square {
    #[inline(always)]
    fn area(&self) -> u64 {
        black_box(self.0) * self.0
    }
}

#[inline(always)]
fn twice<T: Copy + Add<Output = T>>(x: T) -> T {
    x + x
}

#[inline(always)]
fn squared<T: Copy + Mul<Output = T>>(x: T) -> T {
    black_box(x) * x
}

#[inline(never)]
fn work(n: u64) -> u64 {
    let mut sum = 0;
    for i in 0..black_box(n) {
        sum += Square(i).area(); // 300 times
    }
    for i in 0..black_box(40) {
        sum ^= squared(i) + squared(i as u32) as u64; // 40 times each
    }
    sum
}

fn main() {
    let all: u64 = (0..100).map(|x| twice(black_box(x))).filter(|x| x % 3 == 0).sum();
    println!("{} {}", work(300), all);
}
