import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareIds } from './compare-ids'

const idsOf = (id: readonly string[]) => ({ id, size: id.length, rowOf: (one: string) => id.indexOf(one) })
const compared = (before: readonly string[], after: readonly string[]) => {
  const work = compareIds(idsOf(before), idsOf(after))
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

test('any two lists: where each lead was, and each that is gone once', () => {
  const some = fc.shuffledSubarray([...'abcdefghij'])
  fc.assert(
    fc.property(some, some, (before, after) => {
      const { from, departed } = compared(before, after)
      expect([...from]).toEqual(after.map((id) => before.indexOf(id)))
      expect(departed.toSorted()).toEqual(before.filter((id) => !after.includes(id)).toSorted())
    }),
  )
})

test('leads that come, go or move cost a few look-ups, not one for each row', () => {
  const before = Array.from({ length: 1_000 }, (_, at) => `l${at}`)
  const after = ['new', 'l900', ...before.filter((_, at) => at !== 900 && at !== 500 && at !== 3), 'l3']
  let lookups = 0
  const rows = new Map(after.map((id, row) => [id, row]))
  const places = new Map(before.map((id, row) => [id, row]))
  const counted = (id: readonly string[], of: ReadonlyMap<string, number>) => ({
    id,
    size: id.length,
    rowOf: (one: string) => (lookups++, of.get(one) ?? -1),
  })
  const work = compareIds(counted(before, places), counted(after, rows))
  while (work.next().done !== true);
  expect(lookups).toBeLessThan(20)
})
