import 'server-only'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import type { RedisSeal } from '@/server/base/redis-seal'
import { codeOf } from '@/server/base/errors'
import { parsedJson } from '@/server/base/parsed-json'
import { sharedStateSchema } from './list-state'

export type SharedLists = {
  /** Takes or renews the lease. `token` is null while another instance has it, for `freeInMs` unless renewed. */
  lead(): Promise<{ token: number; freeInMs: 0 } | { token: null; freeInMs: number }>
  token(): number | null
  /** Null after a while without publication; the body only when of a later version. */
  read(list: FeedList, version: number): Promise<Publication | null>
  /** `kept`: the stored body belongs to this state; `none`: it does not. Refused unless the token's lease holds. */
  publish(
    list: FeedList,
    token: number,
    publication: Pick<Publication, 'state' | 'validators'>,
    body: Uint8Array | 'kept' | 'none',
  ): Promise<'published' | 'without body' | 'refused'>
  announceWatched(): void
  /** After every `publish`, also of this instance, and when one may have been missed. Calls can get lost. */
  subscribe(listener: { published: (list: FeedList) => void; watched: () => void }): void
  close(): Promise<void>
}

export const singleInstanceLists: SharedLists = {
  lead: async () => ({ token: 1, freeInMs: 0 }),
  token: () => 1,
  read: async () => null,
  publish: async () => 'published',
  announceWatched: () => {},
  subscribe: () => {},
  close: async () => {},
}

/** `aheadMs`: the publisher's clock against Redis's. */
const publishedSchema = z.object({
  id: z.string(),
  aheadMs: z.number(),
  validators: z.object({
    etag: z.string().exactOptional(),
    lastModified: z.string().exactOptional(),
    wholeAt: z.number().exactOptional(),
  }),
  state: sharedStateSchema,
})
type Published = z.infer<typeof publishedSchema>
export type Publication = Omit<Published, 'aheadMs'> & { body: Uint8Array | null }

/** Clocks that agree this well are one, so that all instances say the same moments. */
const SAME_CLOCK_MS = 250

/** By the reader's clock: those of instances may be minutes apart. */
export function inLocalTime({ aheadMs: theirAheadMs, ...published }: Published, aheadMs: number) {
  const shift = aheadMs - theirAheadMs
  if (Math.abs(shift) < SAME_CLOCK_MS) return published
  const { fetchedAt, nextAt, problem } = published.state
  const { wholeAt } = published.validators
  const state = {
    ...published.state,
    fetchedAt: fetchedAt && fetchedAt + shift,
    nextAt: nextAt && nextAt + shift,
    problem: problem && { ...problem, since: problem.since + shift },
  }
  const validators = { ...published.validators, ...(wholeAt !== undefined && { wholeAt: wholeAt + shift }) }
  return { ...published, state, validators }
}

/** Null for what another release wrote and this one does not understand. */
export function parsePublished(text: string): Published | null {
  return publishedSchema.safeParse(parsedJson(text)).data ?? null
}

/** The message is safe to log. */
export class ShareUnavailableError extends Error {
  override readonly name = 'ShareUnavailableError'
}

type RedisListsOptions = {
  commands: Redis
  subscriber: Redis
  seal: RedisSeal
  now: () => number
  leaseMs: number
}

/** Each good answer renews the personal data in Redis. */
export const TTL_MS = 15 * 60_000
const CHANNEL = 'intag:lists'
const WATCHED = 'watched'
const MAX_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18

