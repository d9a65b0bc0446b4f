import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { contactGroups, rowsByKeys } from './contact-groups'
import { emailKey, NO_KEY, phoneKey } from './contact-key'
import { tracesOf } from './contact-leads'
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
        const reached = people.map((_, start) => reachable(people, [start]))
        for (const a of people.keys()) {
          for (const b of people.keys()) expect(groups[a] === groups[b]).toBe(reached[a]?.has(b))
        }
      }),
    )
  })
})

describe('rows by keys', () => {
  const lead = (index: number, person: Person) =>
    declaration(`d${index}`, { ...person, createdAt: new Date(1_700_000_000_000 - index).toISOString() })

  it('find all who share something, through chains of any length', () => {
    const detail = fc.option(fc.integer({ min: 0, max: 20 }).map((n) => `x${n}@example.se`))
    fc.assert(
      fc.property(fc.array(fc.record({ email: detail, phone: detail }), { minLength: 1, maxLength: 40 }), (people) => {
        const table = leadTableOf(
          'declaration-of-interest',
          people.map((person, index) => lead(index, person)),
        )
        const key = emailKey(people[0]?.email ?? null)
        const anchor = { email: new Set(key === NO_KEY ? [] : [key]), phone: new Set<number>() }
        const [rows] = rowsByKeys([{ table, rows: Uint32Array.from(people, (_, row) => row) }], anchor)
        const traces = people.map((_, row) => tracesOf(table.lead(row)))
        const anchors = traces.flatMap(({ email }, at) => (email !== null && email === traces[0]?.email ? [at] : []))
        expect(new Set(rows)).toEqual(reachable(traces, anchors))
      }),
    )
  })

  it('follow a chain of a thousand without looking a thousand times', () => {
    const chain = Array.from({ length: 1_000 }, (_, index) => ({
      email: `e${Math.ceil(index / 2)}@example.se`,
      phone: `+4670${String(1_000_000 + Math.floor(index / 2))}`,
    }))
    const table = leadTableOf(
      'declaration-of-interest',
      chain.map((person, index) => lead(index, person)),
    )
    const anchor = { email: new Set([emailKey('e0@example.se')]), phone: new Set<number>() }
    const [rows] = rowsByKeys([{ table, rows: Uint32Array.from(chain, (_, row) => row) }], anchor)
    expect(rows).toHaveLength(1_000)
  })
})
