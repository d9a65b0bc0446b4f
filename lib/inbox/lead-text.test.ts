import { expect, test } from 'vitest'
import { declarationItem } from '@/lib/leads/testing/leads'
import { findDisplayName, listPersonDetails, cutOpening } from './lead-text'

const [email, phone] = ['a@b.se', '+46701740605']
test.each([
  [{ firstName: ' Åsa ', lastName: 'Öberg', email, phone }, 'Åsa Öberg', ['a@b.se', '070-174 06 05']],
  [{ lastName: 'Öberg' }, 'Öberg', []],
  [{ firstName: '', lastName: ' ', email, phone }, 'a@b.se', ['070-174 06 05']],
  [{}, null, []],
])('%j is called %s, and beside it stands %j', (user, name, beside) => {
  const lead = declarationItem('x', user)
  expect(findDisplayName(lead)).toBe(name)
  const texts = listPersonDetails(lead).map(({ text }) => text)
  expect(texts.slice(1)).toEqual(beside)
})

test('a question opens with its first words on one line', () => {
  expect(cutOpening('Hej!\n\n  Har ni musik?')).toBe('Hej! Har ni musik?')
  expect(cutOpening('x'.repeat(5000))).toHaveLength(161)
})

// Half a character is another text in the page that the server writes than in the browser.
test.each([158, 159, 160, 318, 319, 320])('no question opens with half a character, cut at %i', (before) => {
  const opening = cutOpening(`${'x'.repeat(before)}😊${' Tack!'.repeat(40)}`)
  expect(opening.isWellFormed()).toBe(true)
  expect(opening).not.toContain('\ufffd')
  expect(cutOpening(`${' '.repeat(before)}x😊`).isWellFormed()).toBe(true)
  expect(cutOpening(`Hej \ud83d ${'x'.repeat(before)}`)).toMatch(/^Hej \ufffd x/)
})
