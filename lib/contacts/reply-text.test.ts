import { describe, expect, it } from 'vitest'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { guessLanguage } from './guess-language'
import { appendQuote, beginReply, findCaret, findGreetingName } from './reply-text'

const to = { language: 'sv', firstName: 'Åsa', school: 'Norra', sender: 'Sara Lind', isQuestion: true } as const
const { body: begunBody, caret } = beginReply(to)
/** As a reply is begun, with this text where the caret is. */
const writtenBody = (text: string) => begunBody.slice(0, caret) + text + begunBody.slice(caret)

describe('a reply that is begun', () => {
  it.each([
    [to, 'Svar på din fråga till Norra', 'Hej Åsa!\n\n\n\nVänliga hälsningar\nSara Lind, Norra'],
    [{ ...to, isQuestion: false }, 'Ditt intresse för Norra', begunBody],
    [
      { ...to, language: 'en', firstName: null } as const,
      'Your question to Norra',
      'Hi,\n\n\n\nKind regards,\nSara Lind, Norra',
    ],
  ])('greets by name where it is known, in the language of the question: %o', (context, subject, body) => {
    expect(beginReply(context)).toMatchObject({ subject, body })
  })

  it.each([
    [begunBody, 'Hej Åsa!\n\n'],
    [writtenBody('Ja, '), 'Hej Åsa!\n\nJa, '],
    ['Hej!\nJa.\nVänliga hälsningar\nSara', 'Hej!\nJa.'],
    ['Hej!\n\nJa.', 'Hej!\n\nJa.'],
  ])('goes on after one’s own text, or at the end where the closing was taken away: %j', (body, before) => {
    expect(body.slice(0, findCaret(body, 'sv'))).toBe(before)
  })
})

it.each([
  ['Ja.\n', ' Hej!\r\n\r\nFår man? ', 'Ja.\n\nDu skrev:\n> Hej!\n>\n> Får man?'],
  ['Ja.\n\n', null, 'Ja.'],
  ['Ja.', '  ', 'Ja.'],
])('below %j the question %j is quoted line by line, or left out', (body, question, text) => {
  expect(appendQuote(body, question, 'sv')).toBe(text)
})

it('a declaration is greeted by its own name, a question by that of its person', () => {
  const declared = [' Åsa ', null, ' '].map((firstName) => declarationItem('d', { firstName }))
  const person = { name: 'Åsa Lind', declared: [], asked: [], questions: 0, attempts: 0, open: 1, leads: 1 }
  const asked = [{ ...person, firstName: 'Åsa' }, person, null].map((one) => ({ ...questionItem('q'), person: one }))
  expect([...declared, ...asked].map(findGreetingName)).toEqual(['Åsa', null, null, 'Åsa', null, null])
})

it.each([
  ['Hej! Hur många platser finns det på teknik?', ['sv', 'sv']],
  ['Hi! When is the open house, and do I have to register?', ['en', 'en']],
  ['Jag undrar om ni har International Baccalaureate, the IB diploma programme', ['sv', 'sv']],
  ['APL?', ['en', 'sv']],
  ['Idrott i Norra, kommer alla in?', ['en', 'sv']],
  ['我想问一下 🙂', ['en', 'sv']],
] as const)('with the fallbacks English and Swedish, %s is in %s', (text, languages) => {
  expect([guessLanguage(text, 'en'), guessLanguage(text, 'sv')]).toEqual(languages)
})
