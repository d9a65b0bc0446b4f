import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { type Connect, inParts } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import {
  type BudgetStore,
  changeOf,
  HOUR_MS,
  isRequest,
  type LogChange,
  mergedRequests,
  type StoredLog,
  type StoredRequest,
} from './request-log'

const ROWS_PER_STATEMENT = 5_000
const stored = upstreamRequests
/** In one value: PGlite takes four times as long to hand over a thousand rows one by one. */
const ALL_ROWS = sql`json_agg(json_build_array(${stored.id}, ${stored.purpose}, ${stored.sentAt}, ${stored.finishedAt}))`
const rowsSchema = z.array(z.tuple([z.number(), z.string(), z.number(), z.number().nullable()])).nullish()

/** `isAlone` when only one process at a time can open it. The lock makes reading and writing one step. */
export function createDatabaseBudgetStore(connect: Connect, { isAlone = false } = {}): BudgetStore {
  return {
    async update(change) {
      const db = await connect()
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${upstreamRequests} in share row exclusive mode`)
        const [answer] = await tx.select({ rows: ALL_ROWS }).from(upstreamRequests)
        const { write, remove } = change({ requests: requestsOf(answer?.rows), isAlone })
        for (const values of inParts(write, ROWS_PER_STATEMENT)) {
          await tx
            .insert(upstreamRequests)
            .overridingSystemValue()
            .values(values)
            .onConflictDoUpdate({
              target: upstreamRequests.id,
              set: { sentAt: sql`excluded.sent_at`, finishedAt: sql`excluded.finished_at` },
            })
        }
        for (const ids of inParts(remove, ROWS_PER_STATEMENT))
          await tx.delete(upstreamRequests).where(inArray(upstreamRequests.id, ids))
      })
    },
  }
}

function requestsOf(rows: unknown): StoredRequest[] {
  const known = rowsSchema.parse(rows) ?? []
  return known.map((row) => ({ id: row[0], purpose: purposeOf(row[1]), sentAt: row[2], finishedAt: row[3] }))
}

const KEY = 'intag:upstream-requests'
const KEPT_MS = 2 * HOUR_MS + HOUR_MS / 2
const MAX_TRIES = 50

/** For several instances. The clock is Redis's own, so theirs need not agree. */
export function createRedisBudgetStore(redis: Pick<Redis, 'eval'>, key = KEY): BudgetStore {
  return {
    async update(change) {
      let reply = await redis.eval(SCRIPT, 1, key, '', KEPT_MS, 0)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
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

/** Writes if the log is still at the version the caller read, else answers what it is now. */
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

function purposeOf(text: string): StoredRequest['purpose'] {
  return text === 'lookup' || text === 'back-off' || text === 'clock' ? text : 'list'
}

type RecordedOptions = {
  live: BudgetStore
  record: BudgetStore
  logger: { warn(details: object, message: string): void }
}

/** `live` (Redis) decides; `record` outlives it and refills it. Rejects unless both are written. */
export function createRecordedBudgetStore({ live, record, logger }: RecordedOptions): BudgetStore {
  return {
    async update(change) {
      // Read first: a place that Redis gives while the database is away would be lost for an hour.
      const recorded = mergedRequests(await requestsIn(record))
      let all = recorded
      let forgotten = 0
      await live.update((log) => {
        all = mergedRequests(log.requests, recorded.values())
        applyChange(all, change({ ...log, requests: [...all.values()] }))
        forgotten =
          log.requests.length > 0 ? 0 : [...recorded.values()].filter(isRequest).filter(({ id }) => all.has(id)).length
        return changeOf(mergedRequests(log.requests), all)
      })
      if (forgotten > 0) logger.warn({ requests: forgotten }, FORGOTTEN)
      await record.update(() => changeOf(recorded, all))
    },
  }
}

const FORGOTTEN =
  'Redis has forgotten what was sent in the last hour, and has it again from the database: switch on appendonly there'

async function requestsIn(store: BudgetStore): Promise<StoredRequest[]> {
  let requests: StoredRequest[] = []
  await store.update((log) => {
    requests = log.requests
    return { write: [], remove: [] }
  })
  return requests
}

function applyChange(requests: Map<number, StoredRequest>, { write, remove }: LogChange): void {
  for (const request of write) requests.set(request.id, request)
  for (const id of remove) requests.delete(id)
}
