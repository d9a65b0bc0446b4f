import { type SQL, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DatabaseHandle } from '@/server/base/database'
import { feedLeader, sharedListParts, sharedLists } from '@/server/base/sharing-schema'
import { createSeal, type DataKeys } from '@/server/base/seal'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { onEachDatabase } from '@/server/base/testing/on-each-database'
import { createMemoryLists } from '@/server/feed/testing/memory-lists'
import { createEmptyListState } from './list-state'
import { createDatabaseLists, type Publication, type SharedLists } from './shared-lists'

const LEASE_MS = 360_000
const LIST = 'asked-questions'
const KEY = new Uint8Array(32).fill(7)
const NAMES = 'Åsa Öberg, 070-174 06 05'
const body = Buffer.from('{"askedQuestions":[{"id":"å"}]}')

const { content: _, ...nothing } = createEmptyListState()
const good = (version: number): Publication => ({
  state: { ...nothing, version, fetchedAt: 1_200, nextAt: 9_000, fetchMs: 200 },
  validators: { etag: '"a"' },
})
const bad = ({ state, validators }: Publication): Publication => ({
  state: { ...state, problem: { kind: 'unavailable', detail: NAMES, since: 4_000 }, failures: 1 },
  validators,
})

async function leadWith(lists: SharedLists): Promise<number> {
  const fencingToken = await lists.acquireLease()
  if (fencingToken === null) throw new Error('Another instance leads')
  return fencingToken
}

async function publish(lists: SharedLists, what: Publication, bytes: Uint8Array | null) {
  const published = await lists.publish(LIST, await leadWith(lists), what, bytes)
  await lists.close()
  return published
}

async function readBody(lists: SharedLists): Promise<Buffer | null> {
  const published = await lists.read(LIST, 0)
  return published?.body ? Buffer.from(published.body) : null
}

type Store = { one: SharedLists; other: SharedLists; expire: () => Promise<unknown> }

/** `open` connects two instances to the same empty store. */
function sharedListsSuite(name: string, open: () => Store): void {
  describe(`the lists shared in ${name}`, () => {
    let { one, other, expire } = open()
    beforeEach(() => void ({ one, other, expire } = open()))

    test('hand state and body to the others, every byte of them, and the body only where it is new', async () => {
      expect(await other.read(LIST, 0)).toBeNull()
      expect(await publish(one, good(7), body)).toBe('published')
      const read = await other.read(LIST, 6)
      expect(read).toMatchObject(good(7))
      expect(Buffer.from(read?.body ?? []).equals(body)).toBe(true)
      expect(await other.read(LIST, 7)).toEqual({ ...read, body: null })
      expect(await other.read('high-schools', 0)).toBeNull()
    })

    test('keep the body when none is published, after a good answer as after a bad one', async () => {
      await publish(one, good(7), body)
      expect(await publish(other, good(7), null)).toBe('published')
      expect(await publish(one, bad(good(7)), null)).toBe('published')
      expect(await other.read(LIST, 0)).toMatchObject(bad(good(7)))
      expect(await readBody(other)).toEqual(body)
    })

    test('say when there is no body, or only one of an older state, so that it is published whole', async () => {
      expect(await publish(one, bad({ state: nothing, validators: {} }), null)).toBe('without body')
      expect(await other.read(LIST, 0)).toMatchObject({ state: { version: 0, problem: { detail: NAMES } } })
      await publish(one, good(7), body)
      expect(await publish(one, bad(good(8)), null)).toBe('without body')
      expect(await readBody(other)).toBeNull()
    })

    test('have one leader at a time, until it goes, with one token while it leads', async () => {
      const leases = await Promise.all([one.acquireLease(), other.acquireLease()])
      if (leases[0] === null) [one, other] = [other, one]
      const token = one.fencingToken()
      expect(leases).toEqual(expect.arrayContaining([token, null]))
      expect(await leadWith(one)).toBe(token)
      expect([one.fencingToken(), other.fencingToken()]).toEqual([token, null])
      await other.close()
      expect(await other.acquireLease(), 'only the leader can end the lease').toBeNull()
      await one.close()
      expect(await leadWith(other)).toBeGreaterThan(token ?? Infinity)
    })

    test('take nothing under a lost lease, also while nobody leads, and it ends no other lease', async () => {
      const token = await leadWith(one)
      await expire()
      expect(await one.publish(LIST, token, good(1), body)).toBe('refused')
      const later = await leadWith(other)
      expect(await one.publish(LIST, token, good(1), body)).toBe('refused')
      await one.close()
      expect(await one.read(LIST, 0)).toBeNull()
      expect(await other.publish(LIST, later, good(2), body)).toBe('published')
      await other.close()
      await leadWith(one)
      expect(await one.publish(LIST, token, good(1), body), 'though it leads again').toBe('refused')
      await one.close()
    })

    test('tell the others of everything published, and when a user looks', async () => {
      const calls: string[] = []
      other.subscribe({ onPublished: (list) => calls.push(list), onWatched: () => calls.push('watched') })
      await publish(one, good(2), body)
      one.announceWatched()
      await vi.waitUntil(() => calls.includes('watched'), { interval: 1 })
      expect(calls).toEqual([LIST, 'watched'])
    })
  })
}

sharedListsSuite('memory', () => {
  const memory = createMemoryLists({ now: () => 0, leaseMs: LEASE_MS })
  return { one: memory.connect(), other: memory.connect(), expire: async () => memory.expireLease() }
})

