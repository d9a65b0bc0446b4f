import { expect, test } from 'vitest'
import { matchText } from './match-text'

const best = (typed: string, ...texts: string[]) =>
  texts
    .map((text) => ({ text, rank: matchText(text, typed) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ text }) => text)

test('finds without accents, and the best beginning first', () => {
  expect(best('ater', 'Hantera', 'Ångra, åter till förra', 'Återställ till Ny')).toEqual([
    'Återställ till Ny',
    'Ångra, åter till förra',
    'Hantera',
  ])
  expect(best('oberg', 'Öbergsskolan', 'Norra')).toEqual(['Öbergsskolan'])
})

test('every word must be met, letters in order are enough', () => {
  expect(matchText('Gå till Intresseanmälningar', 'ga intr')).not.toBeNull()
  expect(matchText('Gå till Intresseanmälningar', 'ga fragor')).toBeNull()
  expect(matchText('Hanterad', 'hntd')).not.toBeNull()
  expect(matchText('Hanterad', 'dh')).toBeNull()
})

test('nothing typed finds everything', () => {
  expect(matchText('Hanterad', '  ')).toBe(0)
})
