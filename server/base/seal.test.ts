import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSeal, deriveKey } from './seal'

const OLD = new Uint8Array(32).fill(7)
const NEW = new Uint8Array(32).fill(8)
const seal = createSeal(OLD)
const prefixOf = (key: Uint8Array) => /^1\.[\w-]{8}\./.exec(createSeal(key).encrypt('', ''))?.[0] ?? 'none'

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

test('another key, a changed byte and nonsense open nothing', () => {
  const sealed = seal.encrypt('Åsa ringde', 'notes 1')
  const [version = '', key = '', body = ''] = sealed.split('.')
  const bytes = Buffer.from(body, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(seal.decrypt(`${version}.${key}.${bytes.toString('base64url')}`, 'notes 1')).toBeNull()
  expect(seal.decrypt('nonsense', 'notes 1')).toBeNull()
  expect(seal.decrypt(`${version}.${key}.`, 'notes 1')).toBeNull()
  expect(createSeal(NEW).decrypt(sealed, 'notes 1')).toBeNull()
})

describe('when the key is changed', () => {
  const rotated = createSeal({ current: NEW, previous: OLD })

  test('texts name their key: the one before still opens, and seals nothing', () => {
    const before = seal.encrypt('Åsa ringde', 'notes 1')
    expect(before.startsWith(prefixOf(OLD))).toBe(true)
    expect(rotated.decrypt(before, 'notes 1')).toBe('Åsa ringde')
    const after = rotated.encrypt('Åsa ringde', 'notes 1')
    expect(after).toMatch(/^1\.[\w-]{8}\.[\w-]+$/)
    expect(after.startsWith(prefixOf(NEW))).toBe(true)
    expect(createSeal(NEW).decrypt(after, 'notes 1')).toBe('Åsa ringde')
    expect(seal.decrypt(after, 'notes 1')).toBeNull()
  })

  test('a text under another name is not tried', () => {
    const sealed = seal.encrypt('Åsa ringde', 'notes 1').replace(prefixOf(OLD), prefixOf(NEW))
    expect(rotated.decrypt(sealed, 'notes 1')).toBeNull()
  })

  test('texts without a key’s name are tried with each key', () => {
    const unnamed = sealWithoutName('Åsa ringde', 'notes 1', OLD)
    const opened = [seal, rotated, createSeal(NEW)].map((each) => each.decrypt(unnamed, 'notes 1'))
    expect(opened).toEqual(['Åsa ringde', 'Åsa ringde', null])
  })

  test('what is sealed for one purpose cannot be read for another', () => {
    const sealed = createSeal(OLD, 'messages').encrypt('Åsa ringde', 'notes 1')
    expect(seal.decrypt(sealed, 'notes 1')).toBeNull()
  })
})

function sealWithoutName(text: string, place: string, dataKey: Uint8Array): string {
  const nonce = Buffer.alloc(12, 3)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(dataKey, 'sealed texts'), nonce).setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}
