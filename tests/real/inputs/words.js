// Words of a text by how often they occur; hot functions, exceptions, promises, workers.
const fs = require("fs");
const zlib = require("zlib");

const counts = new Map();
for (const [word] of fs.readFileSync("text", "utf8").toLowerCase().matchAll(/[a-z]+/g))
   counts.set(word, (counts.get(word) ?? 0) + 1);
console.log([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5));

function mix(state) {
   return (Math.imul(state, 1103515245) + 12345) >>> 0;
}
let state = 1;
for (let i = 0; i < 50000; i++) state = mix(state);
console.log(state);

const deep = (n) => n === 0 ? [].nosuch.length : deep(n - 1);
try {
   deep(20);
} catch (error) {
   console.log(error instanceof TypeError);
}
console.log(zlib.gunzipSync(zlib.gzipSync("packed")).toString());
(async () => {
   const values = await Promise.all([1, 2, 3].map(async (n) => n * n));
   console.log(values.reduce((a, b) => a + b, 0));
   process.exitCode = 5;
})();
