import { expect, test } from 'vitest'
import { hashEmail } from '@/lib/contacts/contact-key'
import { declaration, question } from '@/lib/leads/testing/leads'
import { createContactIds } from './contact-id'

const kind = 'declaration-of-interest'
const [key, otherKey] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)]
const contactIds = createContactIds(key)
const asa = declaration('1', { email: 'Asa.Oberg@Example.se' })

test('any spelling of an e-mail, or without one of a phone, is the same contact in both kinds', () => {
  const byEmail = question('2', { email: 'asa.oberg@example.se ' })
  expect(contactIds.createId('asked-question', byEmail)).toBe(contactIds.createId(kind, asa))
  const [declared, asked] = [declaration('1', { phone: '+46701740605' }), question('2', { phone: '070-174 06 05' })]
  expect(contactIds.createId('asked-question', asked)).toBe(contactIds.createId(kind, declared))
})

test('leads without contact details are nobody else’s', () => {
  expect(contactIds.createId(kind, declaration('a'))).not.toBe(contactIds.createId(kind, declaration('b')))
})

test('an id discloses nothing, and leads back to the contact with our own key only', () => {
  const id = contactIds.createId(kind, asa)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(createContactIds(otherKey).createId(kind, asa)).not.toBe(id)
  expect(contactIds.readId(id)).toEqual({ type: 'email', key: hashEmail('asa.oberg@example.se') })
  expect(createContactIds(otherKey).readId(id)).toBeNull()
  expect(['', 'x', 'a'.repeat(22), `${id}=`].map(contactIds.readId)).toEqual([null, null, null, null])
})
