// Loops that compilers unroll, turn round and compute several values at once in.
#include <cstdio>

template <int N> struct Matrix {
   double at[N][N];
   double get(int row, int column) const { return at[row][column]; }
   void set(int row, int column, double value) { at[row][column] = value; }
   static double product(const Matrix& a, const Matrix& b, int row, int column)
   {
      double sum = 0;
      for (int i = 0; i < N; i++)
         sum += a.get(row, i) * b.get(i, column);
      return sum;
   }
   Matrix times(const Matrix& other) const
   {
      Matrix made;
      for (int row = 0; row < N; row++)
         for (int column = 0; column < N; column++)
            made.set(row, column, product(*this, other, row, column));
      return made;
   }
   double trace() const
   {
      double sum = 0;
      for (int i = 0; i < N; i++)
         sum += get(i, i);
      return sum;
   }
};
template <int N> static Matrix<N> numbered(int first)
{
   Matrix<N> made;
   for (int row = 0; row < N; row++)
      for (int column = 0; column < N; column++)
         made.set(row, column, (first + row * N + column) % 7);
   return made;
}
template <int N> static double power(int first, int n)
{
   Matrix<N> made = numbered<N>(first), factor = numbered<N>(first + 1);
   for (int i = 0; i < n; i++)
      made = made.times(factor);
   return made.trace();
}

int main(int argc, char**)
{
   printf("%g %g %g\n", power<3>(argc, 5), power<4>(argc, 3), power<8>(argc, 2));
}
