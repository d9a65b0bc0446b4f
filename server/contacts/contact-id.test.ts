import { expect, test } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { emailKey } from '@/lib/contacts/contact-key'
import { createContactIds } from './contact-id'

const contactIds = createContactIds(new Uint8Array(32).fill(7))
const contactIdOf = contactIds.of

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

test('the id tells nothing: another key, another id, and no trace of the address', () => {
  const lead = declaration({ email: 'asa.oberg@example.se' })
  const id = contactIdOf('declaration-of-interest', lead)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(createContactIds(new Uint8Array(32).fill(8)).of('declaration-of-interest', lead)).not.toBe(id)
})

test('an id leads back to the key, with our own key only', () => {
  const id = contactIdOf('declaration-of-interest', declaration({ email: 'asa.oberg@example.se' }))
  expect(contactIds.read(id)).toEqual({ by: 'email', key: emailKey('asa.oberg@example.se') })
  expect(createContactIds(new Uint8Array(32).fill(8)).read(id)).toBeNull()
  expect(['', 'x', 'a'.repeat(22), `${id}=`].map(contactIds.read)).toEqual([null, null, null, null])
})

test('after the key was changed, links from before lead where they led while the key before is there', () => {
  const lead = declaration({ email: 'asa.oberg@example.se' })
  const before = contactIdOf('declaration-of-interest', lead)
  const current = new Uint8Array(32).fill(8)
  const rotated = createContactIds({ current, previous: new Uint8Array(32).fill(7) })
  expect(rotated.of('declaration-of-interest', lead)).toBe(
    createContactIds(current).of('declaration-of-interest', lead),
  )
  expect(rotated.read(before)).toEqual(contactIds.read(before))
  expect(rotated.read(rotated.of('declaration-of-interest', lead))).toEqual(contactIds.read(before))
  expect(createContactIds(current).read(before)).toBeNull()
})

function declaration(fields: { id?: string; email: string | null; phone?: string | null }): DeclarationOfInterest {
  const { id = '1', email, phone = null } = fields
  const user = { firstName: 'Åsa', lastName: 'Öberg', email, phone, highSchoolEnrollmentYear: 2027 }
  return { id, highSchoolId: 'norra', createdAt: '2026-11-20T07:00:00.000Z', user }
}

function question(sender: { email?: string; phone?: string }): AskedQuestion {
  const { email = null, phone = null } = sender
  const mode = email === null ? 'phone' : 'email'
  return {
    id: '1',
    highSchoolId: 'norra',
    highSchoolName: 'Norra',
    createdAt: '2026-11-20T07:00:00.000Z',
    question: '',
    sender: { mode, phone, email },
  }
}
