import 'server-only'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { problemKindSchema } from '@/lib/contract/feed-status'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import type { RedisSeal } from '@/server/db/redis-seal'

/** What several instances share of each list: the lock to fetch it, how the last fetch went, the last good body. */
export type Share = {
  /** Null when nobody has published anything for a while. */
  read(list: FeedList): Promise<SharedState | null>
  /** State and body as they belong together; null when there is no body. */
  readWhole(list: FeedList): Promise<SharedWhole | null>
  /**
   * The lock to fetch this list; null while another instance holds it. Asking again releases the one this instance may
   * still hold; one whose instance died expires.
   */
  lock(list: FeedList): Promise<Lock | null>
  /** Calls back after every `publish`, also of this instance, and when one may have been missed. Calls can get lost. */
  subscribe(listener: (list: FeedList) => void): void
  /** Releases the locks of this instance. */
  close(): Promise<void>
}

export type Lock = {
  /** No two locks have the same; what is published under a lock bears it. */
  id: string
  /** Also releases; `body` null keeps the one that is there. False, publishing nothing, when the lock had expired. */
  publish(state: Omit<SharedState, 'id'>, body: Uint8Array | null): Promise<boolean>
  /** Does nothing when the lock is no longer held. Never rejects. */
  release(): Promise<void>
}

const sharedProblemSchema = z.object({
  kind: problemKindSchema,
  detail: z.string(),
  retryAfterMs: z.number().nullable(),
  /** When, by the clock of whoever reads it; releases before do not say. */
  failedAt: z.number().exactOptional(),
  doubt: z
    .object({ before: z.int(), now: z.int(), digest: z.string(), answers: z.int(), lastedMs: z.number() })
    .optional(),
})
export type SharedProblem = z.infer<typeof sharedProblemSchema>

const sharedStateSchema = z.object({
  /** Of the lock under which it was published. */
  id: z.string(),
  /** Why the last fetch failed; null when it did not. Holds no personal data. */
  problem: sharedProblemSchema.nullable(),
  /** Of the last good answer; times are ms since the epoch, `bytes` those of its body (0: not modified). */
  snapshot: z
    .object({
      version: z.int(),
      startedAt: z.number(),
      fetchedAt: z.number(),
      bytes: z.int(),
      validators: z.object({ etag: z.string().exactOptional(), lastModified: z.string().exactOptional() }),
    })
    .nullable(),
})
export type SharedState = z.infer<typeof sharedStateSchema>
type SharedWhole = { state: SharedState; body: Uint8Array }

/** As it is published: by how much the publisher's clock was ahead of the share's own. */
const publishedSchema = sharedStateSchema.extend({ aheadMs: z.number().exactOptional() })
type Published = z.infer<typeof publishedSchema>

/** Clocks that agree so well are taken to be the same, so that all instances tell the same moments. */
const SAME_CLOCK_MS = 250

/** The state by the clock of a reader who is ahead of the share's by so much: instances' clocks may be minutes apart. */
export function byClockOf({ aheadMs: theirs, ...state }: Published, aheadMs: number): SharedState {
  const shift = aheadMs - (theirs ?? aheadMs)
  if (Math.abs(shift) < SAME_CLOCK_MS) return state
  const { problem, snapshot } = state
  const failedAt = problem?.failedAt
  return {
    ...state,
    problem: problem && { ...problem, ...(failedAt !== undefined && { failedAt: failedAt + shift }) },
    snapshot: snapshot && {
      ...snapshot,
      startedAt: snapshot.startedAt + shift,
      fetchedAt: snapshot.fetchedAt + shift,
    },
  }
}

