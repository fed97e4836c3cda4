-- Removes tickets and pairings whose time is over. They count for nothing before that; this only frees their memory.
--
-- keys: 1 tickets (hash)  2 waiting (hash)  3 pairings (hash)  4 expiry (sorted set)
-- args: 1 most to remove
-- answer: how many were removed

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local over = redis.call('ZRANGE', keys[4], '-inf', now, 'BYSCORE', 'LIMIT', 0, args[1])
  for _, member in ipairs(over) do
    local id = string.sub(member, 3)
    if string.sub(member, 1, 2) == 'p:' then
      redis.call('HDEL', keys[3], id)
    else
      local record = cjson.decode(redis.call('HGET', keys[1], id))
      if record.state == 'waiting' then
        local there = {}
        for other in string.gmatch(redis.call('HGET', keys[2], record.queue) or '', '%S+') do
          if other ~= id then
            there[#there + 1] = other
          end
        end
        if #there > 0 then
          redis.call('HSET', keys[2], record.queue, table.concat(there, ' '))
        else
          redis.call('HDEL', keys[2], record.queue)
        end
      end
      redis.call('HDEL', keys[1], id)
    end
    redis.call('ZREM', keys[4], member)
  end
  return #over
end
