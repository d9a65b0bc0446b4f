import { expect, it } from 'vitest'
import { languageOf } from './question-language'

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
