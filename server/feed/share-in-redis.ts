import 'server-only'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import type { Redis } from 'ioredis'
import type { ListName } from './list-state'
import { parseSharedState, type Share, ShareUnavailableError, type Turn } from './share'

export type RedisShareOptions = {
  /** Fails at once while Redis is away: a turn asked for now must not be taken later. */
  commands: Redis
  subscriber: Redis
  /** A turn is renewed three times in this time while its instance lives, so that it outlasts any request. */
  turnMs: number
}

/** Personal data in Redis has a time to live; each good answer renews it. */
const KEPT_MS = 15 * 60_000
const CHANNEL = 'intag:news'
const LISTS: readonly ListName[] = ['asked-questions', 'declarations-of-interest', 'high-schools']
const MOST_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18

/** The share of several instances. Bodies are packed and unpacked off the event loop. */
export function createRedisShare({ commands, subscriber, turnMs }: RedisShareOptions): Share {
  const held: HeldTurns = new Map()
  return {
    async read(list) {
      const text = await reached(commands.hget(listKey(list), 'state'))
      return text === null ? null : parseSharedState(text)
    },
    async readWhole(list) {
      const [text, packed] = await reached(commands.hmgetBuffer(listKey(list), 'state', 'body'))
      const state = text ? parseSharedState(text.toString()) : null
      const body = packed ? await unpack(packed) : null
      return state && body && { state, body }
    },
    async takeTurn(list) {
      await held.get(list)?.release()
      const turn = newTurn(commands, held, list, turnMs)
      // Before it is asked for: its answer may be lost, and then it must be given back all the same.
      held.set(list, turn)
      const taken = await reached(commands.set(turnKey(list), turn.id, 'PX', turnMs, 'NX'))
      if (taken === 'OK') return turn
      await turn.release()
      return null
    },
    onNews(listener) {
      subscriber.on('message', (_channel, name) => {
        const list = LISTS.find((each) => each === name)
        if (list) listener(list)
      })
      // What was told while the connection was away went unheard.
      commands.on('ready', () => LISTS.forEach(listener))
      subscriber.subscribe(CHANNEL).catch(() => {})
    },
    close: async () => void (await Promise.all([...held.values()].map((turn) => turn.release()))),
  }
}

/** Turns that may still stand in Redis; one for each list, since an instance fetches a list once at a time. */
type HeldTurns = Map<ListName, Turn>

function newTurn(commands: Redis, held: HeldTurns, list: ListName, turnMs: number): Turn {
  const id = randomUUID()
  const renew = () => void commands.eval(RENEW, 1, turnKey(list), id, turnMs).catch(() => {})
  const renewal = setInterval(renew, turnMs / 3).unref()
  const ended = () => {
    clearInterval(renewal)
    if (held.get(list) === turn) held.delete(list)
  }
  const turn: Turn = {
    id,
    async tell(state, body) {
      const packed = body === null ? '' : await pack(body)
      const text = JSON.stringify({ ...state, id })
      const renews = state.problem === null ? 1 : 0
      const keys = [turnKey(list), listKey(list)]
      const told = commands.eval(TELL, keys.length, ...keys, id, text, packed, KEPT_MS, renews, CHANNEL, list)
      const isTold = (await reached(told)) === 1
      ended()
      return isTold
    },
    async release() {
      clearInterval(renewal)
      if (held.get(list) === turn) await commands.eval(RELEASE, 1, turnKey(list), id).then(ended, () => {})
    },
  }
  return turn
}

// Braces keep a list's keys together in a Redis Cluster.
const listKey = (list: ListName) => `intag:feed:{${list}}`
const turnKey = (list: ListName) => `intag:feed:{${list}}:turn`

const RENEW = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`
const RELEASE = `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`
/** Only in one's own turn, all at once: what is told, its time to live, the end of the turn, the message. */
const TELL = `
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

async function reached<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new ShareUnavailableError(/^[A-Z]+$/.test(code) ? code : 'no answer', { cause: error })
  }
}
