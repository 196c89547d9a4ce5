<?php
// Packs the packages in the folders beside it, each in some versions, and writes what Packagist has beside its packages:
// /packages.json, and /p2/VENDOR/NAME.json for each.
foreach (['greeting' => ['1.0.0', '1.2.0', '2.0.0'], 'words' => ['1.0.0', '2.0.0']] as $folder => $versions) {
    $about = json_decode(file_get_contents("$folder/composer.json"), true);
    $name = $about['name'];
    $found = [];
    foreach ($versions as $version) {
        @mkdir("dist/$name", recursive: true);
        @mkdir(dirname("p2/$name"), recursive: true);
        $path = "dist/$name/$version.zip";
        $zip = new ZipArchive();
        $zip->open($path, ZipArchive::CREATE);
        $files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS));
        foreach ($files as $file) {
            // As in archives of GitHub's: one folder that holds everything.
            $zip->addFile($file, "source-$version" . substr($file, strlen($folder)));
        }
        $zip->close();
        $dist = ['type' => 'zip', 'url' => getenv('INDEX_URL') . "/$path", 'shasum' => sha1_file($path)];
        $found[] = $about + ['version' => $version, 'version_normalized' => "$version.0", 'dist' => $dist];
    }
    file_put_contents("p2/$name.json", json_encode(['packages' => [$name => $found]]));
}
file_put_contents('packages.json', json_encode(['packages' => [], 'metadata-url' => getenv('INDEX_URL') . '/p2/%package%.json']));
