import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HEAD, table, withSection } from './benchmarks-file'

describe('the sections of BENCHMARKS.md', () => {
  test('are replaced by their bench or put in the order of their names, and others stay', () => {
    const [head, growth, many] = ['# Benchmarks\n\nHead.', '## growth\n\nold', '## herd of many\n\nkept\n']
    const replaced = [head, '## growth\n\nnew', many].join('\n\n')
    expect(withSection([head, growth, many].join('\n\n'), 'growth', 'new')).toBe(replaced)
    const added = [head, growth, '## herd\n\nnew', many].join('\n\n')
    expect(withSection([head, growth, many].join('\n\n'), 'herd', 'new')).toBe(added)
  })

  test('stand under the head that the bench writes', () => {
    expect(readFileSync(new URL('../../BENCHMARKS.md', import.meta.url), 'utf8').startsWith(`${HEAD}\n## `)).toBe(true)
  })
})

test('a column that is the same in every row is said once, a repeated text once', () => {
  const rows = [1, 2].map((pages) => ({ of: 'all', by: 'Intag', pages, failed: 0 }))
  expect(table(rows)).toBe('In every row: of all; by Intag; failed 0.\n\n```\npages\n1\n2\n```')
  const two = [...rows, { of: 'all', by: 'others', pages: 2, failed: 1 }].map(({ by, pages }) => ({ by, pages }))
  expect(table(two)).toBe('```\nby      pages\nIntag   1\n        2\nothers  2\n```')
})
