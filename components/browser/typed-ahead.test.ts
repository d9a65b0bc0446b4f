import { expect, test } from 'vitest'
import { textAfter } from './typed-ahead'

const held = (...keys: string[]) => keys.reduce((text, key) => textAfter(text, key) ?? text, '')

test('signs are held in their order, the last can be taken back, and other keys write nothing', () => {
  expect(held('f', 'r', 'å')).toBe('frå')
  expect(held('f', 'r', 'o', 'Backspace', 'å', ' ')).toBe('frå ')
  expect(held('f', 'Shift', 'ArrowDown', 'Enter', 'F5', 'r')).toBe('fr')
  expect(textAfter('fr', 'Enter')).toBeNull()
})
