# Has a Perl program that is parsed run once for each line of standard input, which has its arguments between
# tabs, in a process of its own: perl -I DIRECTORY -MPrepared PROGRAM. What each writes to standard output and
# error is in the files that the first two fields name, and the third is its directory. The line that is printed
# has its wait status, and the seconds of processors that it and this process have had since the one before.
package Prepared;
use strict;

INIT
{
   $| = 1;
   my $told = 0;
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
      my $status = $?;
      my ($user, $system, $of_runs, $system_of_runs) = times;
      my $now = $user + $system + $of_runs + $system_of_runs;
      printf "%d %.2f\n", $status, $now - $told;
      $told = $now;
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
