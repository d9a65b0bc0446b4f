import { expect, test, vi } from 'vitest'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { item } from '@/lib/inbox/testing/pages'
import { createRepeatGuard, type SubjectOnScreen } from './subject-on-screen'

test('a decision is repeated by a second press, and about a lead that nobody can have read', () => {
  const clock = vi.spyOn(performance, 'now')
  const subject: { current: SubjectOnScreen } = { current: { key: toLeadKey(item('a')), shownAtMs: 0 } }
  const recordUnlessRepeated = createRepeatGuard(subject)
  const decide = (id: string, ms: number, status = 'handled') => {
    clock.mockReturnValue(ms)
    return recordUnlessRepeated(item(id), { status }, 400)
  }
  expect(decide('a', 1_000)).toBe(true)
  expect(decide('a', 1_399), 'a double click').toBe(false)
  expect(decide('a', 1_399, 'new'), 'another decision').toBe(true)
  expect(decide('b', 9_000, 'new'), 'not rendered').toBe(false)
  subject.current = { key: toLeadKey(item('b')), shownAtMs: Infinity }
  expect(decide('b', 9_000, 'new'), 'not painted').toBe(false)
  subject.current.shownAtMs = 9_000
  expect(decide('b', 9_399, 'new'), 'just painted').toBe(false)
  expect(decide('b', 9_400, 'new')).toBe(true)
})
