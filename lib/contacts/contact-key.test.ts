import { describe, expect, it } from 'vitest'
import { keyOf, NO_KEY } from './contact-key'

describe('contact keys', () => {
  it('differ for a hundred thousand texts that differ little', () => {
    const keys = new Set(Array.from({ length: 100_000 }, (_, index) => keyOf(`pupil${index}@example.se`, 1)))
    expect(keys.size).toBe(100_000)
    expect([...keys].every((key) => Number.isSafeInteger(key) && key !== NO_KEY)).toBe(true)
  })
})
