import { expect, test } from 'vitest'
import type { DayNumbers } from '@/lib/contract/day'
import type { QueueName } from '@/lib/contract/lists'
import { findNextQueue, toLeadHref, toQueueHref } from './queues'

const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }

test.each<[string, QueueName | null, Partial<DayNumbers>, QueueName | null]>([
  ['begins with what is late', null, { mine: 3, waiting: 15, late: 1 }, 'late'],
  ['goes on to what is late', 'waiting', { mine: 3, waiting: 15, late: 1 }, 'late'],
  ['goes on to the first of the menu that has any', 'late', { mine: 3, waiting: 15, late: 1 }, 'mine'],
  ['goes on from a queue that the menu does not have', 'snoozed', { waiting: 4, new: 2 }, 'waiting'],
  ['never leads to itself', 'mine', { mine: 1 }, null],
  ['ends when nothing waits and nothing is new or one’s own', 'waiting', { snoozed: 3 }, null],
])('work %s', (_, current, numbers, next) => expect(findNextQueue({ ...none, ...numbers }, current)).toBe(next))

test('the address of a queue takes the chosen schools along, a mention leads to the lead of the newest', () => {
  expect(toQueueHref('followUps', [])).toBe('/queue/follow-ups')
  expect(toQueueHref('mine', ['norra', 'sodra'])).toBe('/queue/mine?school=norra&school=sodra')
  expect(toLeadHref({ kind: 'asked-question', id: 'a b' })).toBe('/questions?lead=a+b')
})
