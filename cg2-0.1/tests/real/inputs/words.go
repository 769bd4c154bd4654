// Words of a text by how often they occur; goroutines, a panic, the garbage collector.
package main

import (
   "fmt"
   "os"
   "runtime"
   "sort"
   "strings"
)

func deep(values []int, n int) int {
   if n == 0 {
      return values[3]
   }
   return deep(values, n-1) + 1
}

func main() {
   text, _ := os.ReadFile("text")
   counts := map[string]int{}
   for _, word := range strings.Fields(string(text)) {
      counts[word]++
   }
   var names []string
   for name := range counts {
      names = append(names, name)
   }
   sort.Slice(names, func(i, j int) bool { return counts[names[i]] > counts[names[j]] })
   fmt.Println(len(names), names[0], counts[names[0]])
   sums := make(chan int)
   for i := 0; i < 20; i++ {
      go func(n int) { sums <- deep([]int{0, 0, 0, n}, 100) }(i)
   }
   total := 0
   for i := 0; i < 20; i++ {
      total += <-sums
   }
   runtime.GC()
   fmt.Println(total)
   defer func() { fmt.Println(recover()); os.Exit(8) }()
   deep(nil, 10)
}
