#!/bin/sh
# php_run.sh SUPPORT SOURCE: runs SOURCE. Code without an opening tag would be printed instead: it gets one, in its own line.
grep -q '<?\(php\|=\)' "$2" || sed -i '1s/^/<?php /' "$2"
exec php -d auto_prepend_file="$1/php_prepend.php" "$2"
