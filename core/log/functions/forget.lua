-- Removes what still points at a log that has vanished: a match that never started and expired.
--
-- keys: 1 log (stream)  2 deadlines (sorted set)  3 listed (hash)  4 lost (string)
-- args: 1 match id
-- answer: 1 when the log is gone and nothing points at it any more; 0 when the log is there, nothing was done

return function(keys, args)
  if redis.call('EXISTS', keys[1]) == 1 then
    return 0
  end
  redis.call('ZREM', keys[2], args[1])
  redis.call('HDEL', keys[3], args[1])
  redis.call('DEL', keys[4])
  return 1
end
