import { describe, expect, it } from 'vitest'
import { beginReply, bodyWithQuote, insertedAt } from './reply-text'

const to = { language: 'sv', firstName: 'Åsa', school: 'Norra', author: 'Sara Lind', isQuestion: true } as const

describe('a reply that is begun', () => {
  it('greets by name, ends with one’s own, and leaves room between', () => {
    const { subject, body, caret } = beginReply(to)
    expect(subject).toBe('Svar på din fråga till Norra')
    expect(body).toBe('Hej Åsa!\n\n\n\nVänliga hälsningar\nSara Lind, Norra')
    expect(`${body.slice(0, caret)}Ja.${body.slice(caret)}`).toBe(
      'Hej Åsa!\n\nJa.\n\nVänliga hälsningar\nSara Lind, Norra',
    )
  })

  it('greets nobody where no name is known, in the language of the question', () => {
    const { subject, body } = beginReply({ ...to, language: 'en', firstName: null })
    expect(subject).toBe('Your question to Norra')
    expect(body.startsWith('Hi,\n\n')).toBe(true)
    expect(beginReply({ ...to, isQuestion: false }).subject).toBe('Ditt intresse för Norra')
  })
})

describe('the question below', () => {
  it('is quoted line by line', () => {
    expect(bodyWithQuote('Ja.\n', ' Hej!\r\n\r\nFår man? ', 'sv')).toBe('Ja.\n\nDu skrev:\n> Hej!\n>\n> Får man?')
  })

  it('is left out where it is not wanted, or empty', () => {
    expect(bodyWithQuote('Ja.\n\n', null, 'sv')).toBe('Ja.')
    expect(bodyWithQuote('Ja.', '  ', 'en')).toBe('Ja.')
  })
})

it('a text is put in on lines of its own, whatever stands around it', () => {
  expect(insertedAt('Hej!\n\n\n\nHälsningar', 6, 'Mall.')).toEqual({ body: 'Hej!\n\nMall.\n\nHälsningar', caret: 11 })
  expect(insertedAt('', 0, 'Mall.')).toEqual({ body: 'Mall.', caret: 5 })
  expect(insertedAt('Hej! Ja.', 8, 'Mall.')).toEqual({ body: 'Hej! Ja.\n\nMall.', caret: 15 })
})
