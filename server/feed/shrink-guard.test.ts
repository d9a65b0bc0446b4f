import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, sharedWorld, visibleState } from '@/server/feed/testing/shared-world'
import { createShrinkGuard } from './shrink-guard'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`)

describe('what is believed', () => {
  function world() {
    const its = { now: 0 }
    const guard = createShrinkGuard(() => its.now)
    return { its, guard, judge: (known: number, sent: readonly string[]) => guard.findDoubt(idsOf(known), sent) }
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

  test('a doubt that another instance began goes on with its answers and its time', () => {
    const [other, own] = [world(), world()]
    other.judge(100, idsOf(10))
    other.its.now = 119 * SECOND
    const doubt = other.judge(100, idsOf(10))
    if (doubt !== null) own.guard.adopt(doubt)
    own.its.now = SECOND
    expect(own.judge(100, idsOf(10))).toBeNull()
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

  test('stays on every instance and says why, until two minutes of the same, also when another leads meanwhile', async () => {
    const [leader, follower] = [its.begin('leader', { looks: false }), its.begin('follower', { looks: false })]
    await its.run(MINUTE)
    its.service.ids = idsOf(3)
    await its.run(4.5 * MINUTE)
    const doubt = { before: 40, now: 3, answers: expect.any(Number) }
    expect(leader.feed.declarations().problem).toMatchObject({ kind: 'unreadable', doubt })
    expect([size(leader), size(follower)]).toEqual([40, 40])
    expect(visibleState(follower.feed.declarations())).toEqual(visibleState(leader.feed.declarations()))
    const since = leader.feed.declarations().problem?.since ?? Infinity
    leader.kill()
    await its.run(2.2 * MINUTE)
    const { problem, fetchedAt } = follower.feed.declarations()
    expect([size(follower), problem]).toEqual([3, null])
    expect((fetchedAt ?? 0) - since).toBeGreaterThanOrEqual(2 * MINUTE - SECOND)
  })

  test('is back at once when it was a blip, which counts no longer, also when another leads by then', async () => {
    const [leader, follower] = [its.begin('leader'), its.begin('follower')]
    await its.run(MINUTE)
    for (const stillLeads of [true, true, false]) {
      if (!stillLeads) leader.kill()
      its.service.ids = []
      await its.run(25 * SECOND)
      expect(follower.feed.declarations().problem).toMatchObject({ doubt: { before: 40, now: 0 } })
      expect(size(follower)).toBe(40)
      its.service.ids = idsOf(40)
      await its.run(4 * MINUTE)
      expect([size(follower), follower.feed.declarations().problem]).toEqual([40, null])
    }
    expect(its.requests.at(-1)?.instance).toBe('follower')
  })
})