/** Bodies are packed off the event loop and sealed in pieces. What has another key counts as absent. */
export function createRedisLists(options: RedisListsOptions): SharedLists {
  const { commands, subscriber, seal } = options
  const lease = redisLease(options)

  async function read(list: FeedList, version: number): Promise<Publication | null> {
    const aheadMs = await aheadOfRedis(options)
    const stateOf = (sealed: string | null | undefined) => {
      const text = sealed ? seal.texts.decrypt(sealed, statePlace(list)) : null
      const published = text === null ? null : parsePublished(text)
      return published && inLocalTime(published, aheadMs)
    }
    const stored = stateOf(await orThrowUnavailable(commands.hget(listKey(list), 'state')))
    if (stored === null || stored.state.version <= version) return stored && { ...stored, body: null }
    const [state, body] = await orThrowUnavailable(commands.hmgetBuffer(listKey(list), 'state', 'body'))
    const published = stateOf(state?.toString())
    const packed = published && body ? await seal.bytes.decrypt(body, bodyPlace(list)) : null
    return published && { ...published, body: packed && (await unpack(packed)) }
  }

  return {
    ...lease,
    read,
    async publish(list, token, publication, body) {
      const packed = typeof body === 'string' ? body : await seal.bytes.encrypt(await pack(body), bodyPlace(list))
      const published = { ...publication, id: randomUUID(), aheadMs: await aheadOfRedis(options) } satisfies Published
      const text = seal.texts.encrypt(JSON.stringify(published), statePlace(list))
      const isGood = publication.state.problem === null ? 1 : 0
      const keys = [LEASE_KEY, listKey(list)]
      const reply = commands.eval(PUBLISH, keys.length, ...keys, token, text, packed, TTL_MS, isGood, CHANNEL, list)
      const answer = await orThrowUnavailable(reply)
      return answer === 'refused' || answer === 'without body' ? answer : 'published'
    },
    announceWatched: () => void commands.publish(CHANNEL, WATCHED).catch(() => {}),
    subscribe({ published, watched }) {
      subscriber.on('message', (_channel, name) => {
        const list = FEED_LISTS.find((each) => each === name)
        if (list) published(list)
        else if (name === WATCHED) watched()
      })
      // Messages sent while the connection was down are lost.
      commands.on('ready', () => FEED_LISTS.forEach(published))
      subscriber.subscribe(CHANNEL).catch(() => {})
    },
  }
}

function redisLease({ commands, leaseMs }: RedisListsOptions): Pick<SharedLists, 'lead' | 'token' | 'close'> {
  const instance = randomUUID()
  let token: number | null = null
  let renewal: NodeJS.Timeout | undefined

  async function lead() {
    const reply = await orThrowUnavailable(commands.eval(LEAD, 2, LEASE_KEY, TOKEN_KEY, instance, leaseMs))
    const [granted = 0, freeInMs = leaseMs] = Array.isArray(reply) ? reply.map(Number) : []
    token = granted > 0 ? granted : null
    clearInterval(renewal)
    if (token === null) return { token, freeInMs }
    renewal = setInterval(() => void lead().catch(() => {}), leaseMs / 3).unref()
    return { token, freeInMs: 0 as const }
  }

  return {
    lead,
    token: () => token,
    async close() {
      clearInterval(renewal)
      token = null
      await commands.eval(RELEASE, 1, LEASE_KEY, instance).catch(() => {})
    },
  }
}

async function aheadOfRedis({ commands, now }: RedisListsOptions): Promise<number> {
  const [seconds, micros] = await orThrowUnavailable(commands.time())
  return now() - Number(seconds) * 1_000 - Math.floor(Number(micros) / 1_000)
}

// Braces keep the keys together in a Redis Cluster.
const LEASE_KEY = 'intag:{lists}:lease'
const TOKEN_KEY = 'intag:{lists}:token'
const listKey = (list: FeedList) => `intag:{lists}:${list}`
const statePlace = (list: FeedList) => `${listKey(list)} state`
const bodyPlace = (list: FeedList) => `${listKey(list)} body`

/** A fencing token: the moment of the lease by Redis's clock, and always later than the one before. */
const LEAD = `
local token = redis.call('HGET', KEYS[1], ARGV[1])
if not token then
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then return { 0, left } end
  local time = redis.call('TIME')
  token = math.max(time[1] * 1000 + math.floor(time[2] / 1000), (redis.call('GET', KEYS[2]) or 0) + 1)
  token = string.format('%.0f', token)
  redis.call('SET', KEYS[2], token)
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], ARGV[1], token, 'token', token)
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { token, 0 }
`
const RELEASE = `return redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 and redis.call('DEL', KEYS[1]) or 0`
const PUBLISH = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 'refused' end
redis.call('HSET', KEYS[2], 'state', ARGV[2])
if ARGV[3] == 'none' then redis.call('HDEL', KEYS[2], 'body') end
if ARGV[3] ~= 'none' and ARGV[3] ~= 'kept' then redis.call('HSET', KEYS[2], 'body', ARGV[3]) end
if ARGV[5] == '1' or redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
redis.call('PUBLISH', ARGV[6], ARGV[7])
return redis.call('HEXISTS', KEYS[2], 'body') == 1 and 'published' or 'without body'
`

const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

function pack(body: Uint8Array): Promise<Buffer> {
  return gzipped(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
}

/** Null for what cannot be unpacked: it will be fetched again. */
function unpack(packed: Buffer): Promise<Buffer | null> {
  return gunzipped(packed, { chunkSize: CHUNK_BYTES, maxOutputLength: MAX_BYTES }).catch(() => null)
}

async function orThrowUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (error) {
    const code = codeOf(error)
    throw new ShareUnavailableError(/^[A-Z]+$/.test(code) ? code : 'no answer', { cause: error })
  }
}
