<?php
// Words of a text by how often they occur; closures, exceptions, generators.
$counts = array_count_values(str_word_count(strtolower(file_get_contents('text')), 1));
uksort($counts, fn($a, $b) => $counts[$b] <=> $counts[$a] ?: $a <=> $b);
foreach (array_slice($counts, 0, 5) as $word => $count) printf("%-8s %d\n", $word, $count);
function squares(int $n): Generator { for ($i = 1; $i <= $n; $i++) yield $i => $i * $i; }
echo array_sum(iterator_to_array(squares(100))), "\n";
try {
   throw new DomainException('thrown');
} catch (DomainException $error) {
   echo get_class($error), $error->getLine(), "\n";
} finally {
   echo "finally\n";
}
echo md5(serialize($counts)), preg_match_all('/\b(\w)\w*\1\b/', file_get_contents('text')), "\n";
exit(4);
