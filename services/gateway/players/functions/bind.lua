-- Gives an account its handle in a match: the one that it has, or the new one.
--
-- keys: 1 players (hash)  2 log (stream)
-- args: 1 account id  2 the new handle  3 name shown to others  4 the match's game
--       5 seconds after which the players are forgotten if the match never comes into being
-- answer: {the account's handle, the match's game}
--
-- The game is written once, with the first account: another game in the answer means another match was meant.

return function(keys, args)
  local new = redis.call('EXISTS', keys[1]) == 0
  local mine = 'a:' .. args[1]
  local handle = redis.call('HGET', keys[1], mine)
  if not handle then
    handle = args[2]
    redis.call('HSET', keys[1], mine, handle, 'h:' .. handle, args[1] .. '\n' .. args[3])
  end
  redis.call('HSETNX', keys[1], 'game', args[4])
  if new and redis.call('EXISTS', keys[2]) == 0 then
    redis.call('EXPIRE', keys[1], args[5])
  end
  return { handle, redis.call('HGET', keys[1], 'game') }
end
