import { describe, expect, it } from 'vitest'
import { applyTemplate, extractTemplate, fillTemplate, findNames, findUnknownPlaceholders } from './reply-template'
import { beginReply } from './reply-text'

const context = { language: 'sv', firstName: 'Åsa', school: 'Norra', sender: 'Sara Lind', isQuestion: true } as const
const { body: begunBody, caret } = beginReply(context)
/** As a reply is begun, with this text where the caret is. */
const writtenBody = (text: string) => begunBody.slice(0, caret) + text + begunBody.slice(caret)

const asa = { firstName: 'Åsa', school: 'Norra Gymnasiet' }

it.each([
  ['name and school', 'Hej {firstName}! {school}, {school}.', {}, 'Hej Åsa! Norra Gymnasiet, Norra Gymnasiet.'],
  ['no name', 'Hej {firstName}!\n\nTack', { firstName: null }, 'Hej!\n\nTack'],
  ['no name of blanks', 'Hi {firstName},', { firstName: '  ' }, 'Hi,'],
  ['no name on a line of its own', 'Rad\n  {firstName}\nslut', { firstName: null }, 'Rad\n\nslut'],
  ['no other braces', '{name} {Firstname} { school } {}', {}, '{name} {Firstname} { school } {}'],
  ['no braces of a value', '{firstName}', { firstName: '{school}$&' }, '{school}$&'],
  ['the sender', '/{sender}', { sender: 'Sara' }, '/Sara'],
  ['a value on one line', 'Svar från {school}', { school: 'Norra\r\nBcc: x@y.z' }, 'Svar från Norra Bcc: x@y.z'],
])('a template is filled with %s', (_, template, values, text) => {
  expect(fillTemplate(template, { ...asa, ...values })).toBe(text)
})

it('only misspelt placeholders are reported, once', () => {
  const text = 'Hej {firstName}, {förnamn} {Firstname} {förnamn} {school} {} { } a{b'
  expect(findUnknownPlaceholders(text)).toEqual(['{förnamn}', '{Firstname}', '{ }'])
})

describe('a template', () => {
  const begun = { subject: 'Svar', body: 'Hej!\n\n\n\nSara' }
  const first = { subject: 'Öppet hus', body: 'Hej!\n\n\nVälkommen.' }
  const second = { subject: 'Antagning', body: 'Hej! Så här går det till.' }

  it('replaces a text that is as it was begun, and so does the next one', () => {
    expect(applyTemplate(begun, first, [begun], 0)).toEqual({ ...first, caret: 'Hej!\n\n'.length })
    expect(applyTemplate(first, second, [begun, first], 0)).toMatchObject({ ...second, caret: second.body.length })
    const renamed = { ...begun, subject: 'Min rubrik' }
    expect(applyTemplate(renamed, first, [begun], 0)).toMatchObject({ subject: 'Min rubrik', body: first.body })
  })

  const atCaret = (marked: string) => ({ body: marked.replace('|', ''), caret: marked.indexOf('|') })
  const whole = 'Kom.\n\nHälsningar\nSara\n\nPS. Ta med någon.\n\nVi har kaffe.'

  it.each([
    ['in lines of its own', 'Hej!\n\n|\n\nSara', 'Mall.', 'Hej!\n\nMall.|\n\nSara'],
    ['into nothing', '|', 'Mall.', 'Mall.|'],
    ['at the end', 'Hej! Ja.|', 'Mall.', 'Hej! Ja.\n\nMall.|'],
    ['with its greeting where there is none', 'Ja.|', 'Hej Åsa!\n\nKom.', 'Ja.\n\nHej Åsa!\n\nKom.|'],
    ['whole if its greeting goes on', 'Hej!\n\nJa.|', 'Hej, kom gärna.', 'Hej!\n\nJa.\n\nHej, kom gärna.|'],
    ['whole if it goes on after its closing', writtenBody('|'), whole, writtenBody(`${whole}|`)],
    ['without a second greeting and closing', writtenBody('Ja.|'), writtenBody('Kom.'), writtenBody('Ja.\n\nKom.|')],
  ])('is put into what the person wrote %s', (_, own, body, expected) => {
    const { body: ownBody, caret: position } = atCaret(own)
    const inserted = applyTemplate(
      { subject: 'Min rubrik', body: ownBody },
      { subject: 'Öppet hus', body },
      [],
      position,
    )
    expect(inserted).toEqual({ subject: 'Min rubrik', ...atCaret(expected) })
  })

  it('keeps what was written, and has placeholders for what Intag fills in', () => {
    const text = 'Bussen går ända fram, Åsa. Kom till Norra. Åsas kort är gratis.'
    const expected = 'Bussen går ända fram, {firstName}. Kom till {school}. Åsas kort är gratis.'
    expect(extractTemplate(writtenBody(text), context, begunBody)).toBe(expected)
    expect(extractTemplate(begunBody, context, begunBody)).toBe('')
  })

  it.each([
    ['Per', 'Svara per e-post, Per.', 'Svara per e-post, {firstName}.'],
    ['per', 'Per, svara per e-post.', '{firstName}, svara per e-post.'],
    ['BO', 'Bo kan bo hemma. Hälsa BO.', '{firstName} kan bo hemma. Hälsa {firstName}.'],
    ['Elsa', 'Kom till norra, ELSA. NORRA väntar.', 'Kom till norra, {firstName}. {school} väntar.'],
  ])(
    'has a placeholder for the name %s with a capital, in any spelling, and none for a word',
    (firstName, text, body) => {
      expect(extractTemplate(text, { ...context, firstName }, '')).toBe(body)
    },
  )

  it('is about nobody: it is known whom a text names, by whole words only', () => {
    const names = ['Elsa', 'Bo', 'Bosse', null, '070-1', '070-1', ' ']
    expect(findNames('Hej elsas, och Bo (070-1)', names)).toEqual(['Elsa', 'Bo', '070-1'])
    expect(findNames('Boende', ['Bo'])).toEqual([])
  })
})
