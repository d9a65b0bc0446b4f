import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { feedLeader, sharedListParts, sharedLists } from '@/server/base/sharing-schema'
import { withPostgres } from '@/server/base/testing/on-each-database'
import { atTestClock, feedWorld, START } from '@/server/feed/testing/feed-world'
import type { Feed } from './feed'

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

withPostgres('freshness for twelve minutes', (open) => {
  let shared: OpenDatabase
  beforeAll(async () => {
    const first = await open()
    await atTestClock(first.db)
    await first.close()
    shared = await open()
  })
  afterAll(() => shared.close())

  /** What these minutes of so many instances come to. One of them is looked at in the first spell, and all in the last. */
  async function live(names: readonly string[], database: OpenDatabase['db'] | null) {
    for (const table of [feedLeader, sharedLists, sharedListParts, upstreamRequests]) await database?.delete(table)
    const { time, source, service, problems, begin, runUntil } = feedWorld({ database, answerMs: () => 300 })
    const feeds = names.map(begin)
    const ages: number[] = []
    const look = (lookedAt: readonly Feed[]) => {
      for (const list of ['declarations', 'askedQuestions'] as const)
        ages.push(Math.max(...lookedAt.map((feed) => time.now() - (feed[list]().fetchedAt ?? START))))
    }
    for (const [from, to] of SPELLS) {
      const lookedAt = from === 0 ? feeds.slice(0, 1) : feeds
      for (let at = START + from * MINUTE; at < START + to * MINUTE; at += LOOK_MS)
        time.at(at, () => lookedAt.forEach((feed) => feed.markWatched()))
      for (let at = START + from * MINUTE + SAMPLE_MS; at < START + to * MINUTE; at += SAMPLE_MS)
        time.at(at, () => look(lookedAt))
    }
    const [example] = source.current().declarationsOfInterest
    for (const minute of [3, 6, 9])
      time.at(
        START + minute * MINUTE,
        () => void (example && source.addDeclaration({ ...example, id: `new-${minute}` })),
      )
    await runUntil(START + LENGTH)
    const sizes = feeds.map((feed) => feed.declarations().content?.table.size)
    for (const feed of feeds) feed.stop()
    const statuses = new Set(service.requests.map(({ status }) => status))
    const meanAgeMs = ages.reduce((sum, age) => sum + age, 0) / ages.length
    return { fetches: service.requests.length, statuses, problems, sizes, meanAgeMs, mostAgeMs: Math.max(...ages) }
  }

  /**
   * Nothing is left to chance here (no jitter, no network), so that only the order of two instances that are due in the same
   * moment may make them differ from the one that is alone: by two fetches, or some 150 ms of age.
   */
  const TOLERANCE = 0.03

  test('one and two instances are as fresh as one without, idle spells included, and say no problem', async () => {
    const alone = await live(['alone'], null)
    expect(alone).toMatchObject({ problems: [], sizes: [503] })
    expect(alone.meanAgeMs).toBeLessThan(7 * SECOND)
    for (const names of [['one'], ['one', 'other']]) {
      const together = await live(names, shared.db)
      expect(together.problems).toEqual([])
      expect(together.statuses, 'within both limits').toEqual(new Set([200, 304]))
      expect(Math.abs(together.fetches - alone.fetches)).toBeLessThanOrEqual(2)
      expect(Math.abs(together.meanAgeMs / alone.meanAgeMs - 1)).toBeLessThan(TOLERANCE)
      expect(together.mostAgeMs).toBeLessThan(alone.mostAgeMs + SECOND)
      expect(together.sizes).toEqual(names.map(() => 503))
    }
  }, 120_000)
})
