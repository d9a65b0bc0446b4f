import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareIds } from './known-leads'

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
