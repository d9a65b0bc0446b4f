import { expect, test } from 'vitest'
import { emailKey } from '@/lib/contacts/contact-key'
import { declaration as declarationOf, question as questionOf } from '@/lib/leads/testing/leads'
import { createContactIds } from './contact-id'

const contactIds = createContactIds(new Uint8Array(32).fill(7))
const contactIdOf = contactIds.encrypt
const declaration = ({ id = '1', ...user }) => declarationOf(id, user)
const question = (sender: object) => questionOf('1', sender)

test('the same e-mail in another case is the same contact, also across the two kinds', () => {
  const id = contactIdOf('declaration-of-interest', declaration({ email: 'Asa.Oberg@Example.se' }))
  expect(contactIdOf('asked-question', question({ email: 'asa.oberg@example.se ' }))).toBe(id)
})

test('without an e-mail the phone decides, in any spelling', () => {
  const id = contactIdOf('declaration-of-interest', declaration({ email: null, phone: '+46701740605' }))
  expect(contactIdOf('asked-question', question({ phone: '070-174 06 05' }))).toBe(id)
})

test('leads without contact details are nobody else’s', () => {
  const one = contactIdOf('declaration-of-interest', declaration({ id: 'a', email: null, phone: null }))
  const other = contactIdOf('declaration-of-interest', declaration({ id: 'b', email: null, phone: null }))
  expect(one).not.toBe(other)
})

test('the id discloses nothing: another key, another id, and no trace of the address', () => {
  const lead = declaration({ email: 'asa.oberg@example.se' })
  const id = contactIdOf('declaration-of-interest', lead)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(createContactIds(new Uint8Array(32).fill(8)).encrypt('declaration-of-interest', lead)).not.toBe(id)
})

test('an id leads back to the key, with our own key only', () => {
  const id = contactIdOf('declaration-of-interest', declaration({ email: 'asa.oberg@example.se' }))
  expect(contactIds.decrypt(id)).toEqual({ kind: 'email', key: emailKey('asa.oberg@example.se') })
  expect(createContactIds(new Uint8Array(32).fill(8)).decrypt(id)).toBeNull()
  expect(['', 'x', 'a'.repeat(22), `${id}=`].map(contactIds.decrypt)).toEqual([null, null, null, null])
})

test('after the key was changed, links from before lead where they led while the key before is there', () => {
  const lead = declaration({ email: 'asa.oberg@example.se' })
  const before = contactIdOf('declaration-of-interest', lead)
  const current = new Uint8Array(32).fill(8)
  const rotated = createContactIds({ current, previous: new Uint8Array(32).fill(7) })
  const now = rotated.encrypt('declaration-of-interest', lead)
  expect(now).toBe(createContactIds(current).encrypt('declaration-of-interest', lead))
  expect([before, now].map(rotated.decrypt)).toEqual([1, 2].map(() => contactIds.decrypt(before)))
  expect(createContactIds(current).decrypt(before)).toBeNull()
})
