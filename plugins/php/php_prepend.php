<?php
// Runs before the program: Composer's packages are found at once, and also by what programs usually say.
(static function (): void {
    $vendor = getenv('CODEBOX_VENDOR');
    if (!is_file("$vendor/autoload.php")) {
        return;
    }
    // The caller may have brought a folder of that name: it is the one that counts.
    @symlink($vendor, getcwd() . '/vendor');
    require_once "$vendor/autoload.php";
})();
