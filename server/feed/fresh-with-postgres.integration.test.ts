import { afterAll, beforeAll, expect, test } from 'vitest'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore, type Store } from '@/reference-service/store'
import type { DeclarationOfInterest } from '@/reference-service/specification'
import type { OpenDatabase } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { feedLeader, sharedListParts, sharedLists } from '@/server/base/sharing-schema'
import { withPostgres } from '@/server/base/testing/on-each-database'
import { atTestClock, feedWorld } from '@/server/feed/testing/feed-world'
import { createVirtualTime, type VirtualTime } from '@/server/feed/testing/virtual-time'
import type { Feed } from './feed'

const START = Date.UTC(2026, 10, 20, 7)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const LENGTH = 12 * MINUTE
const LOOK_MS = 30 * SECOND
/** Far shorter than the time between two fetches, whose phase would else decide what is seen of their ages. */
const SAMPLE_MS = 500

/** When a user looks, in minutes: in between nobody does, for longer than the pace without anybody. */
const SPELLS = [
  [0, 3],
  [9, 12],
] as const

function serviceOn(time: VirtualTime) {
  const data = inventData({ tier: 'S', seed: 3, now: START })
  const source = createStore(data, new Map([['token', { label: 'ours', schools: 'all' }]]))
  const limits = { perSecond: 10, perHour: 600 }
  return { source, service: createReferenceService({ source, clock: time.now, limits, requestLogSize: 100_000 }) }
}

function newLeads(time: VirtualTime, source: Store): void {
  for (let at = 3 * MINUTE; at < LENGTH; at += 3 * MINUTE) {
    const add = ([first]: readonly DeclarationOfInterest[]) =>
      first && source.addDeclaration({ ...first, id: `new-${at}`, createdAt: new Date(START + at).toISOString() })
    time.at(START + at, () => void add(source.current().declarationsOfInterest))
  }
}

function agesOf(feeds: readonly Feed[], now: number): number[] {
  const ages = (stateOf: (feed: Feed) => { fetchedAt: number | null }) =>
    feeds.map((feed) => now - (stateOf(feed).fetchedAt ?? START))
  return [ages((feed) => feed.declarations()), ages((feed) => feed.askedQuestions())].map((own) => Math.max(...own))
}

function agesIn(ages: readonly number[]) {
  return { meanMs: ages.reduce((sum, age) => sum + age, 0) / ages.length, mostMs: Math.max(...ages) }
}

function figuresOf(requests: readonly { at: number; status: number | null }[]) {
  const within = (windowMs: number) =>
    Math.max(...requests.map(({ at: end }) => requests.filter(({ at }) => at > end - windowMs && at <= end).length))
  const statuses = [...new Set(requests.map(({ status }) => status))].toSorted()
  return { fetches: requests.length, statuses, all: within(LENGTH), perSecond: within(SECOND) }
}

withPostgres('freshness for twelve minutes', (open) => {
  let shared: OpenDatabase
  beforeAll(async () => {
    const first = await open()
    await atTestClock(first.db)
    await first.close()
    shared = await open()
  })
  afterAll(() => shared.close())

  /** What these minutes of so many instances come to; they are looked at in turn, spell by spell, and the last time all. */
  async function minutes(names: readonly string[], database: OpenDatabase['db'] | null) {
    for (const table of [feedLeader, sharedLists, sharedListParts, upstreamRequests]) await database?.delete(table)
    const time = createVirtualTime(START)
    const { source, service } = serviceOn(time)
    const world = feedWorld({ time, database, service: (request) => service.handle(request) })
    const feeds = names.map((name) => world.begin(name))
    const ages: number[] = []
    for (const [spell, [from, to]] of SPELLS.entries()) {
      const looked = spell === SPELLS.length - 1 ? feeds : feeds.slice(spell % feeds.length, (spell % feeds.length) + 1)
      for (let at = from * MINUTE; at < to * MINUTE; at += LOOK_MS) {
        time.at(START + at, () => looked.forEach((feed) => feed.markWatched()))
      }
      for (let at = from * MINUTE + SAMPLE_MS; at < to * MINUTE; at += SAMPLE_MS) {
        time.at(START + at, () => ages.push(...agesOf(looked, START + at)))
      }
    }
    newLeads(time, source)
    await world.runUntil(START + LENGTH)
    const sizes = feeds.map((feed) => feed.declarations().content?.table.size)
    for (const feed of feeds) feed.stop()
    return { ...figuresOf(service.requests), problems: world.problems, ages: agesIn(ages), sizes }
  }

  /**
   * Nothing is left to chance here (no jitter, no network), so that only the order of two instances that are due in the same
   * moment may make them differ from the one that is alone: by two fetches, or some 150 ms of age.
   */
  const TOLERANCE = 0.03

  test('one and two instances are as fresh as one without, idle spells included, and say no problem', async () => {
    const alone = await minutes(['alone'], null)
    for (const names of [['one'], ['one', 'other']]) {
      const together = await minutes(names, shared.db)
      expect(together.problems).toEqual([])
      expect(together.statuses).toEqual([200, 304])
      expect(together.all).toBeLessThanOrEqual(600)
      expect(together.perSecond).toBeLessThanOrEqual(10)
      expect(Math.abs(together.fetches - alone.fetches)).toBeLessThanOrEqual(2)
      expect(Math.abs(together.ages.meanMs / alone.ages.meanMs - 1)).toBeLessThan(TOLERANCE)
      expect(together.ages.mostMs).toBeLessThan(alone.ages.mostMs + SECOND)
      expect(together.sizes).toEqual(names.map(() => 503))
    }
    expect(alone).toMatchObject({ problems: [], sizes: [503] })
    expect(alone.ages.meanMs).toBeLessThan(7 * SECOND)
  }, 120_000)
})
