# Has a Perl program that is parsed run once for each line of standard input, which has its arguments between
# tabs, in a process of its own: perl -I DIRECTORY -MPrepared PROGRAM. What each writes to standard output and
# error is in the files that the first two fields name, and the third is its directory; its wait status is the
# line that is printed.
package Prepared;
use strict;

INIT
{
   $| = 1;
   while (defined(my $line = <STDIN>)) {
      chomp $line;
      my ($out, $err, $directory, @words) = split /\t/, $line;
      defined(my $child = fork) or die "fork: $!";
      if (!$child) {
         become($out, $err);
         chdir $directory or die "$directory: $!";
         @ARGV = @words;
         goto PROGRAM;
      }
      waitpid $child, 0;
      print "$?\n";
   }
   exit;
   PROGRAM:
}

sub become
{
   my ($out, $err) = @_;
   open STDIN, '<', '/dev/null' or die "/dev/null: $!";
   open STDOUT, '>', $out or die "$out: $!";
   open STDERR, '>', $err or die "$err: $!";
   $| = 0;
}

1;
