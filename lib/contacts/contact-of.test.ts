import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/lead-table-of'
import { contactOf, type Traces, tracesOf } from './contact-of'
import { emailKey, NO_KEY } from './contact-key'
import { rowsByKeys } from './rows-by-keys'

const one = (fields: Partial<Traces>): Traces => ({ email: null, phone: null, name: null, createdAt: 0, ...fields })
const byEmail = (candidates: Traces[], anchors = [0]) =>
  Object.fromEntries(Array.from(contactOf(candidates, { by: 'email', anchors }), ([at, reason]) => [at, reason]))

describe('the leads of a contact', () => {
  it('say why they belong', () => {
    const asa = one({ email: 'a', phone: '1', name: 'asa oberg', createdAt: 1 })
    expect(byEmail([asa, one({ phone: '1', name: 'erik oberg' }), one({ email: 'a' }), one({ email: 'b' })])).toEqual({
      0: { by: 'anchor', sameName: true },
      1: { by: 'same-phone', sameName: false },
      2: { by: 'anchor', sameName: null },
    })
  })

  it('tell a parent’s address from a pupil’s by the names', () => {
    const siblings = [
      one({ email: 'a', name: 'maja ek', createdAt: 2 }),
      one({ email: 'a', name: 'elsa ek', createdAt: 1 }),
    ]
    expect(byEmail(siblings, [0, 1])).toMatchObject({ 0: { sameName: true }, 1: { sameName: false } })
  })

  it('are never joined by a forged key: the texts count, and who was there first is meant', () => {
    const victim = one({ email: 'victim', createdAt: 1 })
    const forger = one({ email: 'forger', createdAt: 2 })
    expect(Object.keys(byEmail([forger, victim], [0, 1]))).toEqual(['1'])
  })

  it('are the transitive closure of sharing, whatever the people', () => {
    const detail = fc.option(fc.integer({ min: 0, max: 6 }).map(String))
    const person = fc.record({ email: detail, phone: detail }).map(one)
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 25 }), (people) => {
        const anchor = people[0]?.email ?? null
        const anchors = people.flatMap(({ email }, at) => (email !== null && email === anchor ? [at] : []))
        const found = contactOf(people, { by: 'email', anchors })
        expect(new Set(found.keys())).toEqual(closure(people, anchors))
        expect(anchors.every((at) => found.get(at)?.by === 'anchor')).toBe(true)
      }),
    )
  })
})

describe('rows by keys', () => {
  const lead = (index: number, { email, phone }: { email: string | null; phone: string | null }) => ({
    id: `d${index}`,
    highSchoolId: 'norra',
    createdAt: new Date(1_700_000_000_000 - index).toISOString(),
    user: { firstName: null, lastName: null, email, phone, highSchoolEnrollmentYear: null },
  })

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
        expect(new Set(rows)).toEqual(closure(traces, anchors))
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

/** Who can be reached from the given ones, by walking. */
function closure(people: readonly Traces[], from: readonly number[]): Set<number> {
  const seen = new Set(from)
  for (const at of seen) {
    people.forEach(({ email, phone }, index) => {
      const self = people[at]
      if ((email !== null && email === self?.email) || (phone !== null && phone === self?.phone)) seen.add(index)
    })
  }
  return seen
}
