import { heldSlots } from '@portcullis/core/budget/account';
import { windowSlotUs, windowUs } from '@portcullis/core/rate-limit/rolling-window';

/** An account outlives its month. */
const ttlSeconds = 40 * 86_400;

/**
 * `takeToken` of core in Redis' language, but for the rendering of the answer: takes a token if there is one and
 * answers how far from full the bucket was found, in microseconds. The key goes when the bucket is full again,
 * with a second to spare for rounding. Words: how far from full an empty bucket is, and how far one token.
 */
const take = `
function answer.take(first, last, at)
  local key, burst, interval = KEYS[first], words[at], words[at + 1]
  local fullAt = tonumber(call('GET', key) or 0)
  local missing = math.min(math.max(fullAt - now, 0), burst)
  local left = missing
  if missing + interval <= burst then left = missing + interval end
  call('SET', key, whole(now + left), 'PX', math.ceil(left / 1000) + 1000)
  return whole(missing)
end
`;

/** `returnToken` of core: puts one token back. Word: how far one token is. */
const give = `
function answer.give(first, last, at)
  local key = KEYS[first]
  local left = tonumber(call('GET', key) or 0) - words[at] - now
  if left > 0 then call('SET', key, whole(now + left), 'PX', math.ceil(left / 1000) + 1000)
  else call('DEL', key) end
  return '0'
end
`;

/**
 * `RollingWindow` of core: a hash of how many calls came in each second, and when the latest of them did. Answers 0, or the
 * milliseconds until there is room. Word: the limit.
 */
const count = `
function answer.count(first, last, at)
  local key, limit = KEYS[first], words[at]
  local slot = math.floor(now / ${windowSlotUs})
  local total, oldest, leaves, own = 0, nil, now, 0
  local fields = call('HGETALL', key)
  for at = 1, #fields, 2 do
    local each = tonumber(fields[at])
    local calls, latest = string.match(fields[at + 1], '^(%d+):(%d+)$')
    calls, latest = tonumber(calls or fields[at + 1]), tonumber(latest or (each + 1) * ${windowSlotUs})
    if latest + ${windowUs} <= now then call('HDEL', key, fields[at])
    else
      total = total + calls
      if each == slot then own = calls end
      if not oldest or each < oldest then oldest, leaves = each, latest end
    end
  end
  if total >= limit then return whole(math.ceil((leaves + ${windowUs} - now) / 1000)) end
  call('HSET', key, whole(slot), whole(own + 1) .. ':' .. whole(now))
  call('PEXPIRE', key, ${windowUs / 1_000 + 1_000})
  return '0'
end
`;

/**
 * `readBalance` and `hold` of core, over all accounts at once: answers whether the amount is held, and of each
 * account what was spent and held before. An account is a hash of what was spent and of one field for each slot
 * with holds. What is read later than `latest`, by Redis' clock, holds nothing: no caller waits for it any more, and a
 * connection that was dropped cannot tell. Words: slot, amount, `latest`, and of each account its limit and what is
 * known to be spent.
 */
const reserve = `
function answer.reserve(first, last, at)
  local slot, amount, latest = words[at], words[at + 1], words[at + 2]
  if latest > 0 and math.floor(clock / 1000) > latest then return '-1' end
  local admitted, said = '1', ''
  for index = first, last do
    local account = open(KEYS[index])
    local limit, known = words[at + 3 + 2 * (index - first)], words[at + 4 + 2 * (index - first)]
    if known > account.spent then account.spent, account.changed = known, true end
    if account.spent + account.held >= limit then admitted = '0' end
    said = said .. string.format(' %.0f %.0f', account.spent, account.held)
  end
  if admitted == '1' then
    for index = first, last do hold(open(KEYS[index]), slot, amount) end
  end
  return admitted .. said
end
`;

/** `settleHold` of core, in all accounts: answers what each has spent. Words: slot, amount and what was spent. */
const settle = `
function answer.settle(first, last, at)
  local slot, amount, spent = words[at], words[at + 1], words[at + 2]
  local said = {}
  for index = first, last do
    local account = open(KEYS[index])
    account.spent, account.changed = account.spent + spent, true
    hold(account, slot, -math.min(amount, account.slots[slot] or 0))
    said[#said + 1] = whole(account.spent)
  end
  return table.concat(said, ' ')
end
`;

/**
 * Answers the questions of a round one after the other, as if each were a command of its own; an account is read
 * with the first that asks for it and written once. One that fails leaves the others alone: its answer is what
 * went wrong behind an exclamation mark. Answers are parted by semicolons, their numbers by spaces.
 * ARGV: the questions as one JSON array of kind, number of keys, number of words and words; the time in microseconds
 * (Redis' own if below 0, so that the clocks of the gateways need not agree; tests pass theirs); and the oldest slot
 * whose holds count.
 */
export const batchLua = `
local call = redis.call
local time = call('TIME')
local clock = time[1] * 1000000 + time[2]
local words, now, oldest = cjson.decode(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if now < 0 then now = clock end
local answer, accounts = {}, {}

local function whole(number) return string.format('%.0f', number) end

local function open(key)
  if accounts[key] then return accounts[key] end
  local account = {spent = 0, held = 0, slots = {}, changed = false}
  local fields = call('HGETALL', key)
  for at = 1, #fields, 2 do
    local slot, value = tonumber(fields[at]), tonumber(fields[at + 1])
    if not slot then account.spent = value
    elseif slot < oldest then call('HDEL', key, fields[at])
    else account.slots[slot], account.held = value, account.held + value end
  end
  accounts[key] = account
  return account
end

local function hold(account, slot, amount)
  if amount == 0 and not account.slots[slot] then return end
  account.slots[slot] = (account.slots[slot] or 0) + amount
  account.held, account.changed = account.held + amount, true
end
${take}${give}${count}${reserve}${settle}
local answers, first, at = {}, 1, 1
while words[at] do
  local last = first + words[at + 1] - 1
  local passed, said = pcall(answer[words[at]], first, last, at + 3)
  if not passed then
    said = '!' .. string.gsub(type(said) == 'table' and said.err or tostring(said), ';', ',')
  end
  answers[#answers + 1] = said
  first, at = last + 1, at + 3 + words[at + 2]
end

for key, account in pairs(accounts) do
  if account.changed then
    local fields = {'spent', whole(account.spent)}
    for slot, amount in pairs(account.slots) do
      fields[#fields + 1] = whole(slot)
      fields[#fields + 1] = whole(amount)
    end
    call('HSET', key, unpack(fields))
    call('EXPIRE', key, ${ttlSeconds})
  end
end
return table.concat(answers, ';')
`;

export const oldestHeldSlot = (slot: number): number => slot - heldSlots + 1;
