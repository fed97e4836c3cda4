-- Takes or renews the lease of a shard's deadlines.
--
-- keys: 1 lease (hash: holder, fence, until)
-- args: 1 holder  2 milliseconds that the lease lasts
-- answer: the lease's fence, from 1; 0 when another holds it. Each time the holder changes the fence grows, so whoever
--         shows an older one has lost the lease.

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local lease = redis.call('HMGET', keys[1], 'holder', 'fence', 'until')
  local fence = tonumber(lease[2] or 0)
  if lease[1] ~= args[1] then
    if lease[3] and tonumber(lease[3]) > now then
      return 0
    end
    fence = fence + 1
  end
  redis.call('HSET', keys[1], 'holder', args[1], 'fence', fence, 'until', now + tonumber(args[2]))
  return fence
end
