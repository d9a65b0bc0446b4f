import { expect, test } from 'vitest'
import { answerFrom, answersAfterSlash, answerSearch, namedIn } from './own-answers'
import { beginReply, type ReplyTo } from './reply-text'

const to: ReplyTo = {
  language: 'sv',
  firstName: 'Elsa',
  school: 'Norra Gymnasiet',
  author: 'Sara Lindqvist',
  isQuestion: true,
}
const { body: begun } = beginReply(to)

test('an answer keeps what was written, and has placeholders for what Intag fills in', () => {
  const written = begun.replace(
    'Hej Elsa!\n\n',
    'Hej Elsa!\n\nBussen går ända fram, Elsa. Kom till Norra Gymnasiet torsdag 3 december, kl. 17–19. Elsas kort är gratis.',
  )
  expect(answerFrom(written, to, begun)).toBe(
    'Bussen går ända fram, {firstName}. Kom till {school} torsdag 3 december, kl. 17–19. Elsas kort är gratis.',
  )
  expect(answerFrom(begun, to, begun)).toBe('')
})

test('whom a text names, whole words only', () => {
  expect(namedIn('Hej elsas, och Bo (070-1)', ['Elsa', 'Bo', 'Bosse', null, '070-1', '070-1', ' '])).toEqual([
    'Elsa',
    'Bo',
    '070-1',
  ])
  expect(namedIn('Boende', ['Bo'])).toEqual([])
})

test.each([
  ['/', 1, { from: 0, query: '' }],
  ['Hej!\n/bu', 8, { from: 5, query: 'bu' }],
  ['se /buss här', 8, { from: 3, query: 'buss' }],
  ['https://x', 9, null],
  ['och/eller', 9, null],
  ['kl 1 / 2', 8, null],
])('what %j looks for at %i', (text, caret, found) => expect(answerSearch(text, caret)).toEqual(found))

test('answers are found by the beginning of a word, the own first, and five at most', () => {
  const answer = (name: string, isOwn?: true) =>
    ({ id: name, name, language: 'sv', subject: '', body: '', isOwn }) as const
  const all = [answer('Buss och tåg'), answer('Antagning'), answer('Årskort, buss', true)]
  const { itemsFor } = answersAfterSlash({ all, to })
  expect(itemsFor('BUS').map(({ name }) => name)).toEqual(['Årskort, buss', 'Buss och tåg'])
  expect(itemsFor('ars').map(({ name }) => name)).toEqual(itemsFor('års').map(({ name }) => name))
  expect(itemsFor('uss')).toEqual([])
  const many = 'abcdefg'.split('').map((name) => answer(name))
  expect(answersAfterSlash({ all: many, to }).itemsFor('')).toHaveLength(5)
})

test.each(['sv', 'en'] as const)("answers in the reply's language, %s, come before the others", (language) => {
  const answers = (of: 'sv' | 'en') =>
    'abcd'
      .split('')
      .map((letter) => ({ id: letter + of, name: letter, language: of, subject: '', body: '', isOwn: true as const }))
  const all = [...answers('en'), ...answers('sv').map(({ isOwn: _none, ...shared }) => shared)]
  const { itemsFor } = answersAfterSlash({ all, to: { language } })
  const other = language === 'sv' ? 'en' : 'sv'
  expect(itemsFor('').map(({ id }) => id)).toEqual([
    `a${language}`,
    `b${language}`,
    `c${language}`,
    `d${language}`,
    `a${other}`,
  ])
})
