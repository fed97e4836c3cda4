-- Puts a ticket into the queue of what it asks for, or pairs it with the ticket that has waited there longest.
--
-- keys: 1 tickets (hash)  2 waiting (hash)  3 pairings (hash)  4 expiry (sorted set)  5 news (stream)
-- args: 1 ticket  2 account id  3 name shown to others  4 queue  5 what is asked for, JSON
--       6 id for a pairing, new and random  7 ms for which a ticket stays that nobody waits for
--       8 ms for which a pairing is kept  9 most tickets of one account in one queue
-- answer: 'waiting' or 'paired'; 'cancelled' when the ticket was; 'reused' when it stands for another queue;
--         'crowded' when the account has too many tickets here; in the last two nothing was done
--
-- All tickets that wait in a queue are of one account: one of another account would have been paired at once. So only
-- the oldest that is still waited for has to be looked at, and nobody meets himself.

local function has_gone(keys, member, now)
  local until_ms = redis.call('ZSCORE', keys[4], member)
  return not until_ms or tonumber(until_ms) <= now
end

return function(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ticket, account, queue = args[1], args[2], args[4]

  local known = redis.call('HGET', keys[1], ticket)
  if known then
    local record = cjson.decode(known)
    -- Also when its time is over: until it is swept its old queue names it, and would take it for one that waits there.
    if record.queue ~= queue then
      return 'reused'
    end
    if not has_gone(keys, 't:' .. ticket, now) then
      if record.state == 'waiting' then
        redis.call('ZADD', keys[4], now + args[7], 't:' .. ticket)
      end
      return record.state
    end
  end

  local there = {}
  for other in string.gmatch(redis.call('HGET', keys[2], queue) or '', '%S+') do
    if other ~= ticket and not has_gone(keys, 't:' .. other, now) then
      there[#there + 1] = other
    end
  end
  local first = there[1] and cjson.decode(redis.call('HGET', keys[1], there[1]))
  local mine = { account = account, name = args[3], queue = queue, state = 'waiting' }

  if first and first.account ~= account then
    local id = args[6]
    first.state, first.pairing = 'paired', id
    mine.state, mine.pairing = 'paired', id
    local pairing = {
      id = id, made = false, terms = args[5],
      accounts = { first.account, account }, names = { first.name, args[3] },
    }
    redis.call('HSET', keys[3], id, cjson.encode(pairing))
    redis.call('HSET', keys[1], there[1], cjson.encode(first), ticket, cjson.encode(mine))
    redis.call('ZADD', keys[4], now + args[8], 'p:' .. id, now + args[8], 't:' .. there[1], now + args[8], 't:' .. ticket)
    redis.call('XADD', keys[5], 'MAXLEN', '~', 10000, '*', 't', there[1])
    table.remove(there, 1)
  else
    if #there >= tonumber(args[9]) then
      return 'crowded'
    end
    there[#there + 1] = ticket
    redis.call('HSET', keys[1], ticket, cjson.encode(mine))
    redis.call('ZADD', keys[4], now + args[7], 't:' .. ticket)
  end

  if #there > 0 then
    redis.call('HSET', keys[2], queue, table.concat(there, ' '))
  else
    redis.call('HDEL', keys[2], queue)
  end
  return mine.state
end
