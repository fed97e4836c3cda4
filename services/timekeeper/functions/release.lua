-- Ends the lease of a shard's deadlines before its time, so that the next who claims it has it at once.
--
-- keys: 1 lease (hash: holder, fence, until)
-- args: 1 holder
-- answer: 1 when the lease is over; 0 when it is not that holder's, and then nothing was done

return function(keys, args)
  if redis.call('HGET', keys[1], 'holder') ~= args[1] then
    return 0
  end
  redis.call('HSET', keys[1], 'until', 0)
  return 1
end
