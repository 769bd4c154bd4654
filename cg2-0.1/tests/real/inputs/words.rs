// Words of a text by how often they occur; threads, a panic that is caught.
use std::collections::BTreeMap;

fn deep(values: &[i32], n: usize) -> i32 {
    if n == 0 { values[3] } else { deep(values, n - 1) + 1 }
}

fn main() {
    let text = std::fs::read_to_string("text").unwrap();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, &count)| count).unwrap();
    println!("{} {:?}", counts.len(), most);
    let threads: Vec<_> = (0..4).map(|n| std::thread::spawn(move || (0..n * 100).sum::<u32>())).collect();
    println!("{}", threads.into_iter().map(|t| t.join().unwrap()).sum::<u32>());
    std::panic::set_hook(Box::new(|_| {}));
    println!("{}", std::panic::catch_unwind(|| deep(&[1, 2], 10)).is_err());
    std::process::exit(8);
}
