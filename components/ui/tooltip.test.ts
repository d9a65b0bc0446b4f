import { expect, test } from 'vitest'
import { keysOf } from './tooltip'

test('a shortcut names the keys of this machine', () => {
  expect(keysOf('Control+K', '⌘')).toBe('⌘ K')
  expect(keysOf('Control+K', 'Ctrl')).toBe('Ctrl K')
  expect(keysOf('?', '⌘')).toBe('?')
})
