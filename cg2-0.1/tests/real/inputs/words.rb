# Words of a text by how often they occur; blocks, exceptions, fibers, big numbers.
require "set"

class Words
  include Enumerable

  def initialize(text) = @counts = text.downcase.scan(/[a-z]+/).tally

  def each(&) = @counts.sort_by { |word, count| [-count, word] }.each(&)

  def method_missing(name, *) = @counts.fetch(name.to_s) { raise KeyError, "no #{name}" }

  def respond_to_missing?(*) = true
end

words = Words.new(File.read("text"))
words.first(5).each { |word, count| puts format("%-8s %5d", word, count) }
begin
  words.nosuchword
rescue KeyError => error
  puts error.message
end
squares = Fiber.new { (1..).each { |n| Fiber.yield n * n } }
puts Array.new(10) { squares.resume }.sum
puts 2**200 % (10**9 + 7), Set.new(words.map { |word, _| word[0] }).size
puts catch(:found) { words.each { |word, count| throw :found, word if count < 10 } }
GC.start
puts Thread.new { words.count }.value
