-- Ends all tokens of an account that were signed before.
--
-- keys: 1 epochs (hash)  2 revocations (stream)
-- args: 1 account id  2 milliseconds for which revocations are kept
-- answer: the account's new epoch, from 1
--
-- The stream tells the gateways; the hash only counts. What is older than any living token may leave the stream.

return function(keys, args)
  local time = redis.call('TIME')
  local oldest = string.format('%.0f', time[1] * 1000 - args[2])
  local epoch = redis.call('HINCRBY', keys[1], args[1], 1)
  redis.call('XADD', keys[2], 'MINID', '~', oldest, '*', 'account', args[1], 'epoch', epoch)
  return epoch
end
