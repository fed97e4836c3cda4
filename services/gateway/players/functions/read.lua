-- Reads who is behind a match's handles, and lets the players live as long as the match.
--
-- keys: 1 players (hash)  2 log (stream)
-- args: 1 seconds for which the players outlive a match that was cancelled
-- answer: {1 when the players stay for ever and 0 when they expire, {field, value, ...}}
--
-- Only the log of a match that was cancelled expires. A log that is not here, archived or not yet written, leaves the
-- players as they are.

return function(keys, args)
  local mine, log = redis.call('PTTL', keys[1]), redis.call('PTTL', keys[2])
  if log == -1 and mine >= 0 then
    redis.call('PERSIST', keys[1])
    mine = -1
  elseif log >= 0 and mine ~= -2 and mine < log then
    redis.call('PEXPIRE', keys[1], log + args[1] * 1000)
    mine = 0
  end
  return { mine == -1 and 1 or 0, redis.call('HGETALL', keys[1]) }
end
