import { describe, expect, it } from 'vitest'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import {
  beginReply,
  withoutRepeats,
  bodyWithQuote,
  greetingName,
  insertedAt,
  languageOf,
  namedIn,
  placeToGoOn,
  programmeIn,
  type ReplyTo,
  templateFrom,
  withTemplate,
} from './reply-text'

const to = { language: 'sv', firstName: 'Åsa', school: 'Norra', sender: 'Sara Lind', isQuestion: true } as const

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

describe('a reply that one comes back to', () => {
  const { body, caret } = beginReply(to)
  it('goes on after one’s own text, as far as one had come', () => {
    expect(placeToGoOn(body, 'sv')).toBe(caret)
    const written = `${body.slice(0, caret)}Ja, ${body.slice(caret)}`
    expect(placeToGoOn(written, 'sv')).toBe(caret + 'Ja, '.length)
    expect(placeToGoOn('Hej!\nJa.\nVänliga hälsningar\nSara', 'sv')).toBe('Hej!\nJa.'.length)
  })

  it('goes on at the end where the closing was taken away', () => {
    expect(placeToGoOn('Hej!\n\nJa.', 'sv')).toBe('Hej!\n\nJa.'.length)
    expect(placeToGoOn(body, 'en')).toBe(body.length)
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

it('a text is put in on lines of its own, whatever is around it', () => {
  expect(insertedAt('Hej!\n\n\n\nHälsningar', 6, 'Mall.')).toEqual({ body: 'Hej!\n\nMall.\n\nHälsningar', caret: 11 })
  expect(insertedAt('', 0, 'Mall.')).toEqual({ body: 'Mall.', caret: 5 })
  expect(insertedAt('Hej! Ja.', 8, 'Mall.')).toEqual({ body: 'Hej! Ja.\n\nMall.', caret: 15 })
})

describe('a template', () => {
  const begun = { subject: 'Svar', body: 'Hej!\n\n\n\nSara' }
  const first = { subject: 'Öppet hus', body: 'Hej!\n\n\nVälkommen.' }
  const second = { subject: 'Antagning', body: 'Hej! Så här går det till.' }

  it('replaces a text that is as it was begun, and so does the next one', () => {
    expect(withTemplate(begun, first, [begun], 0)).toEqual({ ...first, caret: 'Hej!\n\n'.length })
    expect(withTemplate(first, second, [begun, first], 0)).toMatchObject({ ...second, caret: second.body.length })
  })

  it('never takes away what the person wrote, however many are tried', () => {
    const own = { subject: 'Min rubrik', body: 'Hej!\n\nJa.\n\nSara' }
    let now = own
    for (const template of [first, second, first]) {
      now = withTemplate(now, template, [begun, template], now.body.length)
      expect(now.body.startsWith(own.body)).toBe(true)
      expect(now.subject).toBe('Min rubrik')
    }
    const renamed = { ...begun, subject: 'Min rubrik' }
    expect(withTemplate(renamed, first, [begun], 0)).toMatchObject({ subject: 'Min rubrik', body: first.body })
  })

  it('brings no second greeting and no second closing to what one wrote', () => {
    const template = 'Hej Åsa!\n\nVi har snart öppet hus.\n\nVänliga hälsningar\nSara Lind, Norra'
    const { body, caret } = beginReply(to)
    const own = { ...begun, body: `${body.slice(0, caret)}Min egen text.${body.slice(caret)}` }
    const next = withTemplate(own, { subject: 'Öppet hus', body: template }, [], caret + 'Min egen text.'.length)
    expect(next.body).toBe(
      'Hej Åsa!\n\nMin egen text.\n\nVi har snart öppet hus.\n\nVänliga hälsningar\nSara Lind, Norra',
    )
    expect(withoutRepeats('Ja.', template)).toBe(template)
    expect(withoutRepeats('Hej!\n\nJa.', 'Hej, det går bra. Kom gärna.')).toBe('Hej, det går bra. Kom gärna.')
    const more = 'Välkommen.\n\nVänliga hälsningar\nSara\n\nPS. Ta med någon.\n\nVi har kaffe.'
    expect(withoutRepeats(body, more)).toBe(more)
    expect(withoutRepeats('Hi,\n\nYes.', 'Hi Åsa,\n\nCome.\n\nKind regards,\nSara')).toBe(
      'Come.\n\nKind regards,\nSara',
    )
  })
})

describe('the name to greet by', () => {
  it('of a declaration is its own', () => {
    const declared = (firstName: string | null) => declarationItem('d', { firstName })
    expect([declared(' Åsa '), declared(null), declared(' ')].map(greetingName)).toEqual(['Åsa', null, null])
  })

  it('of a question is there with its row, before anything else has come', () => {
    const person = { name: 'Åsa Lind', declared: [], asked: [], questions: 0, attempts: 0, open: 1, leads: 1 }
    const asked = questionItem('q', { email: 'asa@example.se' })
    expect(greetingName({ ...asked, person: { ...person, firstName: 'Åsa' } })).toBe('Åsa')
    expect(
      [
        { ...asked, person },
        { ...asked, person: null },
      ].map(greetingName),
    ).toEqual([null, null])
  })
})

it.each([
  ['Hur många går på Naturvetenskapsprogrammet? Är naturvetenskapsprogrammet svårt?', 'naturvetenskapsprogrammet'],
  ['Jag har sökt försäljnings- och serviceprogrammet hos er.', 'försäljnings- och serviceprogrammet'],
  ['Vad gör man efter estetiska programmet?', 'estetiska programmet'],
  ['Finns IB-programmet?', 'IB-programmet'],
  ['Jag velar mellan teknikprogrammet och ekonomiprogrammet.', null],
  ['Kan man byta program? Hur är det på programmet?', null],
])('of the programme in "%s" a reply says: %s', (question, programme) => {
  expect(programmeIn(question)).toBe(programme)
})

const elsa: ReplyTo = {
  language: 'sv',
  firstName: 'Elsa',
  school: 'Norra Gymnasiet',
  sender: 'Sara Lindqvist',
  isQuestion: true,
}
const { body: begun } = beginReply(elsa)

it('a template keeps what was written, and has placeholders for what Intag fills in', () => {
  const written = begun.replace(
    'Hej Elsa!\n\n',
    'Hej Elsa!\n\nBussen går ända fram, Elsa. Kom till Norra Gymnasiet. Elsas kort är gratis.',
  )
  expect(templateFrom(written, elsa, begun)).toBe(
    'Bussen går ända fram, {firstName}. Kom till {school}. Elsas kort är gratis.',
  )
  expect(templateFrom(begun, elsa, begun)).toBe('')
})

it('whom a text names, whole words only', () => {
  expect(namedIn('Hej elsas, och Bo (070-1)', ['Elsa', 'Bo', 'Bosse', null, '070-1', '070-1', ' '])).toEqual([
    'Elsa',
    'Bo',
    '070-1',
  ])
  expect(namedIn('Boende', ['Bo'])).toEqual([])
})

it.each([
  ['Hej! Hur många platser finns det på teknik?', 'sv'],
  ['Min son går i nian. Kan vi komma på besök?', 'sv'],
  ['När är öppet hus', 'sv'],
  ['Hi! When is the open house, and do I have to register?', 'en'],
  ['My daughter is in year nine. What programmes do you have in English?', 'en'],
  ['Jag undrar om ni har International Baccalaureate, the IB diploma programme', 'sv'],
] as const)('%s is in %s', (text, language) => {
  expect(languageOf(text, language === 'sv' ? 'en' : 'sv')).toBe(language)
})

it('a text without known words is in the language that is given', () => {
  for (const text of ['', 'APL?', '070-123 45 67', '🙂', '我想问一下']) {
    expect(languageOf(text, 'en'), text).toBe('en')
    expect(languageOf(text, 'sv'), text).toBe('sv')
  }
})
