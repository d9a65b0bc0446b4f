import { expect, test } from 'vitest'
import { nameOf } from '@/lib/inbox/lead-text'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { distinctPeople } from './palette-sections'

const declared = (contactId: string, firstName: string | null) => ({
  ...declarationItem('d', { firstName }),
  contactId,
})
const asked = (contactId: string, email: string) => ({ ...questionItem('q', { email }), contactId })

test('each person once, by name where there is one, and nobody whom nothing names', () => {
  const people = distinctPeople([
    asked('anna', 'anna@example.com'),
    declared('anna', 'Anna'),
    declared('anna', 'Anna A'),
    declared('nobody', null),
    asked('bo', 'bo@example.com'),
  ])
  expect(people.map((item) => [item.contactId, nameOf(item)])).toEqual([
    ['anna', 'Anna'],
    ['bo', 'bo@example.com'],
  ])
})
