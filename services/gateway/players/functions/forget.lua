-- Removes an account from a match's players; its handle stays in the log and leads nowhere.
--
-- keys: 1 players (hash)
-- args: 1 account id
-- answer: 1 when it was there, else 0

return function(keys, args)
  local mine = 'a:' .. args[1]
  local handle = redis.call('HGET', keys[1], mine)
  if not handle then
    return 0
  end
  redis.call('HDEL', keys[1], mine, 'h:' .. handle)
  return 1
end
