package Codebox::Words;
use strict;
use Codebox::Letters;
our $VERSION = '1.1';
sub say { print "$_[0] has ", Codebox::Letters::count($_[0]), " letters, says version $VERSION\n" }
1;
