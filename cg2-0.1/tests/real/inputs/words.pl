# Words of a text by how often they occur; closures, exceptions, fork, sort.
use strict;
use warnings;
my %count;
open my $in, '<', 'text' or die;
while (<$in>) { $count{lc $1}++ while /([[:alpha:]]+)/g }
printf "%-8s %3d\n", $_, $count{$_} for (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count)[0 .. 4];
sub ackermann { my ($m, $n) = @_; $m ? ackermann($m - 1, $n ? ackermann($m, $n - 1) : 1) : $n + 1 }
print ackermann(2, 5), "\n";
print eval { die { code => 3 } } // "died with $@->{code}\n";
my @adders = map { my $n = $_; sub { $n + shift } } 1 .. 3;
print join(",", map { $_->(10) } @adders), "\n";
$| = 1;
my $pid = open(my $child, '-|') // die;
if (!$pid) { print "from the child\n"; exit 3 }
print "read: $_" while <$child>;
close $child;
print $? >> 8, "\n";
local $SIG{ALRM} = sub { print "alarm\n" };
kill ALRM => $$;
