// Text taken apart, traits and generics.
trait Score {
    fn score(&self) -> u32;
}
struct Word<'a>(&'a str);
struct Number(i64);

fn weight(letter: u8) -> u32 {
    if letter.is_ascii_lowercase() {
        u32::from(letter - b'a') + 1
    } else {
        1
    }
}

impl Score for Word<'_> {
    fn score(&self) -> u32 {
        self.0.bytes().map(weight).sum()
    }
}
impl Score for Number {
    fn score(&self) -> u32 {
        folded(self.0) as u32
    }
}

fn folded(mut number: i64) -> i64 {
    let mut sum = 0;
    while number > 0 {
        sum += number % 10;
        number /= 10;
    }
    sum
}

fn best<T: Score>(all: &[T]) -> u32 {
    let mut most = 0;
    for each in all {
        most = larger(most, each.score());
    }
    most
}

fn larger(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

fn as_number(text: &str) -> Option<Number> {
    text.parse().ok().map(Number)
}

fn main() {
    let text = "the 17 quick 4096 brown foxes 9 jump over 123456 lazy dogs 88 times";
    let mut sum = 0;
    for round in 1..=std::env::args().count() * 8 {
        let words: Vec<Word> = text.split(' ').take(round).map(Word).collect();
        let numbers: Vec<Number> = text.split(' ').filter_map(as_number).collect();
        sum += best(&words) + best(&numbers);
    }
    println!("{sum}");
}
