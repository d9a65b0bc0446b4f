import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, truncate } from './cut-text'

test('what is left of whole characters is whole characters, as many as there is room for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const cut = cutText(text, most)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1))
    }),
  )
})

test('what is too long ends with a sign that it goes on', () => {
  expect(truncate('Norra', 5)).toBe('Norra')
  expect(truncate('Norra skolan', 6)).toBe('Norra…')
  expect(truncate('Tack 😊😊', 7)).toBe('Tack …')
})
