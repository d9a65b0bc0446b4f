import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, sharedWorld, visibleState } from '@/server/feed/testing/shared-world'
import { createShrinkGuard } from './list-source'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`)

describe('what is believed', () => {
  function world() {
    const its = { now: 0 }
    const guard = createShrinkGuard(() => its.now)
    return { its, judge: (known: number, sent: readonly string[]) => guard.judge(idsOf(known), sent) }
  }

  test.each([
    [100, 50, true],
    [100, 49, false],
    [10, 4, false],
    // Half of a few are one or two leads whose senders withdrew them.
    [9, 1, true],
    [1, 0, false],
    [0, 0, true],
  ])('of %i known records %i are sent: %s', (known, sent, isBelieved) => {
    expect(world().judge(known, idsOf(sent)) === null).toBe(isBelieved)
  })

  test('three answers over two minutes that lack the same records are, two are not', () => {
    const { its, judge } = world()
    expect(judge(100, idsOf(10))).toMatchObject({ before: 100, now: 10, answers: 1, lastedMs: 0 })
    its.now = 119 * SECOND
    expect(judge(100, [...idsOf(10), 'new'])).toMatchObject({ now: 11, answers: 2, lastedMs: its.now })
    expect(judge(100, idsOf(10))).toMatchObject({ answers: 3 })
    its.now = 120 * SECOND
    expect(judge(100, idsOf(10))).toBeNull()
    expect(judge(100, idsOf(9))).toMatchObject({ answers: 1 })
    its.now = 60 * MINUTE
    expect(judge(100, idsOf(9))).toMatchObject({ answers: 2 })
  })

  test('answers that lack other records each time are never believed', () => {
    const { its, judge } = world()
    for (; its.now < 60 * MINUTE; its.now += MINUTE) expect(judge(100, idsOf(10, its.now / MINUTE))).not.toBeNull()
  })
})

describe('a list that suddenly shrinks', () => {
  let its: ReturnType<typeof sharedWorld>
  beforeEach(() => {
    its = sharedWorld()
    its.service.ids = idsOf(40)
  })
  const size = ({ feed }: Instance) => feed.declarations().content?.table.size

  test('stays as it was on every instance, says why, and is replaced after two minutes, also while nobody is looking', async () => {
    const two = [its.begin('a', { looks: false }), its.begin('b', { looks: false })]
    await its.run(MINUTE)
    its.service.ids = idsOf(3)
    await its.run(4.5 * MINUTE)
    const problems = two.map(({ feed }) => feed.declarations().problem)
    for (const problem of problems)
      expect(problem).toMatchObject({ kind: 'unreadable', doubt: { before: 40, now: 3, answers: expect.any(Number) } })
    expect(two.map(size)).toEqual([40, 40])
    const [one, other] = two.map(({ feed }) => visibleState(feed.declarations()))
    expect(one).toEqual(other)
    await its.run(2.7 * MINUTE)
    expect(two.map(size)).toEqual([3, 3])
    expect(two.map(({ feed }) => feed.declarations().problem)).toEqual([null, null])
    const believedAt = two[0]?.feed.declarations().fetchedAt ?? 0
    expect(believedAt - (problems[0]?.since ?? 0)).toBeGreaterThanOrEqual(2 * MINUTE - SECOND)
  })

  test('is back at once when it was a blip, which counts no longer, also where another leads by then', async () => {
    const [leader, follower] = [its.begin('leader'), its.begin('follower')]
    await its.run(MINUTE)
    its.service.ids = []
    await its.run(30 * SECOND)
    expect(follower.feed.declarations().problem).toMatchObject({ doubt: { before: 40, now: 0, answers: 3 } })
    its.service.ids = idsOf(40)
    await its.run(4 * MINUTE)
    expect([size(follower), follower.feed.declarations().problem]).toEqual([40, null])
    leader.kill()
    its.service.ids = []
    await its.run(25 * SECOND)
    expect(its.requests.at(-1)?.by).toBe('follower')
    expect(size(follower)).toBe(40)
  })
})
