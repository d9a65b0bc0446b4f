import 'server-only'
import type { Redis } from 'ioredis'
import { HOUR_MS } from './budget-rules'
import { purposeOf, type BudgetStore, type StoredLog, type StoredRequest } from './budget-store'

const KEY = 'intag:upstream-requests'
const KEPT_MS = 2 * HOUR_MS + HOUR_MS / 2
const MOST_TRIES = 50

/** Shared by all instances; the clock is Redis's own, so that theirs need not agree. */
export function createRedisBudgetStore(redis: Pick<Redis, 'eval'>, key = KEY): BudgetStore {
  return {
    async update(change) {
      let reply = await redis.eval(SCRIPT, 1, key, '', KEPT_MS, 0)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { version, log } = readLog(reply)
        const { write, remove } = change(log)
        if (write.length + remove.length === 0) return
        reply = await redis.eval(SCRIPT, 1, key, version, KEPT_MS, write.length, ...write.flatMap(asField), ...remove)
        if (reply === 'written') return
      }
      throw new Error('The log of requests changed too often to write to it')
    },
  }
}

/**
 * Writes when the log is still at the version that the caller read, else answers what it is now. An unknown version
 * is thus a read. Every write moves the expiry of the whole log, so nothing lingers.
 */
const SCRIPT = `
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if ARGV[1] ~= version then
  local time = redis.call('TIME')
  return { version, time[1] * 1000 + math.floor(time[2] / 1000), redis.call('HGETALL', KEYS[1]) }
end
local lastWrite = 3 + 2 * ARGV[3]
for i = 4, lastWrite, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
for i = lastWrite + 1, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'written'
`

function asField({ id, purpose, sentAt, finishedAt }: StoredRequest): [number, string] {
  return [id, `${purpose} ${sentAt} ${finishedAt ?? ''}`]
}

function readLog(reply: unknown): { version: string; log: StoredLog } {
  if (!Array.isArray(reply) || !Array.isArray(reply[2])) throw new Error('Unexpected answer of the budget script')
  const fields: unknown[] = reply[2]
  const requests: StoredRequest[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    if (fields[i] !== 'version') requests.push(fromField(String(fields[i]), String(fields[i + 1])))
  }
  return { version: String(reply[0]), log: { nowMs: Number(reply[1]), requests } }
}

function fromField(id: string, text: string): StoredRequest {
  const [purpose = '', sentAt, finishedAt] = text.split(' ')
  return {
    id: Number(id),
    purpose: purposeOf(purpose),
    sentAt: Number(sentAt),
    finishedAt: finishedAt ? Number(finishedAt) : null,
  }
}
