import type { Redis } from 'ioredis'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createRedisSeal } from '@/server/base/redis-seal'
import { withRedis } from './testing/private-redis'
import { keyId } from '@/server/base/seal'
import { createMemoryLists } from '@/server/feed/testing/memory-lists'
import { emptyListState } from './list-state'
import { createRedisLists, parsePublished, type SharedLists, ShareUnavailableError } from './shared-lists'
import { sharedListsSuite } from './shared-lists-suite'

const LEASE_MS = 360_000
const FIRST = 'asked-questions'

let store = createMemoryLists({ now: () => 0, leaseMs: LEASE_MS })
sharedListsSuite('memory', {
  async open(otherAheadMs) {
    store = createMemoryLists({ now: () => 0, leaseMs: LEASE_MS })
    return { one: store.connect(), other: store.connect(() => otherAheadMs ?? 0) }
  },
  expire: async () => store.expire(),
})

withRedis('what instances share', (connectRedis) => {
  let admin: Redis
  beforeAll(() => void (admin = connectRedis()))
  beforeEach(() => admin.flushall())

  const KEY = new Uint8Array(32).fill(7)
  const seal = createRedisSeal({ keys: { current: KEY, previous: null }, onForeign: () => {} })
  const connect = ({ aheadMs = 0, leaseMs = LEASE_MS, its = seal } = {}) => {
    const connections = { commands: connectRedis(), subscriber: connectRedis(), seal: its }
    return createRedisLists({ ...connections, now: () => Date.now() + aheadMs, leaseMs })
  }
  const LEASE_KEY = 'intag:{lists}:lease'
  const KEY_OF_SCHOOLS = 'intag:{lists}:high-schools'

  sharedListsSuite('Redis', {
    open: async (aheadMs = 0) => ({ one: connect(), other: connect({ aheadMs }) }),
    expire: async () => void (await admin.pexpire(LEASE_KEY, 0)),
  })

  const { content: _, ...nothing } = emptyListState()
  const good = { state: { ...nothing, version: 1, fetchedAt: 1 }, validators: {} }
  const bad = (detail = 'status 503') => ({
    state: { ...nothing, problem: { kind: 'unavailable' as const, detail, since: 1 } },
    validators: {},
  })
  const publish = async (
    lists: SharedLists,
    what: typeof good | ReturnType<typeof bad>,
    body: string,
    list = 'high-schools' as const,
  ) => {
    const { token } = await lists.lead()
    return lists.publish(list, token ?? 0, what, body === 'kept' ? body : Buffer.from(body))
  }

  test('what is published lasts a quarter of an hour after the last good answer', async () => {
    const lists = connect()
    await publish(lists, bad(), 'kept')
    expect(await admin.pttl(KEY_OF_SCHOOLS), 'of a failure, too').toBeGreaterThan(0)
    await publish(lists, good, '{"a":"Åsa"}')
    expect(await admin.pttl(KEY_OF_SCHOOLS)).toBeGreaterThan(14 * 60_000)
    await admin.pexpire(KEY_OF_SCHOOLS, 60_000)
    await publish(lists, bad(), 'kept')
    expect(await admin.pttl(KEY_OF_SCHOOLS)).toBeLessThanOrEqual(60_000)
    await lists.close()
    // Nothing else lingers but the number of the last lease.
    expect((await admin.keys('*')).toSorted()).toEqual([KEY_OF_SCHOOLS, 'intag:{lists}:token'])
  })

  test('a lease is renewed while its instance lives, however long a request takes, and ends with it', async () => {
    const lists = connect({ leaseMs: 300 })
    await lists.lead()
    await admin.pexpire(LEASE_KEY, 150)
    await expect.poll(() => admin.pttl(LEASE_KEY), { interval: 10 }).toBeGreaterThan(150)
    await lists.close()
    expect(await admin.exists(LEASE_KEY)).toBe(0)
  })

  test('a token is later than those before, though Redis forgets them and its clock goes back', async () => {
    const lists = connect()
    const { token } = await lists.lead()
    expect(Math.abs((token ?? 0) - Date.now())).toBeLessThan(10_000)
    await lists.close()
    await admin.set('intag:{lists}:token', String(Date.now() + 3_600_000))
    expect((await lists.lead()).token ?? 0).toBeGreaterThan(Date.now() + 3_500_000)
  })

  test('a body that cannot be unpacked is as good as none', async () => {
    const lists = connect()
    await publish(lists, good, '{}')
    await admin.hset(KEY_OF_SCHOOLS, 'body', await seal.bytes.encrypt(Buffer.from('no gzip'), `${KEY_OF_SCHOOLS} body`))
    expect((await lists.read('high-schools', 0))?.body).toBeNull()
    await admin.hset(KEY_OF_SCHOOLS, 'body', 'nor sealed')
    expect((await lists.read('high-schools', 0))?.body).toBeNull()
  })

  test('nothing of it is readable in Redis', async () => {
    const names = 'Åsa Öberg, 070-174 06 05'
    await publish(connect(), bad(names), names)
    const stored = await admin.hgetallBuffer(KEY_OF_SCHOOLS)
    expect(Object.keys(stored).toSorted()).toEqual(['body', 'state'])
    const { state = Buffer.alloc(0), body = Buffer.alloc(0) } = stored
    const inside = [state, body, Buffer.from(state.toString(), 'base64url'), Buffer.from(body.toString(), 'base64url')]
    expect(inside.map((bytes) => bytes.includes('berg') || bytes.includes('version'))).toEqual(inside.map(() => false))
    // Nor is what lies there a packed text that anybody unpacks.
    expect(body.includes(Buffer.from([0x1f, 0x8b, 0x08]))).toBe(false)
  })

  test('an instance with another key shares nothing and says so; with ours as the one before, it reads', async () => {
    const ours = connect()
    await publish(ours, good, 'ours')
    await ours.close()
    const foreign: string[] = []
    const other = new Uint8Array(32).fill(8)
    const open = (previous: Uint8Array | null) =>
      connect({ its: createRedisSeal({ keys: { current: other, previous }, onForeign: (name) => foreign.push(name) }) })
    expect(await open(null).read('high-schools', 0)).toBeNull()
    expect(new Set(foreign)).toEqual(new Set([keyId(KEY).toString('base64url')]))
    expect(Buffer.from((await open(KEY).read('high-schools', 0))?.body ?? []).toString()).toBe('ours')
    await publish(open(null), good, 'theirs')
    expect(await connect().read('high-schools', 0), 'nor do we read theirs').toBeNull()
  })

  test('without Redis every question is answered with an error that names no data', async () => {
    const gone = connectRedis()
    gone.disconnect()
    const parts = { commands: gone, subscriber: connectRedis(), seal, now: Date.now, leaseMs: LEASE_MS }
    const lists = createRedisLists(parts)
    await expect(lists.lead()).rejects.toThrow(ShareUnavailableError)
    await expect(lists.read(FIRST, 0)).rejects.toThrow('no answer')
  })
})

test('what another release wrote and this one does not understand is nothing', () => {
  expect(['', '{}', '{"id":1}', '[]'].map(parsePublished)).toEqual([null, null, null, null])
})
