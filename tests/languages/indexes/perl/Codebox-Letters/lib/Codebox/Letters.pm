package Codebox::Letters;
use strict;
our $VERSION = '0.91';
require XSLoader;
XSLoader::load(__PACKAGE__, $VERSION);
1;
