import { expect, test } from 'vitest'
import { item } from '@/lib/inbox/testing/pages'
import { nameOf, openingOf, waysBesideHeading } from './lead-text'

const withUser = (user: Partial<ReturnType<typeof item>['user']>) => ({
  ...item('x'),
  user: { ...item('x').user, ...user },
})

test('a person is called by name, else by what they can be reached by', () => {
  expect(nameOf(withUser({ firstName: ' Åsa ', lastName: 'Öberg' }))).toBe('Åsa Öberg')
  expect(nameOf(withUser({ firstName: null }))).toBe('Öberg')
  expect(nameOf(withUser({ firstName: '', lastName: ' ', email: 'a@b.se' }))).toBe('a@b.se')
  expect(nameOf(withUser({ firstName: null, lastName: null, phone: '+46701740605' }))).toBe('070-174 06 05')
  expect(nameOf(withUser({ firstName: null, lastName: null }))).toBeNull()
})

test('a row says how to reach the person, but nothing twice', () => {
  const both = { email: 'a@b.se', phone: '+46701740605' }
  const ways = (user: Parameters<typeof withUser>[0]) => waysBesideHeading(withUser(user)).map(({ text }) => text)
  expect(ways(both)).toEqual(['a@b.se', '070-174 06 05'])
  expect(ways({ ...both, firstName: null, lastName: null })).toEqual(['070-174 06 05'])
  expect(ways({ email: 'a@b.se', firstName: null, lastName: null })).toEqual([])
  expect(ways({})).toEqual([])
})

test('a question opens with its first words on one line', () => {
  expect(openingOf('Hej!\n\n  Har ni musik?')).toBe('Hej! Har ni musik?')
  expect(openingOf('x'.repeat(5000))).toHaveLength(161)
})

// Half a character is another text in the page that the server writes than in the browser.
test.each([158, 159, 160, 318, 319, 320])('no question opens with half a character, cut at %i', (before) => {
  const opening = openingOf(`${'x'.repeat(before)}😊${' Tack!'.repeat(40)}`)
  expect(opening.isWellFormed()).toBe(true)
  expect(opening).not.toContain('\ufffd')
  expect(openingOf(`${' '.repeat(before)}x😊`).isWellFormed()).toBe(true)
  expect(openingOf(`Hej \ud83d ${'x'.repeat(before)}`)).toMatch(/^Hej \ufffd x/)
})
