# Prints name and version of every module that a program of the image can use.
use strict;
use warnings;
use ExtUtils::MakeMaker;
use File::Find;

print "perl ", substr($^V, 1), "\n";
my %seen;
for my $folder (grep { m{^/} && -d } @INC) {
  find({no_chdir => 1, wanted => sub {
    my $name = substr($File::Find::name, length($folder) + 1);
    $File::Find::prune = 1, return if -d && /^\d/;
    return unless $name =~ s/\.pm$// && $name =~ m{^[A-Z]};
    $name =~ s{/}{::}g;
    my $version = $seen{$name}++ ? 'undef' : MM->parse_version($File::Find::name);
    print "$name $version\n" if $version ne 'undef' && $version =~ /^v?[\d._]+$/;
  }}, $folder);
}
