import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HEAD, withSection } from './benchmarks-file'

describe('the sections of BENCHMARKS.md', () => {
  test('a bench replaces its own section and leaves the others as they are', () => {
    const before = '# Benchmarks\n\nHead.\n\n## growth\n\nold\n\n## herd\n\nkept\n'
    expect(withSection(before, 'growth', 'new')).toBe('# Benchmarks\n\nHead.\n\n## growth\n\nnew\n\n## herd\n\nkept\n')
  })

  test('a new section stands in the order of the names, and a name that begins like another is another', () => {
    const before = '# Benchmarks\n\n## herd of many\n\nkept\n'
    expect(withSection(before, 'herd', 'new')).toBe('# Benchmarks\n\n## herd\n\nnew\n\n## herd of many\n\nkept\n')
  })

  test('stand under the head that the bench writes', () => {
    expect(readFileSync(new URL('../../BENCHMARKS.md', import.meta.url), 'utf8').startsWith(`${HEAD}\n## `)).toBe(true)
  })
})
