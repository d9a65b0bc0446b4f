import { expect, test } from 'vitest'
import { findDisplayName } from '@/lib/inbox/lead-text'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { selectDistinctPeople } from './palette-search'
import { groupOffers, rankMatch } from './palette-sections'

const offers = [
  { label: 'Frågor', group: 'go' },
  { label: 'Intresseanmälningar', group: 'go' },
  { label: 'Markera hanterad', group: 'commands' },
  { label: 'Visa bara mina', group: 'commands' },
  { label: 'Försenade', group: 'queues' },
  { label: 'Mina frågor', group: 'views' },
] as const

test.each([
  [
    '',
    [
      'go: Frågor, Intresseanmälningar',
      'commands: Markera hanterad, Visa bara mina',
      'queues: Försenade',
      'views: Mina frågor',
    ],
  ],
  ['mina', ['views: Mina frågor', 'commands: Visa bara mina']],
  ['fragor', ['go: Frågor', 'views: Mina frågor']],
])('%j finds the groups, the best first: %j', (text, found) => {
  const groups = groupOffers(offers, text)
  expect(groups.map(({ id, entries }) => `${id}: ${entries.map(({ label }) => label).join(', ')}`)).toEqual(found)
})

test.each([
  ['Återställ till Ny', 'ater', 0],
  ['Öbergsskolan', 'oberg', 0],
  ['Ångra, åter till förra', 'ater', 1],
  ['Markera hanterad', 'anter', 2],
  ['Gå till Intresseanmälningar', 'ga intr', 1],
  ['Gå till Intresseanmälningar', 'ga fragor', Infinity],
])('a beginning is nearest, then a beginning of a word, without accents: in %j, %j ranks %d', (text, typed, rank) => {
  expect(rankMatch(text, typed)).toBe(rank)
})

test('each person once, by name where there is one, and the sender of a question only if it is by them that it is found', () => {
  const listPeople = (query: string) =>
    selectDistinctPeople(
      [
        { ...declarationItem('d1', { firstName: 'Anna' }), contactId: 'anna' },
        { ...declarationItem('d2', { firstName: 'Anna A' }), contactId: 'anna' },
        { ...declarationItem('d3'), contactId: 'nobody' },
        { ...questionItem('q', { email: 'bo@example.com', phone: '070-174 06 05' }), contactId: 'bo' },
      ],
      query,
    ).map((item) => `${item.contactId}: ${findDisplayName(item)}`)
  expect(listPeople('bo@')).toEqual(['anna: Anna', 'bo: bo@example.com'])
  expect(listPeople('+46 70 17')).toEqual(['anna: Anna', 'bo: bo@example.com'])
  expect(listPeople('antagning')).toEqual(['anna: Anna'])
})
