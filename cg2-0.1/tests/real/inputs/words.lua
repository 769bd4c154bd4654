-- Words of a text by how often they occur; closures, coroutines, errors.
local counts, names = {}, {}
for line in io.lines("text") do
   for word in line:lower():gmatch("%a+") do
      if not counts[word] then names[#names + 1] = word end
      counts[word] = (counts[word] or 0) + 1
   end
end
table.sort(names, function(a, b)
   if counts[a] ~= counts[b] then return counts[a] > counts[b] end
   return a < b
end)
for i = 1, 5 do print(names[i], counts[names[i]]) end

local function permutations(list, n)
   return coroutine.wrap(function()
      local function go(k)
         if k <= 1 then coroutine.yield(table.concat(list, " ")) return end
         for i = 1, k do
            list[i], list[k] = list[k], list[i]
            go(k - 1)
            list[i], list[k] = list[k], list[i]
         end
      end
      go(n)
   end)
end
local found, last = 0, nil
for p in permutations({"a", "b", "c", "d", "e"}, 5) do found, last = found + 1, p end
print(found, last, pcall(error, "thrown", 0))

-- Hot enough for a JIT compiler, with a side exit now and then.
local sum = 0
for i = 1, 300000 do
   if i % 1000 == 0 then sum = sum - i else sum = sum + i % 7 end
end
print(sum)
local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end
print(fibonacci(18))
