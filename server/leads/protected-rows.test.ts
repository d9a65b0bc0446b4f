import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashEmail } from '@/lib/contacts/contact-key'
import { respelledEmail, respelledPhone } from '@/lib/contacts/testing/respelled'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { createSeal } from '@/server/base/seal'
import { findProtectedRows } from './protected-rows'
import { decryptPerson, encryptPerson, type Protection } from './protection-list'
import { toVisibleTable } from './visible-table'

const [email, phone] = ['elsa@example.se', '+46701740605']
const nothing = { emails: new Set<string>(), phones: new Set<string>(), leadKeys: new Set<never>() }
const protection = (parts: Partial<Protection>): Protection => {
  return { id: 'p', ...nothing, allowedUserIds: new Set(), allowedReaders: [], ...parts }
}
type Fields = Parameters<typeof declaration>[1]
const tableOf = (...leads: Fields[]) =>
  leadTableOf(
    'declaration-of-interest',
    leads.map((fields, at) => declaration(`d${at}`, fields)),
  )
/** The leads that the protection of a person with these addresses hides, by id. */
const hiddenBy = (parts: Partial<Protection>, table: ReturnType<typeof tableOf>) =>
  Array.from(findProtectedRows([protection(parts)], table).keys(), (row) => table.id[row]).toSorted()

test('an address whose number is only by chance that of the protected person hides nobody', () => {
  const table = tableOf({ email }, { email: 'maja@example.se' })
  const forged = { ...table, emailKey: table.emailKey.map(() => hashEmail(email)) }
  expect(hiddenBy({ emails: new Set([email]) }, forged)).toEqual(['d0'])
})

test('every spelling of the person’s phone and e-mail is hidden', () => {
  const parts = { emails: new Set([email]), phones: new Set([phone]) }
  const stranger = { phone: '0701740606', email: 'maja@example.se' }
  fc.assert(
    fc.property(respelledPhone('0701740605'), respelledEmail(email), (its, of) => {
      expect(hiddenBy(parts, tableOf({ phone: its }, { email: of }, stranger))).toEqual(['d0', 'd1'])
    }),
    { numRuns: 300 },
  )
})

test('a protection that an earlier release stored, as it compared then, goes on hiding', () => {
  const seal = createSeal([randomBytes(32)])
  const phones = ['070\u2011174 06 05', '+46803122386', '20090312-2386', '+463122386', '+4601234567']
  const stored = { emails: ['els\u200ba@example.se'], phones, leads: [], reason: '' }
  const person = decryptPerson(seal, { id: 'p', sealedPerson: encryptPerson(seal, 'p', stored) })
  const parts = { emails: new Set(person.emails), phones: new Set(person.phones) }
  const writtenToday = ['070-174 06 05', '080312-2386', '090312-2386', '460312-2386', '+46 00 1234567']
  const table = tableOf({ email }, ...[...phones, ...writtenToday].map((one) => ({ phone: one })))
  expect(hiddenBy(parts, table)).toHaveLength(table.size)
})

test('a lead of two protected persons is shown to who is shown both, who is also whom to ask, not two of one name', () => {
  const table = tableOf({ email, phone })
  const markFor = (viewer: string, first: string, second: string) => {
    const shownTo = (id: string) => {
      return { id, allowedUserIds: new Set([id]), allowedReaders: [{ id, name: 'Eva Ek', schools: 'all' as const }] }
    }
    const byEmail = protection({ emails: new Set([email]), ...shownTo(first) })
    const byPhone = protection({ phones: new Set([phone]), ...shownTo(second) })
    const list = { protections: [byEmail, byPhone], fingerprint: '' }
    return toVisibleTable(list, { id: viewer, schools: 'all' }, table).protection?.markByRow.get(0)
  }
  for (const viewer of ['nils', 'eva-1', 'eva-2'])
    expect(markFor(viewer, 'eva-1', 'eva-2'), viewer).toEqual({ isHidden: true, people: [] })
  expect(markFor('nils', 'eva-1', 'eva-1')).toEqual({ isHidden: true, people: ['Eva Ek'] })
  expect(markFor('eva-1', 'eva-1', 'eva-1')).toEqual({ isHidden: false, people: ['Eva Ek'] })
})
