/* Functions whose names are short in the object and very long when demangled. */
template <class A, class B> struct Pair {};

template <class T, int N> struct Tree {
   typedef Pair<typename Tree<T, N - 1>::type, typename Tree<T*, N - 1>::type> type;
};

template <class T> struct Tree<T, 0> {
   typedef T type;
};

volatile int n;

template <class T> __attribute__((noinline, noipa)) void wide(T)
{
   n++;
}

int main()
{
   for (int i = 0; i < 5; i++)
      wide(Tree<int, 10>::type());
   for (int i = 0; i < 7; i++)
      wide(Tree<long, 10>::type());
   return 0;
}
