<?php

namespace CodeboxTests;

function hello(): string
{
    return "Hello, %s!";
}
