-- Writes a key under a number that has none yet.
--
-- keys: 1 keys (hash)
-- args: 1 number, from 1  2 the key's name  3 the private key, base64
-- answer: what stands under the number now, `<created, ms since 1970 UTC> <name> <private key>`: this key, or that of
--         whoever came first

return function(keys, args)
  local time = redis.call('TIME')
  local created = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('HSETNX', keys[1], args[1], created .. ' ' .. args[2] .. ' ' .. args[3])
  return redis.call('HGET', keys[1], args[1])
end
