-- Sets a match's deadline to what its engine says, unless an append has set it in the meantime.
--
-- keys: 1 lease (hash)  2 deadlines (sorted set)
-- args: 1 fence  2 match  3 the score that it was put off to  4 the deadline, ms since 1970 UTC; 0: none
-- answer: 1 when it was set; 0 when the score is another one by now; -1 when the lease is lost

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local lease = redis.call('HMGET', keys[1], 'fence', 'until')
  if lease[1] ~= args[1] or tonumber(lease[2]) <= now then
    return -1
  end
  local score = redis.call('ZSCORE', keys[2], args[2])
  if not score or tonumber(score) ~= tonumber(args[3]) then
    return 0
  end
  if args[4] == '0' then
    redis.call('ZREM', keys[2], args[2])
  else
    redis.call('ZADD', keys[2], args[4], args[2])
  end
  return 1
end
