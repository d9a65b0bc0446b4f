import { expect, expectTypeOf, test } from 'vitest'
import type { ActivityAction } from '@/server/activity/activity'
import { type Action, isAction } from './activity-search'

test('every action of the log has a name to be shown and searched by', () => {
  expectTypeOf<Action>().toEqualTypeOf<ActivityAction>()
  expect(isAction('protection-added')).toBe(true)
  expect(isAction('something-new')).toBe(false)
})
