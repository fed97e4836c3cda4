-- Makes a timekeeper present, and removes those that are not: a presence lasts for a while after its time. A time as far
-- in the future is void as well: it was written by another clock, and would last until the store's has caught up.
--
-- keys: 1 timekeepers (sorted set: name, seconds since 1970 UTC by the store's clock when it was last here)
-- args: 1 name  2 milliseconds that a presence lasts
-- answer: the names of those that are present; this one is among them

local function seconds(ms)
  return string.format('%.3f', ms / 1000)
end

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', keys[1], seconds(now), args[1])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', seconds(now - tonumber(args[2])))
  redis.call('ZREMRANGEBYSCORE', keys[1], seconds(now + tonumber(args[2])), '+inf')
  return redis.call('ZRANGE', keys[1], 0, -1)
end