/** Null for what another release of Intag wrote and this one does not understand. */
export function parsePublished(text: string): Published | null {
  try {
    return publishedSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The share cannot be reached; the message is safe to log. */
export class ShareUnavailableError extends Error {
  override readonly name = 'ShareUnavailableError'
}

type RedisShareOptions = {
  /** Fails at once while Redis is away: a lock asked for now must not be taken later. */
  commands: Redis
  subscriber: Redis
  seal: RedisSeal
  /** This instance's clock, ms. */
  now: () => number
  /** A lock is renewed three times in this time while its instance lives, so that it outlasts any request. */
  lockMs: number
}

/** Personal data in Redis has a time to live; each good answer renews it. */
export const TTL_MS = 15 * 60_000
const CHANNEL = 'intag:news'
const MOST_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18

/**
 * The share of several instances. Bodies are packed and unpacked off the event loop, and sealed in pieces. What was sealed
 * with a key that is not here is as good as not there.
 */
export function createRedisShare(options: RedisShareOptions): Share {
  const { commands, subscriber, seal, lockMs } = options
  const held: HeldLocks = new Map()
  const openState = (list: FeedList, sealed: string) => {
    const text = seal.texts.open(sealed, statePlace(list))
    return text === null ? null : parsePublished(text)
  }
  const openBody = async (list: FeedList, sealed: Uint8Array) => {
    const packed = await seal.bytes.open(sealed, bodyPlace(list))
    return packed && unpack(packed)
  }
  return {
    async read(list) {
      const [text, aheadMs] = await Promise.all([
        orUnavailable(commands.hget(listKey(list), 'state')),
        aheadOfRedis(options),
      ])
      const published = text === null ? null : openState(list, text)
      return published && byClockOf(published, aheadMs)
    },
    async readWhole(list) {
      const [[text, sealed], aheadMs] = await Promise.all([
        orUnavailable(commands.hmgetBuffer(listKey(list), 'state', 'body')),
        aheadOfRedis(options),
      ])
      const published = text ? openState(list, text.toString()) : null
      const body = published && sealed ? await openBody(list, sealed) : null
      return published && body && { state: byClockOf(published, aheadMs), body }
    },
    async lock(list) {
      await held.get(list)?.release()
      const lock = newLock(options, held, list)
      // Before it is asked for: its answer may be lost, and then it must be given back all the same.
      held.set(list, lock)
      const taken = await orUnavailable(commands.set(lockKey(list), lock.id, 'PX', lockMs, 'NX'))
      if (taken === 'OK') return lock
      await lock.release()
      return null
    },
    subscribe(listener) {
      subscriber.on('message', (_channel, name) => {
        const list = FEED_LISTS.find((each) => each === name)
        if (list) listener(list)
      })
      // What was published while the connection was away did not arrive.
      commands.on('ready', () => FEED_LISTS.forEach(listener))
      subscriber.subscribe(CHANNEL).catch(() => {})
    },
    close: async () => void (await Promise.all([...held.values()].map((lock) => lock.release()))),
  }
}

/** Locks that may still stand in Redis; one for each list, since an instance fetches a list once at a time. */
type HeldLocks = Map<FeedList, Lock>

function newLock(options: RedisShareOptions, held: HeldLocks, list: FeedList): Lock {
  const { commands, seal, lockMs } = options
  const id = randomUUID()
  const renew = () => void commands.eval(RENEW, 1, lockKey(list), id, lockMs).catch(() => {})
  const renewal = setInterval(renew, lockMs / 3).unref()
  const ended = () => {
    clearInterval(renewal)
    if (held.get(list) === lock) held.delete(list)
  }
  const lock: Lock = {
    id,
    async publish(state, body) {
      const packed = body === null ? '' : await seal.bytes.close(await pack(body), bodyPlace(list))
      const published: Published = { ...state, id, aheadMs: await aheadOfRedis(options) }
      const text = seal.texts.close(JSON.stringify(published), statePlace(list))
      const renews = state.problem === null ? 1 : 0
      const keys = [lockKey(list), listKey(list)]
      const reply = commands.eval(PUBLISH_LOCKED, keys.length, ...keys, id, text, packed, TTL_MS, renews, CHANNEL, list)
      const isPublished = (await orUnavailable(reply)) === 1
      ended()
      return isPublished
    },
    async release() {
      clearInterval(renewal)
      if (held.get(list) === lock) await commands.eval(RELEASE, 1, lockKey(list), id).then(ended, () => {})
    },
  }
  return lock
}

async function aheadOfRedis({ commands, now }: RedisShareOptions): Promise<number> {
  const [seconds, micros] = await orUnavailable(commands.time())
  return now() - Number(seconds) * 1_000 - Math.floor(Number(micros) / 1_000)
}

// Braces keep a list's keys together in a Redis Cluster.
const listKey = (list: FeedList) => `intag:feed:{${list}}`
const statePlace = (list: FeedList) => `${listKey(list)} state`
const bodyPlace = (list: FeedList) => `${listKey(list)} body`
/** Instances of other releases know the lock by this name. */
const lockKey = (list: FeedList) => `intag:feed:{${list}}:turn`

const RENEW = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`
const RELEASE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`
/** Only while the lock is held, all at once: what is published, its time to live, the release, the message. */
const PUBLISH_LOCKED = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'state', ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], 'body', ARGV[3]) end
if ARGV[5] == '1' or redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 1
`

const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

function pack(body: Uint8Array): Promise<Buffer> {
  return gzipped(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
}

/** Null for what cannot be unpacked: it is as good as not there, and will be fetched anew. */
function unpack(packed: Buffer): Promise<Buffer | null> {
  return gunzipped(packed, { chunkSize: CHUNK_BYTES, maxOutputLength: MOST_BYTES }).catch(() => null)
}

async function orUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new ShareUnavailableError(/^[A-Z]+$/.test(code) ? code : 'no answer', { cause: error })
  }
}
