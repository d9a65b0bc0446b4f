import { sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenDatabase } from '@/server/base/database'
import { feedLeader, sharedListParts, sharedLists } from '@/server/base/sharing-schema'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { onEachDatabase } from '@/server/base/testing/on-each-database'
import { createMemoryLists } from '@/server/feed/testing/memory-lists'
import { emptyListState } from './list-state'
import { createDatabaseLists, parsePublished, type SharedLists, ShareUnavailableError } from './shared-lists'
import { sharedListsSuite } from './shared-lists-suite'

const LEASE_MS = 360_000
const LIST = 'high-schools'
const KEY = new Uint8Array(32).fill(7)

let store = createMemoryLists({ now: () => 0, leaseMs: LEASE_MS })
sharedListsSuite('memory', {
  async open(otherAheadMs) {
    store = createMemoryLists({ now: () => 0, leaseMs: LEASE_MS })
    return { one: store.connect(), other: store.connect(() => otherAheadMs ?? 0) }
  },
  expire: async () => store.expire(),
})

onEachDatabase('what instances share', (name, open) => {
  let database: OpenDatabase
  let messages = createMemoryEvents()
  beforeAll(async () => void (database = await open()))
  afterAll(() => database.close())
  beforeEach(async () => {
    messages = createMemoryEvents()
    for (const table of [feedLeader, sharedLists, sharedListParts]) await database.db.delete(table)
  })
  const db = () => database.db
  const connect = ({ aheadMs = 0, leaseMs = LEASE_MS, key = KEY, previous = null as Uint8Array | null } = {}) =>
    createDatabaseLists({
      connect: async () => db(),
      events: messages.connect(),
      dataKeys: { current: key, previous },
      now: () => Date.now() + aheadMs,
      leaseMs,
    })

  sharedListsSuite(name, {
    open: async (aheadMs = 0) => ({ one: connect(), other: connect({ aheadMs }) }),
    expire: async () =>
      void (await db()
        .update(feedLeader)
        .set({ until: new Date(0) })),
  })

  const { content: _, ...nothing } = emptyListState()
  const good = { state: { ...nothing, version: 1, fetchedAt: 1 }, validators: {} }
  const problem = { kind: 'unavailable' as const, detail: 'Åsa Öberg, 070-174 06 05', since: 1 }
  const bad = { state: { ...nothing, problem }, validators: {} }
  const publish = async (lists: SharedLists, what: typeof good | typeof bad, body: Uint8Array | null) => {
    const { token } = await lists.lead()
    return lists.publish(LIST, token ?? 0, what, body)
  }

  test('what is published lasts a quarter of an hour after the last good answer', async () => {
    const lists = connect()
    await publish(lists, good, Buffer.from('{}'))
    const left = sql<number>`extract(epoch from expires_at - clock_timestamp())`.mapWith(Number)
    const leftSeconds = async () => (await db().select({ left }).from(sharedLists))[0]?.left ?? 0
    expect(await leftSeconds()).toBeGreaterThan(14 * 60)
    await db()
      .update(sharedLists)
      .set({ expiresAt: sql`clock_timestamp() + interval '1 minute'` })
    await publish(lists, bad, null)
    expect(await leftSeconds()).toBeLessThanOrEqual(60)
    await db()
      .update(sharedLists)
      .set({ expiresAt: new Date(0) })
    expect(await lists.read(LIST, 0)).toBeNull()
    expect(await publish(lists, bad, null)).toBe('without body')
    expect(await db().$count(sharedListParts)).toBe(0)
  })

  test('a lease is renewed while its instance lives, however long a request takes, and ends with it', async () => {
    const lists = connect({ leaseMs: 300 })
    await lists.lead()
    const until = async () => (await db().select().from(feedLeader))[0]?.until.getTime() ?? 0
    const first = await until()
    await expect.poll(until, { interval: 10 }).toBeGreaterThan(first)
    await lists.close()
    expect((await connect().lead()).token).not.toBeNull()
  })

  test('a large body goes in parts, between which other work runs, and replaces the one before', async () => {
    const lists = connect()
    const body = randomBytes(3 * 2 ** 20)
    await publish(lists, good, Buffer.from('{}'))
    const publishing = publish(lists, { ...good, state: { ...good.state, version: 2 } }, body)
    const others = { turns: 0, isDone: false }
    void publishing.then(() => (others.isDone = true))
    for (; !others.isDone; others.turns += 1) await setImmediate()
    expect(Buffer.from((await connect().read(LIST, 1))?.body ?? []).equals(body)).toBe(true)
    const count = await db().$count(sharedListParts)
    expect(count).toBeGreaterThan(5)
    expect(others.turns).toBeGreaterThan(count)
    expect(new Set((await db().select().from(sharedListParts)).map((part) => part.body)).size).toBe(1)
  })

  test('a part in another place or a missing one make it as good as none', async () => {
    const lists = connect()
    await publish(lists, good, randomBytes(2 ** 20 + 1))
    const isThere = async () => ((await lists.read(LIST, 0))?.body ?? null) !== null
    expect(await isThere()).toBe(true)
    await db().execute(sql`update shared_list_parts set part = part + 10 where part = 0`)
    expect(await isThere()).toBe(false)
    await db().execute(sql`update shared_list_parts set part = 0 where part = 10`)
    expect(await isThere()).toBe(true)
    await db().execute(sql`delete from shared_list_parts where part = 2`)
    expect(await isThere()).toBe(false)
  })

  test('nothing of it is readable in the database', async () => {
    const names = 'Åsa Öberg, 070-174 06 05'
    await publish(connect(), bad, Buffer.from(names))
    const [row] = await db().select().from(sharedLists)
    const [part] = await db().select().from(sharedListParts)
    const bytes = Buffer.from(part?.sealedBytes ?? [])
    const inside = [
      bytes,
      Buffer.from(row?.sealedState ?? ''),
      Buffer.from(row?.sealedState.split('.')[2] ?? '', 'base64url'),
    ]
    expect(inside.every(({ length }) => length > 0)).toBe(true)
    expect(inside.map((one) => one.includes('berg') || one.includes('fetchMs'))).toEqual([false, false, false])
    // Nor is what lies there a packed text that anybody unpacks.
    expect(bytes.includes(Buffer.from([0x1f, 0x8b, 0x08]))).toBe(false)
  })

  test('no table of it is in the write-ahead log', async () => {
    const unlogged = sql`(select relname from pg_class where relpersistence = 'u' and relkind = 'r') as unlogged`
    const rows = await db()
      .select({ name: sql<string>`relname` })
      .from(unlogged)
      .orderBy(sql`relname`)
    expect(rows.map(({ name: table }) => table)).toEqual(['feed_leader', 'shared_list_parts', 'shared_lists'])
  })

  test('with another key an instance reads nothing; with ours as the one before, it does', async () => {
    const ours = connect()
    await publish(ours, good, Buffer.from('ours'))
    const other = new Uint8Array(32).fill(8)
    expect(await connect({ key: other }).read(LIST, 0)).toBeNull()
    const rotated = connect({ key: other, previous: KEY })
    expect(Buffer.from((await rotated.read(LIST, 0))?.body ?? []).toString()).toBe('ours')
    await ours.close()
    await publish(rotated, good, Buffer.from('theirs'))
    expect(await connect().read(LIST, 0), 'nor do we read theirs').toBeNull()
  })
})

test('without the database every question is answered with an error that names no data', async () => {
  const away = async () => Promise.reject(Object.assign(new Error('connect 10.0.0.7'), { code: 'ECONNREFUSED' }))
  const events = createMemoryEvents().connect()
  const dataKeys = { current: KEY, previous: null }
  const lists = createDatabaseLists({ connect: away, events, dataKeys, now: Date.now, leaseMs: LEASE_MS })
  await expect(lists.lead()).rejects.toThrow(ShareUnavailableError)
  await expect(lists.read(LIST, 0)).rejects.toThrow(/^ECONNREFUSED$/)
})

test('what another release wrote and this one does not understand is nothing', () => {
  expect(['', '{}', '{"id":1}', '[]'].map(parsePublished)).toEqual([null, null, null, null])
})
