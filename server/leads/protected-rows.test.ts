import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparablePhone, emailKey } from '@/lib/contacts/contact-key'
import { respelledEmail, respelledPhone } from '@/lib/contacts/testing/respelled'
import { declaration } from '@/lib/leads/testing/leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { createSeal } from '@/server/base/seal'
import { rowsOfProtected, tableFor } from './protected-rows'
import { decryptPerson, encryptPerson, type Protection } from './protection-list'

const [email, phone] = ['elsa@example.se', '070-174 06 05']
const protection = (id: string, parts: Partial<Protection>): Protection => ({
  id,
  emails: new Set(),
  phones: new Set(),
  leads: new Set(),
  allowed: new Set(),
  people: [],
  ...parts,
})

test('a number that only looks like the person’s hides nobody else', () => {
  const leads = [declaration('d1', { email }), declaration('d2', { email: 'maja@example.se' })]
  const table = leadTableOf('declaration-of-interest', leads)
  const forged = { ...table, emailKey: table.emailKey.map(() => emailKey(email)) }
  const one = protection('p', { emails: new Set([email]) })
  expect([...rowsOfProtected([one], forged).keys()].map((row) => table.id[row])).toEqual(['d1'])
})

/** The leads that a person's protection hides, by id. */
function hiddenBy(parts: Partial<Protection>, leads: Parameters<typeof declaration>[1][]): string[] {
  const table = leadTableOf(
    'declaration-of-interest',
    leads.map((fields, at) => declaration(`d${at}`, fields)),
  )
  return Array.from(rowsOfProtected([protection('p', parts)], table).keys(), (row) => table.id[row] ?? '').sort()
}

test('every spelling of the person’s phone and e-mail is hidden', () => {
  const parts = { emails: new Set([email]), phones: new Set(['+46701740605']) }
  fc.assert(
    fc.property(respelledPhone('0701740605'), respelledEmail(email), (its, of) => {
      expect(
        hiddenBy(parts, [{ phone: its }, { email: of }, { phone: '0701740606', email: 'maja@example.se' }]),
      ).toEqual(['d0', 'd1'])
    }),
    { numRuns: 300 },
  )
  expect(hiddenBy({ phones: new Set(['+46701234567']) }, [{ phone: '070123-4567' }])).toEqual(['d0'])
})

test('a protection that an earlier release stored, as it compared then, goes on hiding', () => {
  const seal = createSeal(randomBytes(32))
  const phones = ['070\u2011174 06 05', '+46803122386', '20090312-2386']
  const stored = { emails: ['els\u200ba@example.se'], phones, leads: [], reason: '' }
  const person = decryptPerson(seal, { id: 'p', sealedPerson: encryptPerson(seal, 'p', stored) })
  const parts = { emails: new Set(person.emails), phones: new Set(person.phones) }
  const leads = [
    { phone },
    { phone: '080312-2386' },
    { phone: '090312-2386' },
    { email },
    ...phones.map((one) => ({ phone: one })),
  ]
  expect(hiddenBy(parts, leads)).toHaveLength(leads.length)
})

test('two colleagues of one name, each allowed to see one of a lead’s two persons, are not taken for one', () => {
  const table = leadTableOf('declaration-of-interest', [declaration('d1', { email, phone })])
  const peopleToAsk = (first: string, second: string) => {
    const shownTo = (id: string) => ({
      allowed: new Set([id]),
      people: [{ id, name: 'Eva Ek', schools: 'all' as const }],
    })
    const byEmail = protection('p1', { emails: new Set([email]), ...shownTo(first) })
    const byPhone = protection('p2', { phones: new Set([comparablePhone(phone) ?? '']), ...shownTo(second) })
    const list = { all: [byEmail, byPhone], fingerprint: '' }
    return tableFor(list, { id: 'nils', schools: 'all' }, table).protection?.marks.get(0)?.people
  }
  expect(peopleToAsk('eva-1', 'eva-2')).toEqual([])
  expect(peopleToAsk('eva-1', 'eva-1')).toEqual(['Eva Ek'])
})
