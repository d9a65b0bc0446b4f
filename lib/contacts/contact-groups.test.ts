import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contactGroups } from './contact-groups'
import { emailKey, keyOf, NO_KEY, phoneKey } from './contact-key'
import { reachable } from '@/lib/contacts/testing/reachable'

type Person = { email: string | null; phone: string | null }

function groupsOf(people: Person[]): number[] {
  const table = {
    rows: people.map((_, row) => row),
    emailKey: Float64Array.from(people, ({ email }) => emailKey(email)),
    phoneKey: Float64Array.from(people, ({ phone }) => phoneKey(phone)),
  }
  return [...(contactGroups([table]).groups[0] ?? [])]
}

describe('contact groups', () => {
  it('keeps those apart who left nothing', () => {
    const nobody = { email: ' ', phone: null }
    expect(groupsOf([nobody, nobody])).toEqual([0, 1])
  })

  it('is the transitive closure of sharing, for any people', () => {
    const detail = (letter: string) => fc.option(fc.integer({ min: 0, max: 8 }).map((n) => `${letter}${n}`))
    fc.assert(
      fc.property(fc.array(fc.record({ email: detail('e'), phone: detail('p') }), { maxLength: 30 }), (people) => {
        const groups = groupsOf(people)
        const reached = people.map((_, start) => reachable(people, [start]))
        for (const a of people.keys()) {
          for (const b of people.keys()) expect(groups[a] === groups[b]).toBe(reached[a]?.has(b))
        }
      }),
    )
  })
})

it('keys differ for a hundred thousand texts that differ little', () => {
  const keys = new Set(Array.from({ length: 100_000 }, (_, index) => keyOf(`pupil${index}@example.se`, 1)))
  expect(keys.size).toBe(100_000)
  expect([...keys].every((key) => Number.isSafeInteger(key) && key !== NO_KEY)).toBe(true)
})
