-- Looks at tickets for those who wait for them, so that they stay in their queues.
--
-- keys: 1 tickets (hash)  2 pairings (hash)  3 expiry (sorted set)
-- args: 1 ms for which a ticket stays that nobody waits for  2.. tickets
-- answer: for each ticket {account id, pairing as JSON, empty while it waits}; empty when there is no such ticket, or it
--         was cancelled, or nobody waited for it long enough

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local answer = {}
  for i = 2, #args do
    local member = 't:' .. args[i]
    local known = redis.call('HGET', keys[1], args[i])
    local until_ms = known and redis.call('ZSCORE', keys[3], member)
    local told = {}
    if until_ms and tonumber(until_ms) > now then
      local record = cjson.decode(known)
      if record.state == 'waiting' then
        redis.call('ZADD', keys[3], now + args[1], member)
        told = { record.account, '' }
      elseif record.state == 'paired' then
        told = { record.account, redis.call('HGET', keys[2], record.pairing) or '' }
      end
    end
    answer[#answer + 1] = told
  end
  return answer
end
