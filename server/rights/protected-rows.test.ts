import { expect, test } from 'vitest'
import { comparablePhone, emailKey } from '@/lib/contacts/contact-key'
import { declaration } from '@/lib/leads/testing/leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { rowsOfProtected, tableFor } from './protected-rows'
import type { Protection } from './protection-list'

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
