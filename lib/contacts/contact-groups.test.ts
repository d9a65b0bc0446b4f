import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contactGroups } from './contact-groups'
import { emailKey, keyOf, NO_KEY, phoneKey } from './contact-key'

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
  it('joins by e-mail whatever its case, and by phone whatever its spelling', () => {
    const people = [
      { email: 'Asa@Example.se ', phone: null },
      { email: 'asa@example.se', phone: '070-123 45 67' },
      { email: null, phone: '+46701234567' },
      { email: 'erik@example.se', phone: null },
    ]
    expect(groupsOf(people)).toEqual([0, 0, 0, 1])
  })

  it('keeps those apart who left nothing', () => {
    const nobody = { email: ' ', phone: null }
    expect(groupsOf([nobody, nobody])).toEqual([0, 1])
  })

  it('numbers the groups over several tables, of the given rows only', () => {
    const key = Float64Array.of(7, 8, 7)
    const none = Float64Array.of(NO_KEY, NO_KEY, NO_KEY)
    const first = { rows: [0, 1], emailKey: key, phoneKey: none }
    const second = { rows: [2], emailKey: key, phoneKey: none }
    expect(contactGroups([first, second])).toEqual({ groups: [Uint32Array.of(0, 1), Uint32Array.of(0)], count: 2 })
  })

  it('is the transitive closure of sharing, for any people', () => {
    const detail = (letter: string) => fc.option(fc.integer({ min: 0, max: 8 }).map((n) => `${letter}${n}`))
    fc.assert(
      fc.property(fc.array(fc.record({ email: detail('e'), phone: detail('p') }), { maxLength: 30 }), (people) => {
        const groups = groupsOf(people)
        const reached = closure(people)
        for (const a of people.keys()) {
          for (const b of people.keys()) expect(groups[a] === groups[b]).toBe(reached[a]?.has(b))
        }
      }),
    )
  })
})

describe('contact keys', () => {
  it('differ for a hundred thousand texts that differ little', () => {
    const keys = new Set(Array.from({ length: 100_000 }, (_, index) => keyOf(`pupil${index}@example.se`, 1)))
    expect(keys.size).toBe(100_000)
    expect([...keys].every((key) => Number.isSafeInteger(key) && key !== NO_KEY)).toBe(true)
  })
})

/** Who can be reached from whom, by walking. */
function closure(people: Person[]): Set<number>[] {
  return people.map((_, start) => {
    const seen = new Set([start])
    for (const at of seen) {
      people.forEach((other, index) => {
        const isEmail = other.email !== null && other.email === people[at]?.email
        const isPhone = other.phone !== null && other.phone === people[at]?.phone
        if (isEmail || isPhone) seen.add(index)
      })
    }
    return seen
  })
}
