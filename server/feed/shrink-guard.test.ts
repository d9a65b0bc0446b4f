import { beforeEach, describe, expect, test } from 'vitest'
import { createSharedWorld } from '@/server/feed/testing/shared-world'
import { createShrinkGuard } from './shrink-guard'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`)

describe('what is believed', () => {
  function world() {
    const its = { now: 0 }
    const findDoubt = createShrinkGuard(() => its.now)
    return { its, judge: (known: number, sent: readonly string[]) => findDoubt(idsOf(known), sent) }
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
    expect(judge(100, idsOf(10))).toContain('only 10 of 100 records were sent; answer 1')
    its.now = 119 * SECOND
    expect(judge(100, [...idsOf(10), 'new'])).toContain('answer 2')
    expect(judge(100, idsOf(10))).toContain('answer 3')
    its.now = 120 * SECOND
    expect(judge(100, idsOf(10))).toBeNull()
    expect(judge(100, idsOf(9))).toContain('answer 1')
    its.now = 60 * MINUTE
    expect(judge(100, idsOf(9))).toContain('answer 2')
  })

  test('answers that lack other records each time are never believed', () => {
    const { its, judge } = world()
    for (; its.now < 60 * MINUTE; its.now += MINUTE) expect(judge(100, idsOf(10, its.now / MINUTE))).not.toBeNull()
  })
})

describe('a list that suddenly shrinks', () => {
  let its: ReturnType<typeof createSharedWorld>
  beforeEach(() => {
    its = createSharedWorld()
    its.service.ids = idsOf(40)
  })

  test('stays on every instance until two minutes of the same, and is back at once when it was a blip', async () => {
    const instances = [its.startInstance('leader'), its.startInstance('follower')]
    const sizes = () => instances.map(({ feed }) => feed.declarations().content?.table.size)
    await its.run(MINUTE)
    its.service.ids = []
    await its.run(100 * SECOND)
    for (const { feed } of instances)
      expect(feed.declarations().problem).toMatchObject({ kind: 'unreadable', isHeldBack: true })
    its.service.ids = idsOf(40)
    await its.run(MINUTE)
    expect([sizes(), instances[1]?.feed.declarations().problem]).toEqual([[40, 40], null])
    its.service.ids = idsOf(3)
    await its.run(100 * SECOND)
    expect(sizes(), 'the blip counts no longer').toEqual([40, 40])
    await its.run(2 * MINUTE)
    expect([sizes(), instances[1]?.feed.declarations().problem]).toEqual([[3, 3], null])
  })
})
