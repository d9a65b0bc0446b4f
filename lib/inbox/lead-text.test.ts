import { expect, test } from 'vitest'
import { declarationItem } from '@/lib/leads/testing/leads'
import { displayNameOf, listPersonDetails, openingOf } from './lead-text'

const [email, phone] = ['a@b.se', '+46701740605']
test.each([
  [{ firstName: ' Åsa ', lastName: 'Öberg', email, phone }, 'Åsa Öberg', ['a@b.se', '070-174 06 05']],
  [{ lastName: 'Öberg' }, 'Öberg', []],
  [{ firstName: '', lastName: ' ', email, phone }, 'a@b.se', ['070-174 06 05']],
  [{}, null, []],
])('%j is called %s, and beside it stands %j', (user, name, beside) => {
  const lead = declarationItem('x', user)
  expect(displayNameOf(lead)).toBe(name)
  expect(
    listPersonDetails(lead)
      .slice(1)
      .map(({ text }) => text),
  ).toEqual(beside)
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
