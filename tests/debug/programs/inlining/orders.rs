// Closures and iterators over records, with a generator of numbers that is called in several places.
struct Rng(u64);
impl Rng {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }
}

struct Order {
    user: String,
    items: Vec<(u32, f64)>,
    returned: bool,
}

fn one_item(r: &mut Rng) -> (u32, f64) {
    ((r.draw() % 1000) as u32, r.below(10000) as f64 / 100.0)
}

fn make_orders(n: usize, seed: u64) -> Vec<Order> {
    let mut r = Rng(seed);
    (0..n)
        .map(|_| {
            let k = 1 + r.below(5) as usize;
            Order {
                user: format!("user-{}", r.draw() % 97),
                items: (0..k).map(|_| one_item(&mut r)).collect(),
                returned: r.draw() % 4 == 0,
            }
        })
        .collect()
}

fn is_kept(order: &Order) -> bool {
    !order.returned
}

fn value(order: &Order) -> f64 {
    order.items.iter().map(|&(_, price)| price).sum()
}

fn main() {
    let orders = make_orders(std::env::args().count() * 400, 88172645463325252);
    let kept: Vec<&Order> = orders.iter().filter(|order| is_kept(order)).collect();
    let sum: f64 = kept.iter().map(|order| value(order)).sum();
    let letters: usize = orders.iter().map(|order| order.user.len()).sum();
    println!("{} {:.2} {}", kept.len(), sum, letters);
}
