import { describe, expect, it } from 'vitest'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import { suggestTemplate } from './suggest-template'

const template = (name: string, subject: string, body: string): ReplyTemplate => ({
  id: name,
  language: 'sv',
  name,
  subject,
  body,
})
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

  it('is none of those to whom one called in vain, for whoever has applied', () => {
    const sought = template(
      'Vi har sökt dig på telefon',
      'Vi har sökt dig',
      'Hej {firstName}! Vi har ringt utan att få svar.',
    )
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
