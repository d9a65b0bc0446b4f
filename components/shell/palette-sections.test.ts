import { expect, test } from 'vitest'
import { nameOf } from '@/lib/inbox/lead-text'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { distinctPeople, groupOffers, matchText } from './palette-sections'

const headings = {
  go: 'Gå till',
  commands: 'Åtgärder',
  queues: 'Köer',
  views: 'Vyer',
  schools: 'Skolor',
}
const headingOf = (group: keyof typeof headings) => headings[group]
const offers = [
  { label: 'Frågor', group: 'go' },
  { label: 'Intresseanmälningar', group: 'go' },
  { label: 'Markera hanterad', group: 'commands' },
  { label: 'Visa bara mina', group: 'commands' },
  { label: 'Försenade', group: 'queues' },
  { label: 'Mina frågor', group: 'views' },
  { label: 'Norra Gymnasiet', group: 'schools', isQuiet: true },
] as const
const found = (text: string) =>
  groupOffers(offers, text, headingOf).map(({ id, entries }) => [id, ...entries.map(({ label }) => label)])

test('before anything is typed all stand in their groups, but for the many', () => {
  expect(found('')).toEqual([
    ['go', 'Frågor', 'Intresseanmälningar'],
    ['commands', 'Markera hanterad', 'Visa bara mina'],
    ['queues', 'Försenade'],
    ['views', 'Mina frågor'],
  ])
})

test('the group with the best match comes first', () => {
  expect(found('mina')).toEqual([
    ['views', 'Mina frågor'],
    ['commands', 'Visa bara mina'],
  ])
  expect(found('fragor')).toEqual([
    ['go', 'Frågor'],
    ['views', 'Mina frågor'],
  ])
})

test('a heading helps to find what stands under it, behind what is called so itself', () => {
  expect(found('köer förs')).toEqual([['queues', 'Försenade']])
  expect(found('skolor nor')).toEqual([['schools', 'Norra Gymnasiet']])
})

const best = (typed: string, ...texts: string[]) =>
  texts
    .map((text) => ({ text, rank: matchText(text, typed) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ text }) => text)

test('finds without accents, and the best beginning first', () => {
  expect(best('ater', 'Hantera', 'Ångra, åter till förra', 'Återställ till Ny')).toEqual([
    'Återställ till Ny',
    'Ångra, åter till förra',
  ])
  expect(best('oberg', 'Öbergsskolan', 'Norra')).toEqual(['Öbergsskolan'])
})

test('a beginning of a word is nearer than a part of it, and every word must be met', () => {
  expect(matchText('Markera hanterad', 'hant')).toBe(1)
  expect(matchText('Markera hanterad', 'anter')).toBe(2)
  expect(matchText('Gå till Intresseanmälningar', 'ga intr')).toBeLessThan(Infinity)
  expect(matchText('Gå till Intresseanmälningar', 'ga fragor')).toBe(Infinity)
})

const declared = (contactId: string, firstName: string | null) => ({
  ...declarationItem('d', { firstName }),
  contactId,
})
const asked = (contactId: string, email: string) => ({ ...questionItem('q', { email }), contactId })

test('each person once, by name where there is one, and nobody whom nothing names', () => {
  const people = distinctPeople([
    declared('anna', 'Anna'),
    declared('anna', 'Anna A'),
    declared('nobody', null),
    asked('anna', 'anna@example.com'),
    asked('bo', 'bo@example.com'),
  ])
  expect(people.map((item) => [item.contactId, nameOf(item)])).toEqual([
    ['anna', 'Anna'],
    ['bo', 'bo@example.com'],
  ])
})
