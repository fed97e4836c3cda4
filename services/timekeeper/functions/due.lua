-- The matches of a shard whose deadline has passed, each put off so that it comes again if nothing is done about it.
--
-- keys: 1 lease (hash)  2 deadlines (sorted set)
-- args: 1 fence  2 most matches  3 milliseconds to put them off
-- answer: {score, match, match, ...}: the score that they have been put off to; {} when none is due; -1 when the lease
--         is lost, and then nothing was done

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local lease = redis.call('HMGET', keys[1], 'fence', 'until')
  if lease[1] ~= args[1] or tonumber(lease[2]) <= now then
    return -1
  end
  local due = redis.call('ZRANGEBYSCORE', keys[2], '-inf', now, 'LIMIT', 0, args[2])
  if #due == 0 then
    return due
  end
  local later = string.format('%d', now + tonumber(args[3]))
  for _, match in ipairs(due) do
    redis.call('ZADD', keys[2], later, match)
  end
  table.insert(due, 1, later)
  return due
end
