import fc from 'fast-check'
import { expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { highlightLead, highlightPhone, highlightText, type TextPart } from './highlighted-lead'

const shown = (parts: readonly TextPart[]) => parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')
const row = (lead: Parameters<typeof highlightLead>[0], query: string) => {
  const { heading, question: asked, details } = highlightLead(lead, query)
  return [asked === null ? shown(heading) : shown(asked), ...details.map(shown)]
}

const contactDetails = { email: 'asa.oberg2027@example.se', phone: '+46701740606' }
const åsa = declaration('1', { firstName: 'Åsa', lastName: 'Öberg', ...contactDetails })

test.each([
  ['asa', ['[Åsa] Öberg']],
  ['åsa 070-174', ['[Åsa] Öberg']],
  ['2027@ 0046 70 174', ['Åsa Öberg', 'asa.oberg[2027@]example.se', '[070-174] 06 06']],
])('a row shows the address or the phone that %j met, if the name does not say it', (query, parts) => {
  expect(row(åsa, query)).toEqual(parts)
})

const tour = 'Hej! När är ert öppna hus i vår? Vi kommer gärna båda två och tar bussen från Ånäs.'
const long = `${'Hej och hå. '.repeat(4)}restaurangochlivsmedelsprogrammet`
test.each([
  ['from its beginning, where the match can be seen', tour, 'öppna', tour.replace('öppna', '[öppna]')],
  ['from shortly before the match', tour, 'ånäs', '… tar bussen från [Ånäs].'],
  ['from within a long word', long, 'program', '… [program]met'],
])('a question is shown %s', (_, asked, query, excerpt) => {
  expect(row(question('4', { text: asked }), query)).toEqual([excerpt])
})

test('a question is headed by its sender, where what was met in the address can be seen', () => {
  const asked = question('4', { text: 'Hej! När är ert öppna hus?', email: 'bussen@example.se' })
  expect(shown(highlightLead(asked, 'öppna bussen').heading)).toBe('[bussen]@example.se')
})

test.each([
  ['Åsa asa', 'asa', '[Åsa] [asa]'],
  ['Åsa asa', 'åsa', '[Åsa] [asa]'],
  ['Åsa Öberg', 'OBERG åsa', '[Åsa] [Öberg]'],
  ['Linne\u0301a Sjöberg', 'linnea', '[Linne\u0301a] Sjöberg'],
  ['Straße 🎓 åk 9', 'strasse', '[Straße] 🎓 åk 9'],
  ['asa@asa.se', 'asa', '[asa]@[asa].se'],
  ['Åsa', '  ', 'Åsa'],
])('in the text %j a search for %j marks %j', (plain, query, marked) => {
  expect(shown(highlightText(plain, query))).toBe(marked)
})

test.each([
  ['070-174 06 05', '0701740', '[070-174 0]6 05'],
  ['070-174 06 05', '+46 70 17', '[070-17]4 06 05'],
  ['070-174 06 05', '0046 70', '[070]-174 06 05'],
  ['+467000000000', '467000', '+[467000]000000'],
])('in the phone %j a search for %j marks %j', (phone, query, marked) => {
  expect(shown(highlightPhone(phone, query))).toBe(marked)
})

test('marking never loses or changes a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      for (const parts of [highlightText(text, query), highlightPhone(text, query)])
        expect(parts.map((part) => part.text).join('')).toBe(text)
    }),
  )
})
