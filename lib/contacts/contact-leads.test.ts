import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadsOfContact, type Traces } from './contact-leads'
import { reachable } from '@/lib/contacts/testing/reachable'

const one = (fields: Partial<Traces>): Traces => ({ email: null, phone: null, name: null, createdAt: 0, ...fields })
const byEmail = (candidates: Traces[], anchors = [0]) =>
  Object.fromEntries(Array.from(leadsOfContact(candidates, { by: 'email', anchors }), ([at, reason]) => [at, reason]))

test('the leads of a contact say why they belong', () => {
  const asa = one({ email: 'a', phone: '1', name: 'asa oberg', createdAt: 1 })
  expect(byEmail([asa, one({ phone: '1', name: 'erik oberg' }), one({ email: 'a' }), one({ email: 'b' })])).toEqual({
    0: { by: 'anchor', sameName: true },
    1: { by: 'same-phone', sameName: false },
    2: { by: 'anchor', sameName: null },
  })
})

test('a parent’s address is told from a pupil’s by the names', () => {
  const siblings = ['elsa ek', 'maja ek'].map((name, createdAt) => one({ email: 'a', name, createdAt }))
  expect(byEmail(siblings, [0, 1])).toMatchObject({ 0: { sameName: false }, 1: { sameName: true } })
})

test('leads are never joined by a forged key: the texts count, and who was there first is meant', () => {
  const victim = one({ email: 'victim', createdAt: 1 })
  const forger = one({ email: 'forger', createdAt: 2 })
  expect(Object.keys(byEmail([forger, victim], [0, 1]))).toEqual(['1'])
})

test('the leads of a contact are the transitive closure of sharing, whatever the people', () => {
  const detail = fc.option(fc.integer({ min: 0, max: 6 }).map(String))
  const person = fc.record({ email: detail, phone: detail }).map(one)
  fc.assert(
    fc.property(fc.array(person, { minLength: 1, maxLength: 25 }), (people) => {
      const anchor = people[0]?.email ?? null
      const anchors = people.flatMap(({ email }, at) => (email !== null && email === anchor ? [at] : []))
      const found = leadsOfContact(people, { by: 'email', anchors })
      expect(new Set(found.keys())).toEqual(reachable(people, anchors))
      expect(anchors.every((at) => found.get(at)?.by === 'anchor')).toBe(true)
    }),
  )
})
