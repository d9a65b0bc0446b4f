import { expect, test } from 'vitest'
import { withStatus } from './status-in-pages'
import { head } from './test-pages'

test('changes the one lead and leaves pages without it untouched', () => {
  const page = head(1, ['a', 'b'])
  const changed = withStatus(page, 'b', 'handled', '2026-11-20T08:00:00.000Z')
  expect(changed.items.map((item) => item.triage.status)).toEqual(['new', 'handled'])
  expect(changed.items[0]).toBe(page.items[0])
  expect(withStatus(page, 'elsewhere', 'handled', '')).toBe(page)
})
