import { expect, test } from 'vitest'
import { head } from './test-pages'
import { withTriage } from './triage-in-pages'

test('changes the leads that are meant, and nothing else of them', () => {
  const changed = withTriage(head(1, ['a', 'b', 'c']), new Map([['b', { status: 'handled' }]]))
  expect(changed.items.map(({ triage }) => triage.status)).toEqual(['new', 'handled', 'new'])
  expect(changed.items[1]?.triage.assignee).toBeNull()
})

test('leaves a page without them as the very same, so that nothing renders again', () => {
  const page = head(1, ['a'])
  expect(withTriage(page, new Map([['z', { status: 'handled' }]]))).toBe(page)
})