onEachDatabase('what instances share', (name, open) => {
  let database: DatabaseHandle
  let messages = createMemoryEvents()
  beforeAll(async () => void (database = await open()))
  afterAll(() => database.close())
  beforeEach(async () => {
    messages = createMemoryEvents()
    for (const table of [feedLeader, sharedLists, sharedListParts]) await database.db.delete(table)
  })
  const connect = ({ leaseMs = LEASE_MS, dataKeys = [KEY] as DataKeys, getDb = () => database.db } = {}) =>
    createDatabaseLists({
      connect: async () => getDb(),
      events: messages.connect(),
      dataKeys,
      leaseMs,
    })

  const expire = () => database.db.update(feedLeader).set({ leaseUntil: new Date(0) })
  sharedListsSuite(name, () => ({ one: connect(), other: connect(), expire }))

  test('what is published lasts a quarter of an hour after the last good answer', async () => {
    const lists = connect()
    const left = sql<number>`extract(epoch from expires_at - clock_timestamp())`.mapWith(Number)
    const leftSeconds = async () => (await database.db.select({ left }).from(sharedLists))[0]?.left ?? 0
    await publish(lists, good(1), body)
    expect(await leftSeconds()).toBeGreaterThan(14 * 60)
    await database.db.update(sharedLists).set({ expiresAt: sql`clock_timestamp() + interval '1 minute'` })
    await publish(lists, bad(good(1)), null)
    expect(await leftSeconds()).toBeLessThanOrEqual(60)
    await database.db.update(sharedLists).set({ expiresAt: new Date(0) })
    expect(await lists.read(LIST, 0)).toBeNull()
    expect(await publish(lists, bad(good(1)), null)).toBe('without body')
    expect(await database.db.$count(sharedListParts)).toBe(0)
  })

  test('a lease is renewed while its instance lives, however long a request takes', async () => {
    const lists = connect({ leaseMs: 300 })
    await lists.acquireLease()
    const until = async () => (await database.db.select().from(feedLeader))[0]?.leaseUntil.getTime() ?? 0
    const first = await until()
    await expect.poll(until, { interval: 10 }).toBeGreaterThan(first)
    await lists.close()
  })

  test('a large body goes in parts, between which other work runs, replaces the one before, and is none when one is missing', async () => {
    const lists = connect()
    const large = randomBytes(3 * 2 ** 20)
    await publish(lists, good(1), body)
    const publishing = { turns: 0, isDone: false }
    void publish(lists, good(2), large).then(() => (publishing.isDone = true))
    for (; !publishing.isDone; publishing.turns += 1) await setImmediate()
    expect((await readBody(lists))?.equals(large)).toBe(true)
    const parts = await database.db.select().from(sharedListParts)
    expect(parts.length).toBeGreaterThan(5)
    expect(publishing.turns).toBeGreaterThan(parts.length)
    expect(new Set(parts.map((part) => part.bodyId)).size).toBe(1)
    await database.db.execute(sql`delete from shared_list_parts where part = 2`)
    expect(await readBody(lists)).toBeNull()
  })

  test('a leader that was paused leaves the body of its successor', async () => {
    const successor = connect()
    const execute = async (statement: SQL) => {
      const result = await database.db.execute(statement)
      await expire()
      await publish(successor, good(2), body)
      return result
    }
    const lists = connect({ getDb: () => Object.assign(Object.create(database.db), { execute }) })
    expect(await lists.publish(LIST, await leadWith(lists), good(1), Buffer.from(NAMES))).toBe('published')
    expect(await readBody(successor)).toEqual(body)
  })

  test('nothing of it is readable in the database', async () => {
    await publish(connect(), bad(good(1)), Buffer.from(NAMES))
    const [row] = await database.db.select().from(sharedLists)
    const [part] = await database.db.select().from(sharedListParts)
    const bytes = Buffer.from(part?.sealedBytes ?? [])
    const state = row?.sealedState ?? ''
    for (const stored of [bytes, Buffer.from(state), Buffer.from(state.split('.')[2] ?? '', 'base64url')]) {
      expect(stored.length).toBeGreaterThan(0)
      expect(stored.includes('berg') || stored.includes('fetchMs')).toBe(false)
    }
    const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 0x08])
    expect(bytes.includes(GZIP_HEAD)).toBe(false)
  })

  test('no table of it is in the write-ahead log', async () => {
    const unlogged = sql`(select relname from pg_class where relpersistence = 'u' and relkind = 'r') as unlogged`
    const relname = sql<string>`relname`
    const rows = await database.db.select({ name: relname }).from(unlogged).orderBy(relname)
    expect(rows.map(({ name: table }) => table)).toEqual(['feed_leader', 'shared_list_parts', 'shared_lists'])
  })

  test('an instance with another key reads nothing; with ours as the one before, it does', async () => {
    await publish(connect(), good(1), body)
    const other = new Uint8Array(32).fill(8)
    expect(await connect({ dataKeys: [other] }).read(LIST, 0)).toBeNull()
    expect(await readBody(connect({ dataKeys: [other, KEY] }))).toEqual(body)
  })

  test('what another release wrote and this one does not understand counts as absent', async () => {
    await publish(connect(), good(1), body)
    const sealedState = createSeal([KEY], 'states of shared lists').encrypt('{"validators":{}}', LIST)
    await database.db.update(sharedLists).set({ sealedState })
    expect(await connect().read(LIST, 0)).toBeNull()
  })
})

test('without the database every question is answered with an error that names no data', async () => {
  const away = async () => Promise.reject(Object.assign(new Error('connect 10.0.0.7'), { code: 'ECONNREFUSED' }))
  const events = createMemoryEvents().connect()
  const dataKeys = [KEY] as const
  const lists = createDatabaseLists({ connect: away, events, dataKeys, leaseMs: LEASE_MS })
  await expect(lists.acquireLease()).rejects.toThrow(/^ECONNREFUSED$/)
  await expect(lists.read(LIST, 0)).rejects.toThrow(/^ECONNREFUSED$/)
})
