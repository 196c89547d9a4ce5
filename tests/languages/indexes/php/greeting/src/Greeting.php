<?php

namespace CodeboxTests\Greeting;

final class Greeting
{
    public static function to(string $name): string
    {
        return sprintf(\CodeboxTests\hello(), $name);
    }
}
