import { expect, test } from 'vitest'
import { namedIn, templateFrom } from './own-template'
import { beginReply, type ReplyTo } from './reply-text'

const to: ReplyTo = {
  language: 'sv',
  firstName: 'Elsa',
  school: 'Norra Gymnasiet',
  author: 'Sara Lindqvist',
  isQuestion: true,
}
const { body: begun } = beginReply(to)

test('a template keeps what was written, and has placeholders for what Intag fills in', () => {
  const written = begun.replace(
    'Hej Elsa!\n\n',
    'Hej Elsa!\n\nBussen går ända fram, Elsa. Kom till Norra Gymnasiet. Elsas kort är gratis.',
  )
  expect(templateFrom(written, to, begun)).toBe(
    'Bussen går ända fram, {firstName}. Kom till {school}. Elsas kort är gratis.',
  )
  expect(templateFrom(begun, to, begun)).toBe('')
})

test('whom a text names, whole words only', () => {
  expect(namedIn('Hej elsas, och Bo (070-1)', ['Elsa', 'Bo', 'Bosse', null, '070-1', '070-1', ' '])).toEqual([
    'Elsa',
    'Bo',
    '070-1',
  ])
  expect(namedIn('Boende', ['Bo'])).toEqual([])
})
