-- Takes a ticket out of its queue.
--
-- keys: 1 tickets (hash)  2 waiting (hash)  3 expiry (sorted set)  4 news (stream)
-- args: 1 ticket  2 account id  3 ms for which it is remembered that the ticket was cancelled
-- answer: 'cancelled', also when it was before; 'paired' when it is too late; 'gone' when the account has no such ticket

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ticket = args[1]
  local known = redis.call('HGET', keys[1], ticket)
  local until_ms = known and redis.call('ZSCORE', keys[3], 't:' .. ticket)
  if not until_ms or tonumber(until_ms) <= now then
    return 'gone'
  end
  local record = cjson.decode(known)
  if record.account ~= args[2] then
    return 'gone'
  end
  if record.state ~= 'waiting' then
    return record.state
  end

  local there = {}
  for other in string.gmatch(redis.call('HGET', keys[2], record.queue) or '', '%S+') do
    if other ~= ticket then
      there[#there + 1] = other
    end
  end
  if #there > 0 then
    redis.call('HSET', keys[2], record.queue, table.concat(there, ' '))
  else
    redis.call('HDEL', keys[2], record.queue)
  end
  record.state = 'cancelled'
  redis.call('HSET', keys[1], ticket, cjson.encode(record))
  redis.call('ZADD', keys[3], now + args[3], 't:' .. ticket)
  redis.call('XADD', keys[4], 'MAXLEN', '~', 10000, '*', 't', ticket)
  return 'cancelled'
end
