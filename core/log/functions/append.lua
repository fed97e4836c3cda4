-- Adds records to a match's log, all or nothing.
--
-- keys: 1 log (stream)  2 feed (stream)  3 feed position (counter)  4 deadlines (sorted set)  5 listed (hash)
--       6 lost (string): while it is there, events of this match are lost and nothing is added
-- args: 1 match id
--       2 seq that the log's head must have, 0: no log yet
--       3 hash that the head must have, 16 bytes; empty for seq 0 only
--       4 seconds after which the whole log vanishes, and the hash of its players with it, 0: never
--       5 deadline, ms since 1970 UTC; 0 removes it, empty leaves it
--       6 listing: '+' and bytes sets it, '-' removes it, empty leaves it
--       7 'accept' when the records say that the loss is accepted, else empty
--       8.. event bytes, state hash (16 bytes), for each record
-- answer: the feed's position after it, from 1; or, when nothing was done, {seq, hash} of the head because it differs,
--         {seq, hash, last lost seq} because of a loss that is not accepted
-- errors: HAMLEARGS when the arguments are not as above; nothing was done
--
-- The log is written last: should a key of the shard be broken, the error comes before the log has changed.

local FEED_LENGTH = 4096

return function(keys, args)
  local seq, expire, deadline, listing = tonumber(args[2]), tonumber(args[4]), args[5], args[6]
  local last = #args
  if last < 9 or last % 2 ~= 1 or not seq or not expire or #args[3] ~= (seq == 0 and 0 or 16)
    or (deadline ~= '' and not tonumber(deadline)) or (args[7] ~= '' and args[7] ~= 'accept') then
    return redis.error_reply('HAMLEARGS malformed append')
  end
  for i = 9, last, 2 do
    if #args[i] ~= 16 then
      return redis.error_reply('HAMLEARGS a state hash has 16 bytes')
    end
  end

  local head = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1]
  local lost = redis.call('GET', keys[6])
  if lost and args[7] == '' then
    if head then
      return { tonumber(string.match(head[1], '^%d+')), head[2][4], tonumber(lost) }
    end
    return { 0, '', tonumber(lost) }
  end
  if head then
    if head[1] ~= args[2] .. '-0' or head[2][4] ~= args[3] then
      return { tonumber(string.match(head[1], '^%d+')), head[2][4] }
    end
  elseif seq ~= 0 then
    return { 0, '' }
  end

  local position = redis.call('INCR', keys[3])
  local new_seq = seq + (last - 7) / 2
  redis.call('XADD', keys[2], 'MAXLEN', '~', FEED_LENGTH, string.format('%d-0', position),
    'm', args[1], 's', string.format('%d', new_seq), 'h', args[last])

  if deadline == '0' then
    redis.call('ZREM', keys[4], args[1])
  elseif deadline ~= '' then
    redis.call('ZADD', keys[4], deadline, args[1])
  end

  if listing == '-' then
    redis.call('HDEL', keys[5], args[1])
  elseif listing ~= '' then
    redis.call('HSET', keys[5], args[1], string.sub(listing, 2))
  end

  if lost then
    redis.call('DEL', keys[6])
  end
  for i = 8, last, 2 do
    seq = seq + 1
    redis.call('XADD', keys[1], string.format('%d-0', seq), 'e', args[i], 'h', args[i + 1])
  end
  if expire > 0 then
    redis.call('EXPIRE', keys[1], expire)
    -- Who is behind its seats goes with it. Named here and not in keys: it is rare, and of the same slot.
    redis.call('EXPIRE', (string.gsub(keys[1], ':log$', ':players')), expire)
  elseif head then
    redis.call('PERSIST', keys[1])
  end
  return position
end
