import { beforeEach, describe, expect, test } from 'vitest'
import { sharedWorld, visibleState } from '@/server/feed/testing/shared-world'
import { createShrinkGuard, type ShrinkGuard } from './list-source'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const START = Date.UTC(2026, 10, 20, 7)

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`)

describe('what is believed', () => {
  let now = 0
  let guard: ShrinkGuard
  beforeEach(() => {
    now = 0
    guard = createShrinkGuard(() => now)
  })
  const judge = (held: number, sent: readonly string[]) => guard.judge(idsOf(held), sent)

  test.each([
    [100, 100, true],
    [100, 50, true],
    [100, 49, false],
    [100, 0, false],
    [10, 4, false],
    // Half of a few are one or two leads whose senders withdrew them.
    [9, 1, true],
    [3, 1, true],
    [3, 0, false],
    [1, 0, false],
    [0, 0, true],
  ])('of %i records held, %i sent: %s', (held, sent, isBelieved) => {
    expect(judge(held, idsOf(sent)) === null).toBe(isBelieved)
  })

  test('three answers over two minutes that lack the same records are believed', () => {
    expect(judge(100, idsOf(10))).toMatchObject({ before: 100, now: 10, answers: 1, lastedMs: 0 })
    now = 60 * SECOND
    expect(judge(100, [...idsOf(10), 'new'])).toMatchObject({ now: 11, answers: 2, lastedMs: MINUTE })
    now = 119 * SECOND
    expect(judge(100, idsOf(10))).toMatchObject({ answers: 3 })
    now = 120 * SECOND
    expect(judge(100, idsOf(10))).toBeNull()
  })

  test('two answers are not enough, however far apart', () => {
    judge(100, idsOf(10))
    now = 60 * MINUTE
    expect(judge(100, idsOf(10))).toMatchObject({ answers: 2 })
  })

  test('answers that lack other records each time are never believed', () => {
    for (now = 0; now < 60 * MINUTE; now += MINUTE) expect(judge(100, idsOf(10, now / MINUTE))).not.toBeNull()
  })

  test('a good answer in between starts the count again', () => {
    judge(100, idsOf(10))
    judge(100, idsOf(10))
    guard.clear()
    now = 10 * MINUTE
    expect(judge(100, idsOf(10))).toMatchObject({ answers: 1, lastedMs: 0 })
  })
})

describe('a list that suddenly shrinks', () => {
  let its: ReturnType<typeof sharedWorld>
  beforeEach(() => {
    its = sharedWorld(START, 10 * SECOND)
    its.service.ids = idsOf(40)
  })
  const size = ({ feed }: ReturnType<typeof its.begin>) => feed.declarations().content?.table.size

  test('stays as it was on every instance, says why, and is replaced after two minutes, also while nobody is looking', async () => {
    const two = [its.begin('a', { looks: false }), its.begin('b', { looks: false })]
    await its.run(MINUTE)
    its.service.ids = idsOf(3)
    await its.run(4.5 * MINUTE)
    const problems = two.map(({ feed }) => feed.declarations().problem)
    for (const problem of problems) {
      expect(problem).toMatchObject({ kind: 'unreadable', doubt: { before: 40, now: 3 } })
      expect(problem?.detail).toMatch(/^only 3 of 40 records were sent; answer \d that lacks the same$/)
    }
    expect(two.map(size)).toEqual([40, 40])
    const [one, other] = two.map(({ feed }) => visibleState(feed.declarations()))
    expect(one).toEqual(other)
    const first = problems[0]?.since ?? 0
    await its.run(2.7 * MINUTE)
    expect(two.map(size)).toEqual([3, 3])
    expect(two.map(({ feed }) => feed.declarations().problem)).toEqual([null, null])
    const believedAt = two[0]?.feed.declarations().fetchedAt ?? 0
    expect(believedAt - first).toBeGreaterThanOrEqual(2 * MINUTE - SECOND)
  })

  test('is back at once when it was a blip, and nothing was lost', async () => {
    const alone = its.begin('a')
    await its.run(MINUTE)
    its.service.ids = []
    await its.run(12 * SECOND)
    expect(alone.feed.declarations().problem).toMatchObject({ doubt: { before: 40, now: 0 } })
    its.service.ids = idsOf(40)
    await its.run(20 * SECOND)
    expect([size(alone), alone.feed.declarations().problem]).toEqual([40, null])
  })

  test('is simply believed by a process that held nothing', async () => {
    its.service.ids = []
    const alone = its.begin('a')
    await its.run(5 * SECOND)
    expect([size(alone), alone.feed.declarations().problem]).toEqual([0, null])
  })
})
