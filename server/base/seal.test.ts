import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal, deriveKey } from './seal'

const OLD = new Uint8Array(32).fill(7)
const NEW = new Uint8Array(32).fill(8)
const seal = createSeal([OLD])
const rotated = createSeal([NEW, OLD])
const prefixOf = (key: Uint8Array) => /^1\.[\w-]{8}\./.exec(createSeal([key]).encrypt('', ''))?.[0] ?? 'none'

test('what was sealed comes back, in its place only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = seal.encrypt(text, 'notes 1')
      expect(seal.decrypt(sealed, 'notes 1')).toBe(text)
      expect(seal.decrypt(sealed, 'notes 2')).toBeNull()
    }),
  )
})

test('the same text is sealed differently each time, and unreadable', () => {
  const sealed = seal.encrypt('Åsa ringde', 'notes 1')
  expect(seal.encrypt('Åsa ringde', 'notes 1')).not.toBe(sealed)
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('utf8')).not.toContain('ringde')
})

test('a changed byte, an empty or foreign text and another purpose open nothing', () => {
  const sealed = seal.encrypt('Åsa ringde', 'notes 1')
  const prefix = prefixOf(OLD)
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const ofOtherPurpose = createSeal([OLD], 'messages').encrypt('Åsa ringde', 'notes 1')
  for (const wrong of [prefix + bytes.toString('base64url'), prefix, 'nonsense', ofOtherPurpose])
    expect(seal.decrypt(wrong, 'notes 1')).toBeNull()
})

test('texts name their key: the one before still opens, and seals nothing', () => {
  const before = seal.encrypt('Åsa ringde', 'notes 1')
  expect(rotated.decrypt(before, 'notes 1')).toBe('Åsa ringde')
  expect(createSeal([NEW]).decrypt(before, 'notes 1')).toBeNull()
  const after = rotated.encrypt('Åsa ringde', 'notes 1')
  expect(after.startsWith(prefixOf(NEW))).toBe(true)
  expect(createSeal([NEW]).decrypt(after, 'notes 1')).toBe('Åsa ringde')
  expect(seal.decrypt(after, 'notes 1')).toBeNull()
  const misnamed = before.replace(prefixOf(OLD), prefixOf(NEW))
  expect(rotated.decrypt(misnamed, 'notes 1')).toBeNull()
})

test('older texts, which name no key, are tried with each key', () => {
  const nonce = Buffer.alloc(12, 3)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(OLD, 'sealed texts'), nonce).setAAD(Buffer.from('notes 1'))
  const body = Buffer.concat([cipher.update('Åsa ringde', 'utf8'), cipher.final()])
  const unnamed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
  const opened = [seal, rotated, createSeal([NEW])].map((each) => each.decrypt(unnamed, 'notes 1'))
  expect(opened).toEqual(['Åsa ringde', 'Åsa ringde', null])
})
