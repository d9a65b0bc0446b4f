import { describe, expect, test } from 'vitest'
import { greetingAt, mentionHref, nextQueue, queueHref, splitDuration, toFirstName } from './queues'

const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }

describe('a queue that is worked through', () => {
  test('leads to what is late, then to the first of the menu that has any', () => {
    const day = { ...none, mine: 3, unassigned: 12, waiting: 15, late: 1 }
    for (const after of [null, 'mine', 'unassigned', 'waiting'] as const) expect(nextQueue(day, after)).toBe('late')
    expect(nextQueue(day, 'late')).toBe('mine')
    expect(nextQueue({ ...day, mine: 0, late: 0 }, 'unassigned')).toBe('waiting')
    expect(nextQueue({ ...none, mine: 1 }, 'new')).toBe('mine')
  })

  test('never leads to itself, and nowhere when nothing waits and nothing is new or one’s own', () => {
    expect(nextQueue({ ...none, mine: 1 }, 'mine')).toBeNull()
    expect(nextQueue({ ...none, snoozed: 3 }, 'waiting')).toBeNull()
  })

  test('is begun with the first that has any, also from one that the menu does not have', () => {
    expect(nextQueue({ ...none, waiting: 4, new: 2 }, 'snoozed')).toBe('waiting')
  })
})

test('the address of a queue takes the chosen schools along', () => {
  expect(queueHref('followUps', [])).toBe('/queue/follow-ups')
  expect(queueHref('mine', ['norra', 'sodra'])).toBe('/queue/mine?school=norra&school=sodra')
})

test('a mention leads to the lead of the newest', () => {
  expect(mentionHref({ mentioned: [{ kind: 'asked-question', id: 'a b' }] })).toBe('/questions?lead=a+b')
  expect(mentionHref({ mentioned: [] })).toBeNull()
})

test.each([
  ['2026-11-20T04:00:00Z', 'morning'],
  ['2026-07-20T02:59:00Z', 'day'],
  ['2026-11-20T09:00:00Z', 'day'],
  ['2026-11-20T16:00:00Z', 'evening'],
])('users are greeted by the clock in Stockholm: at %s %s', (at, greeting) => {
  expect(greetingAt(Date.parse(at))).toBe(greeting)
})

test('users are called by their first name', () => {
  expect(['Sara Lind', ' Åsa ', 'eva@skolan.se', ''].map(toFirstName)).toEqual(['Sara', 'Åsa', 'eva', ''])
})

test.each([
  [340, { days: 0, hours: 5, minutes: 40 }],
  [18 * 60 + 33, { days: 0, hours: 19, minutes: 0 }],
  [3 * 1440, { days: 3, hours: 0, minutes: 0 }],
])('%i minutes are %o', (minutes, units) => expect(splitDuration(minutes)).toEqual(units))
