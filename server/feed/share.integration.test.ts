import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisSeal } from '@/server/db/redis-seal'
import { hasRedis, type PrivateRedis, startPrivateRedis } from '@/server/upstream/testing/private-redis'
import { keyId } from '@/server/seal'
import { parsePublished, ShareUnavailableError, createRedisShare } from './share'
import { createMemoryShare } from '@/server/feed/testing/memory-share'
import { shareSuite } from './share-suite'

const LOCK_MS = 360_000
const FIRST = 'asked-questions'

let now = 0
shareSuite('memory', {
  async open(otherAheadMs) {
    const { connect } = createMemoryShare({ now: () => now, lockMs: LOCK_MS })
    return { one: connect(), other: connect(otherAheadMs) }
  },
  async expire() {
    now += LOCK_MS
  },
})

describe.runIf(hasRedis)('with a Redis of its own', () => {
  let redis: PrivateRedis
  let admin: Redis
  beforeAll(async () => {
    redis = await startPrivateRedis()
    admin = redis.connect()
  })
  afterAll(() => redis.stop())

  const KEY = new Uint8Array(32).fill(7)
  const seal = createRedisSeal({ keys: { current: KEY, previous: null }, onForeign: () => {} })
  const connect = (aheadMs = 0) => {
    const connections = { commands: redis.connect(), subscriber: redis.connect(), seal }
    return createRedisShare({ ...connections, now: () => Date.now() + aheadMs, lockMs: LOCK_MS })
  }
  const lockKey = (list: string) => `intag:feed:{${list}}:turn`

  shareSuite('Redis', {
    async open(otherAheadMs) {
      await admin.flushall()
      return { one: connect(), other: connect(otherAheadMs) }
    },
    async expire(list) {
      await admin.pexpire(lockKey(list), 0)
    },
  })

  const snapshot = { version: 1, startedAt: 0, fetchedAt: 1, bytes: 9, validators: {} }
  const problem = { kind: 'unavailable', detail: 'status 503', retryAfterMs: null } as const

  test('what is published lasts a quarter of an hour after the last good answer', async () => {
    await admin.flushall()
    const share = connect()
    const lock = await share.lock('high-schools')
    await lock?.publish({ problem: null, snapshot }, Buffer.from('{"a":"Åsa"}'))
    const key = 'intag:feed:{high-schools}'
    expect(await admin.pttl(key)).toBeGreaterThan(14 * 60_000)
    await admin.pexpire(key, 60_000)
    await (await share.lock('high-schools'))?.publish({ problem, snapshot }, null)
    expect(await admin.pttl(key)).toBeLessThanOrEqual(60_000)
    expect(await admin.keys('*')).toEqual([key])
  })

  test('a lock is renewed while its instance lives, however long the request takes, and ends with it', async () => {
    await admin.flushall()
    const lockMs = 300
    const share = createRedisShare({
      commands: redis.connect(),
      subscriber: redis.connect(),
      seal,
      now: Date.now,
      lockMs,
    })
    const lock = await share.lock('high-schools')
    await admin.pexpire(lockKey('high-schools'), lockMs / 2)
    await expect.poll(() => admin.pttl(lockKey('high-schools')), { interval: 10 }).toBeGreaterThan(lockMs / 2)
    await lock?.release()
    expect(await admin.exists(lockKey('high-schools'))).toBe(0)
  })

  test('a failure published to an empty share has a time to live too', async () => {
    await admin.flushall()
    await (await connect().lock('high-schools'))?.publish({ problem, snapshot: null }, null)
    expect(await admin.pttl('intag:feed:{high-schools}')).toBeGreaterThan(0)
  })

  test('a body that cannot be unpacked is as good as none', async () => {
    await admin.flushall()
    const share = connect()
    await (await share.lock('high-schools'))?.publish({ problem: null, snapshot }, Buffer.from('{}'))
    const key = 'intag:feed:{high-schools}'
    await admin.hset(key, 'body', await seal.bytes.close(Buffer.from('no gzip'), `${key} body`))
    expect(await share.readWhole('high-schools')).toBeNull()
    await admin.hset(key, 'body', 'nor sealed')
    expect(await share.readWhole('high-schools')).toBeNull()
  })

  test('whoever reads Redis reads nothing of it', async () => {
    await admin.flushall()
    const names = 'Åsa Öberg, 070-174 06 05'
    const lock = await connect().lock('high-schools')
    await lock?.publish({ problem: { ...problem, detail: names }, snapshot }, Buffer.from(names))
    const stored = await admin.hgetallBuffer('intag:feed:{high-schools}')
    expect(Object.keys(stored).toSorted()).toEqual(['body', 'state'])
    const { state = Buffer.alloc(0), body = Buffer.alloc(0) } = stored
    const inside = [state, body, Buffer.from(state.toString(), 'base64url'), Buffer.from(body.toString(), 'base64url')]
    expect(inside.map((bytes) => bytes.includes('berg') || bytes.includes('version'))).toEqual(inside.map(() => false))
    // Nor is what lies there a packed text that anybody unpacks.
    expect(body.includes(Buffer.from([0x1f, 0x8b, 0x08]))).toBe(false)
  })

  test('an instance with another key shares nothing and says so; with ours as the one before, it reads', async () => {
    await admin.flushall()
    await (await connect().lock(FIRST))?.publish({ problem: null, snapshot }, Buffer.from('ours'))
    const foreign: string[] = []
    const other = new Uint8Array(32).fill(8)
    const open = (previous: Uint8Array | null) => {
      const keys = { current: other, previous }
      const its = createRedisSeal({ keys, onForeign: (name) => foreign.push(name) })
      return createRedisShare({
        commands: redis.connect(),
        subscriber: redis.connect(),
        seal: its,
        now: Date.now,
        lockMs: 300,
      })
    }
    expect([await open(null).read(FIRST), await open(null).readWhole(FIRST)]).toEqual([null, null])
    expect(new Set(foreign)).toEqual(new Set([keyId(KEY).toString('base64url')]))
    expect((await open(KEY).readWhole(FIRST))?.body.toString()).toBe('ours')
    await (await open(null).lock(FIRST))?.publish({ problem: null, snapshot }, Buffer.from('theirs'))
    expect(await connect().readWhole(FIRST), 'nor do we read theirs').toBeNull()
  })

  test('without Redis every question is answered with an error that names no data', async () => {
    const gone = redis.connect()
    gone.disconnect()
    const share = createRedisShare({
      commands: gone,
      subscriber: redis.connect(),
      seal,
      now: Date.now,
      lockMs: LOCK_MS,
    })
    await expect(share.lock('high-schools')).rejects.toThrow(ShareUnavailableError)
    await expect(share.read('high-schools')).rejects.toThrow('no answer')
  })
})

test('what another release wrote and this one does not understand is nothing', () => {
  expect(['', '{}', '{"id":1}', '[]'].map(parsePublished)).toEqual([null, null, null, null])
})

test.skipIf(hasRedis)('no redis-server on this machine: the share in Redis is not tested here', () => {
  expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
})
