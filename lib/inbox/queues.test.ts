import { expect, test } from 'vitest'
import { queueHref } from './queues'

test('the address of a queue says yes and no as 1 and 0, and takes the chosen schools along', () => {
  expect(queueHref('asked-questions', 'late', {})).toBe('/questions?late=1&sort=waiting')
  expect(queueHref('declarations-of-interest', 'mine', { schools: ['norra', 'sodra'] })).toBe(
    '/declarations?assignee=me&status=new&status=in-progress&snoozed=0&earlier=0&school=norra&school=sodra',
  )
  const due = { from: '2026-11-18', to: '2026-11-18' }
  expect(queueHref('asked-questions', 'dueToday', { due })).toBe(
    '/questions?waiting=1&from=2026-11-18&to=2026-11-18&sort=waiting',
  )
})
