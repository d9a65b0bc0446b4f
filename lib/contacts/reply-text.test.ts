import { describe, expect, it } from 'vitest'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import {
  appendQuote,
  applyTemplate,
  beginReply,
  extractTemplate,
  findCaret,
  findNames,
  findProgramme,
  greetingName,
  guessLanguage,
  insertAt,
  omitRepeats,
} from './reply-text'

const to = { language: 'sv', firstName: 'Åsa', school: 'Norra', sender: 'Sara Lind', isQuestion: true } as const
const { body: begunBody, caret } = beginReply(to)
/** As a reply is begun, with this text where the caret is. */
const writtenBody = (text: string) => begunBody.slice(0, caret) + text + begunBody.slice(caret)

describe('a reply that is begun', () => {
  it('greets by name, ends with one’s own, and leaves room between', () => {
    expect(beginReply(to).subject).toBe('Svar på din fråga till Norra')
    expect(begunBody).toBe('Hej Åsa!\n\n\n\nVänliga hälsningar\nSara Lind, Norra')
    expect(writtenBody('Ja.')).toBe('Hej Åsa!\n\nJa.\n\nVänliga hälsningar\nSara Lind, Norra')
  })

  it('greets nobody where no name is known, in the language of the question', () => {
    const { subject, body } = beginReply({ ...to, language: 'en', firstName: null })
    expect(subject).toBe('Your question to Norra')
    expect(body.startsWith('Hi,\n\n')).toBe(true)
    expect(beginReply({ ...to, isQuestion: false }).subject).toBe('Ditt intresse för Norra')
  })

  it('goes on after one’s own text, or at the end where the closing was taken away', () => {
    expect(findCaret(begunBody, 'sv')).toBe(caret)
    expect(findCaret(writtenBody('Ja, '), 'sv')).toBe(caret + 'Ja, '.length)
    expect(findCaret('Hej!\nJa.\nVänliga hälsningar\nSara', 'sv')).toBe('Hej!\nJa.'.length)
    expect(findCaret('Hej!\n\nJa.', 'sv')).toBe('Hej!\n\nJa.'.length)
  })
})

it('the question is quoted below line by line, and left out where it is not wanted or empty', () => {
  expect(appendQuote('Ja.\n', ' Hej!\r\n\r\nFår man? ', 'sv')).toBe('Ja.\n\nDu skrev:\n> Hej!\n>\n> Får man?')
  expect(appendQuote('Ja.\n\n', null, 'sv')).toBe('Ja.')
  expect(appendQuote('Ja.', '  ', 'en')).toBe('Ja.')
})

it('a text is put in on lines of its own, whatever is around it', () => {
  expect(insertAt('Hej!\n\n\n\nHälsningar', 6, 'Mall.')).toEqual({ body: 'Hej!\n\nMall.\n\nHälsningar', caret: 11 })
  expect(insertAt('', 0, 'Mall.')).toEqual({ body: 'Mall.', caret: 5 })
  expect(insertAt('Hej! Ja.', 8, 'Mall.')).toEqual({ body: 'Hej! Ja.\n\nMall.', caret: 15 })
})

