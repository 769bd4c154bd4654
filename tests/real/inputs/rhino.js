// For a JavaScript interpreter in Java: hot functions, exceptions, a thread.
function mix(state) {
   return (state * 31 + 7) % 1000003;
}
var state = 1;
for (var i = 0; i < 5000; i++) state = mix(state);
print(state);
var counts = {};
String(readFile("text")).toLowerCase().split(/[^a-z]+/).slice(0, 500).forEach(function (word) {
   counts[word] = (counts[word] || 0) + 1;
});
print(Object.keys(counts).length, counts.the);
try {
   null.nosuch;
} catch (error) {
   print(error instanceof TypeError);
}
var worker = spawn(function () { print("thread"); });
worker.join();
java.lang.System.exit(6);
