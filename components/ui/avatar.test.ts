import { expect, it } from 'vitest'
import { toInitials } from './avatar'

it.each([
  ['Åsa Öberg', 'ÅÖ'],
  ['Anna Maria von Essen', 'AE'],
  ['zlatan', 'Z'],
  ['Anna (HR)', 'AH'],
  ['karin@skola.se', 'KS'],
  ['  ', ''],
  ['𝒜da Lovelace', '𝒜L'],
])('%s is %s', (name, initials) => {
  expect(toInitials(name)).toBe(initials)
})