describe('a template', () => {
  const begun = { subject: 'Svar', body: 'Hej!\n\n\n\nSara' }
  const first = { subject: 'Öppet hus', body: 'Hej!\n\n\nVälkommen.' }
  const second = { subject: 'Antagning', body: 'Hej! Så här går det till.' }

  it('replaces a text that is as it was begun, and so does the next one', () => {
    expect(applyTemplate(begun, first, [begun], 0)).toEqual({ ...first, caret: 'Hej!\n\n'.length })
    expect(applyTemplate(first, second, [begun, first], 0)).toMatchObject({ ...second, caret: second.body.length })
  })

  it('never takes away what the person wrote', () => {
    const own = { subject: 'Min rubrik', body: 'Hej!\n\nJa.\n\nSara' }
    const filled = applyTemplate(own, first, [begun, first], own.body.length)
    expect(filled).toMatchObject({ subject: own.subject, body: `${own.body}\n\nVälkommen.` })
    const renamed = { ...begun, subject: 'Min rubrik' }
    expect(applyTemplate(renamed, first, [begun], 0)).toMatchObject({ subject: 'Min rubrik', body: first.body })
  })

  it('brings no second greeting and no second closing to what one wrote', () => {
    const template = writtenBody('Vi har snart öppet hus.')
    const own = { ...begun, body: writtenBody('Min egen text.') }
    const next = applyTemplate(own, { subject: 'Öppet hus', body: template }, [], caret + 'Min egen text.'.length)
    expect(next.body).toBe(writtenBody('Min egen text.\n\nVi har snart öppet hus.'))
  })

  it.each([
    ['where one wrote no greeting', 'Ja.', 'Hej Åsa!\n\nVälkommen.'],
    ['of which the greeting goes on', 'Hej!\n\nJa.', 'Hej, det går bra. Kom gärna.'],
    [
      'that goes on after its closing',
      begunBody,
      'Kom.\n\nVänliga hälsningar\nSara\n\nPS. Ta med någon.\n\nVi har kaffe.',
    ],
  ])('stays whole %s', (_, own, template) => expect(omitRepeats(own, template)).toBe(template))

  it('keeps what was written, and has placeholders for what Intag fills in', () => {
    const text = 'Bussen går ända fram, Åsa. Kom till Norra. Åsas kort är gratis.'
    const expected = 'Bussen går ända fram, {firstName}. Kom till {school}. Åsas kort är gratis.'
    expect(extractTemplate(writtenBody(text), to, begunBody)).toBe(expected)
    expect(extractTemplate(begunBody, to, begunBody)).toBe('')
  })

  it('is about nobody: it is known whom a text names, by whole words only', () => {
    const names = ['Elsa', 'Bo', 'Bosse', null, '070-1', '070-1', ' ']
    expect(findNames('Hej elsas, och Bo (070-1)', names)).toEqual(['Elsa', 'Bo', '070-1'])
    expect(findNames('Boende', ['Bo'])).toEqual([])
  })
})

it('a declaration is greeted by its own name, a question by that of its person', () => {
  const declared = [' Åsa ', null, ' '].map((firstName) => declarationItem('d', { firstName }))
  expect(declared.map(greetingName)).toEqual(['Åsa', null, null])
  const person = { name: 'Åsa Lind', declared: [], asked: [], questions: 0, attempts: 0, open: 1, leads: 1 }
  const known = [{ ...person, firstName: 'Åsa' }, person, null]
  expect(known.map((one) => greetingName({ ...questionItem('q'), person: one }))).toEqual(['Åsa', null, null])
})

it.each([
  ['Hur många går på Naturvetenskapsprogrammet? Är naturvetenskapsprogrammet svårt?', 'naturvetenskapsprogrammet'],
  ['Jag har sökt försäljnings- och serviceprogrammet hos er.', 'försäljnings- och serviceprogrammet'],
  ['Vad gör man efter estetiska programmet?', 'estetiska programmet'],
  ['Finns IB-programmet?', 'IB-programmet'],
  ['Jag velar mellan teknikprogrammet och ekonomiprogrammet.', null],
  ['Kan man byta program? Hur är det på programmet?', null],
])('of the programme in "%s" a reply says: %s', (question, programme) => {
  expect(findProgramme(question)).toBe(programme)
})

it.each([
  ['Hej! Hur många platser finns det på teknik?', 'sv'],
  ['När är öppet hus', 'sv'],
  ['Hi! When is the open house, and do I have to register?', 'en'],
  ['Jag undrar om ni har International Baccalaureate, the IB diploma programme', 'sv'],
] as const)('%s is in %s', (text, language) => {
  expect(guessLanguage(text, language === 'sv' ? 'en' : 'sv')).toBe(language)
})

it.each(['', 'APL?', '070-123 45 67', '🙂', '我想问一下'])('"%s" is in the language that is given', (text) => {
  expect([guessLanguage(text, 'en'), guessLanguage(text, 'sv')]).toEqual(['en', 'sv'])
})
