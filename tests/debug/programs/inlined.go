// For test_inlines: functions that Go inlines, and one that is called by its address, too.
package main

import "os"

func square(x int) int { return x * x }

func cube(x int) int { return x * x * x }

var indirect = square

//go:noinline
func sum(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += square(i)
		if i%2 == 0 {
			s += cube(i)
		}
	}
	return s
}

func main() {
	s := sum(1000)
	for i := 0; i < 7; i++ {
		s += indirect(i)
	}
	if s != 124833333591 {
		os.Exit(s % 100)
	}
}
