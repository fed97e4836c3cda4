-- Marks a match of which the store has forgotten acknowledged events, so that nobody plays over them unnoticed.
--
-- keys: 1 log (stream)  2 lost (string)
-- args: 1 seq of the log's head, as it was when the loss was found, from 1
--       2 its hash, 16 bytes
--       3 last seq that is known to have been acknowledged
-- answer: the last lost seq that anybody has reported; or, when the head is another one by now and nothing was done,
--         {seq, hash} of it: look again, the loss may have been accepted meanwhile

return function(keys, args)
  local head = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1]
  if not head then
    return { 0, '' }
  end
  if head[1] ~= args[1] .. '-0' or head[2][4] ~= args[2] then
    return { tonumber(string.match(head[1], '^%d+')), head[2][4] }
  end
  local last = math.max(tonumber(args[3]), tonumber(redis.call('GET', keys[2]) or 0))
  redis.call('SET', keys[2], string.format('%d', last))
  return last
end
