import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal } from './seal'

const seal = createSeal(new Uint8Array(32).fill(7))

test('what was sealed comes back, in its place only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = seal.close(text, 'notes 1')
      expect(seal.open(sealed, 'notes 1')).toBe(text)
      expect(seal.open(sealed, 'notes 2')).toBeNull()
    }),
  )
})

test('the same text never looks the same twice, and nothing of it can be read', () => {
  const sealed = seal.close('Åsa ringde', 'notes 1')
  expect(seal.close('Åsa ringde', 'notes 1')).not.toBe(sealed)
  expect(Buffer.from(sealed, 'base64').toString('utf8')).not.toContain('ringde')
})

test('another key, a changed byte and nonsense open nothing', () => {
  const sealed = seal.close('Åsa ringde', 'notes 1')
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(seal.open(bytes.toString('base64'), 'notes 1')).toBeNull()
  expect(seal.open('nonsense', 'notes 1')).toBeNull()
  expect(createSeal(new Uint8Array(32).fill(8)).open(sealed, 'notes 1')).toBeNull()
})
