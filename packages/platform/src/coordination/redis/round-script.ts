import { heldSlots } from '@portcullis/core/budget/account';

/** An account outlives its month. */
const ttlSeconds = 40 * 86_400;

/**
 * `takeToken` of core in Redis' language, but for the rendering of the answer: takes a token if there is one and
 * answers how far from full the bucket was found, in microseconds. The key goes when the bucket is full again,
 * with a second to spare for rounding.
 */
const take = `
function answer.take(keys, words)
  local burst, interval = tonumber(words[3]), tonumber(words[4])
  local fullAt = tonumber(redis.call('GET', keys[1]) or 0)
  local missing = math.min(math.max(fullAt - now, 0), burst)
  local left = missing
  if missing + interval <= burst then left = missing + interval end
  redis.call('SET', keys[1], whole(now + left), 'PX', math.ceil(left / 1000) + 1000)
  return whole(missing)
end
`;

/**
 * `readBalance` and `hold` of core, over all accounts at once: answers whether the amount is held, and of each
 * account what was spent and held before. An account is a hash of what was spent and of one field for each slot
 * with holds. What is read later than `latest`, by Redis' clock, holds nothing: nobody waits for it any more, and a
 * connection that was dropped cannot tell.
 */
const reserve = `
function answer.reserve(keys, words)
  local slot, amount, latest = words[3], tonumber(words[4]), tonumber(words[5])
  if latest > 0 and math.floor(clock / 1000) > latest then return '-1' end
  local said, admitted = {}, '1'
  for at, key in ipairs(keys) do
    local limit, known = tonumber(words[4 + 2 * at]), tonumber(words[5 + 2 * at])
    local account = open(key)
    if known > account.spent then
      account.spent, changed[key] = known, account
    end
    if account.spent + account.held >= limit then admitted = '0' end
    said[at] = whole(account.spent) .. ' ' .. whole(account.held)
  end
  if admitted == '1' then
    for _, key in ipairs(keys) do hold(key, slot, amount) end
  end
  return admitted .. ' ' .. table.concat(said, ' ')
end
`;

/** `settleHold` of core, in all accounts: answers what each has spent. */
const settle = `
function answer.settle(keys, words)
  local slot, amount, spent = words[3], tonumber(words[4]), tonumber(words[5])
  local said = {}
  for at, key in ipairs(keys) do
    local account = open(key)
    account.spent, changed[key] = account.spent + spent, account
    hold(key, slot, -math.min(amount, account.slots[slot] or 0))
    said[at] = whole(account.spent)
  end
  return table.concat(said, ' ')
end
`;

/**
 * Answers the questions of a round one after the other, as if each were a command of its own; an account is read
 * with the first that asks for it and written once. One that fails leaves the others alone: its answer is what
 * went wrong behind an exclamation mark. Questions and answers are parted by semicolons, their words by spaces.
 * ARGV: the questions, the time in microseconds (Redis' own if below 0, so that the clocks of the gateways
 * need not agree; tests pass theirs), and the oldest slot whose holds count.
 */
export const roundLua = `
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local now, oldest = tonumber(ARGV[2]), tonumber(ARGV[3])
if now < 0 then now = clock end
local answer, accounts, changed = {}, {}, {}

local function whole(number) return string.format('%.0f', number) end

local function open(key)
  if accounts[key] then return accounts[key] end
  local account = {spent = 0, held = 0, slots = {}}
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local name, value = fields[at], tonumber(fields[at + 1])
    if name == 'spent' then account.spent = value
    elseif tonumber(name) < oldest then redis.call('HDEL', key, name)
    else account.slots[name], account.held = value, account.held + value end
  end
  accounts[key] = account
  return account
end

local function hold(key, slot, amount)
  local account = open(key)
  if amount == 0 and not account.slots[slot] then return end
  account.slots[slot] = (account.slots[slot] or 0) + amount
  account.held, changed[key] = account.held + amount, account
end
${take}${reserve}${settle}
local answers, firstKey = {}, 1
for question in string.gmatch(ARGV[1], '[^;]+') do
  local words, keys = {}, {}
  for word in string.gmatch(question, '%S+') do words[#words + 1] = word end
  for at = 1, tonumber(words[2]) do keys[at] = KEYS[firstKey + at - 1] end
  firstKey = firstKey + #keys
  local passed, said = pcall(answer[words[1]], keys, words)
  if not passed then
    said = '!' .. string.gsub(type(said) == 'table' and said.err or tostring(said), ';', ',')
  end
  answers[#answers + 1] = said
end

for key, account in pairs(changed) do
  local fields = {'spent', whole(account.spent)}
  for slot, amount in pairs(account.slots) do
    fields[#fields + 1] = slot
    fields[#fields + 1] = whole(amount)
  end
  redis.call('HSET', key, unpack(fields))
  redis.call('EXPIRE', key, ${ttlSeconds})
end
return table.concat(answers, ';')
`;

export const oldestHeldSlot = (slot: number): number => slot - heldSlots + 1;
