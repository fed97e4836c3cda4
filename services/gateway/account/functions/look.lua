-- Reads what a gateway must know of accounts: the keys that sign tokens, and the revocations that it has not seen.
--
-- flags: no-writes
-- keys: 1 keys (hash)  2 revocations (stream)
-- args: 1 where to begin in the stream, as XRANGE takes it  2 most revocations to read
-- answer: {the time, ms since 1970 UTC, {number, key, number, key, ...}, {{entry id, {field, value, ...}}, ...}}

return function(keys, args)
  local time = redis.call('TIME')
  return {
    time[1] * 1000 + math.floor(time[2] / 1000),
    redis.call('HGETALL', keys[1]),
    redis.call('XRANGE', keys[2], args[1], '+', 'COUNT', args[2]),
  }
end
