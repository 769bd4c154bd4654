<?php
// Fibers that suspend, throw, and make others.
function leaf($n) {
    $sum = 0;
    for ($i = 0; $i < $n; $i++) $sum += $i;
    return $sum;
}

function thrower() {
    Fiber::suspend(1);
    throw new Exception("in a fiber");
}

$fibers = [];
for ($i = 0; $i < 5; $i++)
    $fibers[] = new Fiber(function ($x) use ($i) {
        for ($k = 0; $k < 10; $k++) $x = Fiber::suspend(leaf($i) + $x);
    });
$sum = 0;
foreach ($fibers as $fiber) $sum += $fiber->start(1);
for ($k = 0; $k < 9; $k++)
    foreach ($fibers as $fiber) $sum += $fiber->resume($k);
echo $sum, "\n";

$outer = new Fiber(function () {
    $inner = new Fiber("thrower");
    $inner->start();
    Fiber::suspend(2);
    $inner->resume();
});
$outer->start();
try {
    $outer->resume();
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
