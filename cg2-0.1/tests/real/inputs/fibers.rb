# Fibers that yield, raise, make others and are never resumed.
def each_leaf(tree, &block)
  tree.each { |part| part.is_a?(Array) ? each_leaf(part, &block) : block.call(part) }
end

counters = (1..5).map { |i| Fiber.new { |x| 20.times { |n| x = Fiber.yield(n * i + x) } } }
puts (1..20).sum { |n| counters.sum { |counter| counter.resume(n) } }

leaves = Enumerator.new { |yielder| each_leaf([1, [2, [3, 4], 5], [[6]]]) { |leaf| yielder << leaf } }
puts leaves.next, leaves.next, leaves.peek, leaves.next
puts leaves.lazy.map { |leaf| leaf * 2 }.first(4).inspect

100.times { |i| Fiber.new { Fiber.yield i }.resume }
inner = Fiber.new { Fiber.new { Fiber.yield 1; 2 } }.resume
puts inner.resume + inner.resume
puts Fiber.new { Fiber.new { Fiber.yield 3; 4 }.then { |fiber| fiber.resume + fiber.resume } }.resume

begin
  Fiber.new { raise "in a fiber" }.resume
rescue RuntimeError => error
  puts error.message
end
