-- Notes that a pairing's match has been created, so that it is not created again.
--
-- keys: 1 pairings (hash)
-- args: 1 pairing id
-- answer: 1, or 0 when there is no such pairing any more

return function(keys, args)
  local known = redis.call('HGET', keys[1], args[1])
  if not known then
    return 0
  end
  local pairing = cjson.decode(known)
  pairing.made = true
  redis.call('HSET', keys[1], args[1], cjson.encode(pairing))
  return 1
end
