import { expect, it } from 'vitest'
import { initialsOf } from './avatar'

it.each([
  ['Åsa Öberg', 'ÅÖ'],
  ['Anna Maria von Essen', 'AE'],
  ['Erik Lindström-Hagen', 'EH'],
  ['zlatan', 'Z'],
  ['karin@skola.se', 'KS'],
  ['  ', ''],
  ['𝒜da Lovelace', '𝒜L'],
])('%s is %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
