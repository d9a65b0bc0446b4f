import { describe, expect, it } from 'vitest'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { languageOf, suggestTemplate } from './suggest-template'

function template(name: string, subject: string, body: string): ReplyTemplate {
  return { id: name, language: 'sv', name, subject, body }
}
const openHouse = template('Kom på öppet hus', 'Välkommen på öppet hus på {school}', 'Hej {firstName}! Ta med någon.')
const points = template('Antagningspoäng', 'Antagningspoäng', 'Här är fjolårets poäng för våra program.')
const answer = template('Svar på din fråga', 'Svar på din fråga till {school}', 'Tack för din fråga. Hör av dig igen.')
const all = [answer, openHouse, points]

describe('the template that a question suggests', () => {
  it('shares its words, in whatever form they are', () => {
    expect(suggestTemplate('Får man träffa lärare på ÖPPET hus??', all)).toBe(openHouse)
    expect(suggestTemplate('När är ert öppna hus i höst?', all)).toBe(openHouse)
    expect(suggestTemplate('Vilka antagningspoängen var det i fjol?', all)).toBe(points)
  })

  it('is none where the words that they share are in every letter', () => {
    expect(suggestTemplate('Jag har en fråga till skolan och vill gärna ha svar', all)).toBeNull()
    expect(suggestTemplate('Hej, hör av er igen om hur man kan få mer av det', all)).toBeNull()
    expect(suggestTemplate('', all)).toBeNull()
    expect(suggestTemplate('Öppet hus?', [])).toBeNull()
  })

  it('is not the one for a failed call, for a person who has applied', () => {
    const body = 'Hej {firstName}! Vi har ringt utan att få svar.'
    const sought = template('Vi har sökt dig på telefon', 'Vi har sökt dig', body)
    const asks = 'Hej, jag har sökt naturbruksprogrammet som förstahandsval. Finns det skåp till alla elever?'
    expect(suggestTemplate(asks, [sought])).toBeNull()
    expect(suggestTemplate('Kan jag söka till er, och hur ansöker man?', [sought])).toBeNull()
    expect(suggestTemplate('Har ni sökt mig på telefon?', [sought])).toBe(sought)
  })

  it('is the one that says it in its name', () => {
    const letter = template('Välkommen', 'Välkommen', 'Det är öppet på vårt hus: poäng och öppet hus.')
    expect(suggestTemplate('När är det öppet?', [letter, openHouse])).toBe(openHouse)
  })
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
