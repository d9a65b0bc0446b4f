import { expect, test } from 'vitest'
import { displayNameOf } from '@/lib/inbox/lead-text'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { selectDistinctPeople } from './palette-search'
import { groupOffers, rankMatch } from './palette-sections'

const headings = { go: 'Gå till', commands: 'Åtgärder', queues: 'Köer', views: 'Vyer', schools: 'Skolor' }
const offers = [
  { label: 'Frågor', group: 'go' },
  { label: 'Intresseanmälningar', group: 'go' },
  { label: 'Markera hanterad', group: 'commands' },
  { label: 'Visa bara mina', group: 'commands' },
  { label: 'Visa skolor', group: 'commands' },
  { label: 'Försenade', group: 'queues' },
  { label: 'Mina frågor', group: 'views' },
  { label: 'Norra Gymnasiet', group: 'schools', needsText: true },
] as const
/** Returns the groups that are found, one a line, with their entries. */
const found = (text: string) => {
  const groups = groupOffers(offers, text, (group) => headings[group])
  return groups.map(({ id, entries }) => `${id}: ${entries.map(({ label }) => label).join(', ')}`)
}

test('before anything is typed all stand in their groups, but for the many', () => {
  const commands = 'commands: Markera hanterad, Visa bara mina, Visa skolor'
  expect(found('')).toEqual(['go: Frågor, Intresseanmälningar', commands, 'queues: Försenade', 'views: Mina frågor'])
})

test('the group with the best match comes first', () => {
  expect(found('mina')).toEqual(['views: Mina frågor', 'commands: Visa bara mina'])
  expect(found('fragor')).toEqual(['go: Frågor', 'views: Mina frågor'])
})

test('a heading helps to find what stands under it, behind what is called so itself', () => {
  expect(found('köer förs')).toEqual(['queues: Försenade'])
  expect(found('skolor')).toEqual(['commands: Visa skolor', 'schools: Norra Gymnasiet'])
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

test('each person once, by name where there is one, and nobody whom nothing names', () => {
  const people = selectDistinctPeople([
    { ...declarationItem('d1', { firstName: 'Anna' }), contactId: 'anna' },
    { ...declarationItem('d2', { firstName: 'Anna A' }), contactId: 'anna' },
    { ...declarationItem('d3'), contactId: 'nobody' },
    { ...questionItem('q', { email: 'bo@example.com' }), contactId: 'bo' },
  ])
  const labels = people.map((item) => `${item.contactId}: ${displayNameOf(item)}`)
  expect(labels).toEqual(['anna: Anna', 'bo: bo@example.com'])
})
