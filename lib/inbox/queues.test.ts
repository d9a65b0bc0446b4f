import { describe, expect, test } from 'vitest'
import type { Day, DayNumbers, ListDay } from '@/lib/contract/day'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { seasonOn } from '@/lib/interest/season'
import {
  DAY_LINES,
  dayLines,
  firstNameOf,
  greetingAt,
  inLargestUnits,
  isDone,
  newSince,
  nextQueue,
  otherHalves,
  queueAt,
  queueHref,
} from './queues'

const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }
const SINCE = '2026-11-20T08:00:00.000Z'

function dayWith(questions: Partial<ListDay>, declarations: Partial<ListDay>, rest: Partial<Day> = {}): Day {
  const list = (some: Partial<ListDay>): ListDay => ({ ...none, since: SINCE, due: null, ...some })
  const [asked, declared] = [list(questions), list(declarations)]
  const sums = Object.fromEntries(
    Object.keys(none).map((name) => [name, asked[name as keyof DayNumbers] + declared[name as keyof DayNumbers]]),
  ) as DayNumbers
  return {
    ...sums,
    since: SINCE,
    leads: 9,
    hasSchools: true,
    byList: { 'asked-questions': asked, 'declarations-of-interest': declared },
    oldest: null,
    mentions: 0,
    mentioned: [],
    team: [],
    season: seasonOn('2026-11-22', defaultAdmissionCycle, []),
    week: { answered: 0, answeredWithinGoal: null, medianMinutes: null },
    ...rest,
  }
}

describe('the lines of the day', () => {
  test('open the list that has more, and split where both have some', () => {
    const [late, , fresh] = dayLines(dayWith({ late: 2, new: 1 }, { new: 4 }))
    expect(late).toMatchObject({ count: 2, href: '/questions?late=1&sort=waiting' })
    expect(late?.parts).toHaveLength(1)
    expect(fresh?.href).toBe('/declarations?fresh=1&status=new&earlier=0&snoozed=0')
    expect(fresh?.parts.map(({ list, count }) => `${count} ${list}`)).toEqual([
      '1 asked-questions',
      '4 declarations-of-interest',
    ])
  })

  test('of a queue lead from the half of one list to that of the other', () => {
    const day = dayWith({ late: 2, new: 1 }, { new: 4 })
    const from = (here: string) => otherHalves(day, [], (href) => href === here).map(({ list, count }) => [list, count])
    expect(from('/declarations?fresh=1&status=new&earlier=0&snoozed=0')).toEqual([['asked-questions', 1]])
    expect(from('/questions?late=1&sort=waiting')).toEqual([])
    expect(from('/questions')).toEqual([])
  })

  test('ask for the days that are due today, and take the chosen schools along', () => {
    const due = { from: '2026-11-18', to: '2026-11-18' }
    const line = dayLines(dayWith({ dueToday: 1, due }, {}), ['norra']).find(({ name }) => name === 'dueToday')
    expect(line?.href).toBe('/questions?waiting=1&from=2026-11-18&to=2026-11-18&school=norra&sort=waiting')
  })

  test('open the lead of the newest mention', () => {
    const mentioned = [{ kind: 'asked-question' as const, id: 'a b' }]
    const lines = dayLines(dayWith({}, {}, { mentions: 2, mentioned }))
    expect(lines.at(-1)).toMatchObject({ name: 'mentions', count: 2, href: '/questions?lead=a+b' })
  })

  test('are done when nobody waits, and nothing is new or one’s own', () => {
    expect(isDone(dayWith({}, { snoozed: 1 }, { mentions: 1 }))).toBe(true)
    for (const name of [...DAY_LINES.slice(0, 6), 'waiting']) expect(isDone(dayWith({ [name]: 1 }, {}))).toBe(false)
  })
})

describe('a queue that is worked through', () => {
  const next = (day: Day, here: string) => {
    const isHere = (href: string) => href === here
    const found = nextQueue(day, queueAt(day, [], isHere) ?? 'waiting', [], isHere)
    return found && [found.name, found.list, found.count]
  }
  const mine = queueHref('asked-questions', 'mine', {})

  test('leads to its other half, then to the next of the menu that has any', () => {
    expect(next(dayWith({ unassigned: 9 }, { mine: 2 }), mine)).toEqual(['mine', 'declarations-of-interest', 2])
    const queue = dayWith({ unassigned: 5, waiting: 8 }, { unassigned: 7, waiting: 7, late: 1 })
    expect(next(queue, mine)).toEqual(['unassigned', 'declarations-of-interest', 7])
    expect(next(queue, queueHref('asked-questions', 'late', {}))).toEqual(['late', 'declarations-of-interest', 1])
  })

  test('goes round: after the last comes the first', () => {
    const late = queueHref('asked-questions', 'late', {})
    expect(next(dayWith({ mine: 1 }, {}), late)).toEqual(['mine', 'asked-questions', 1])
  })

  test('leads nowhere when nobody waits; any other list leads to what waits', () => {
    expect(next(dayWith({}, { snoozed: 3 }), mine)).toBeNull()
    expect(next(dayWith({ waiting: 4 }, {}), '/questions?waiting=1&mode=phone')).toEqual([
      'waiting',
      'asked-questions',
      4,
    ])
  })
})

test('one moment is named only where all that is new came since it', () => {
  const earlier = '2026-11-12T08:00:00.000Z'
  expect(newSince(dayWith({ new: 1 }, { new: 1 }))).toBe(SINCE)
  expect(newSince(dayWith({ new: 1 }, { new: 1, since: earlier }))).toBe(null)
  expect(newSince(dayWith({ new: 0 }, { new: 1, since: earlier }))).toBe(earlier)
  expect(newSince(dayWith({}, { since: earlier }))).toBe(null)
})

describe('its words', () => {
  test.each([
    ['2026-11-20T04:00:00Z', 'morning'],
    ['2026-07-20T02:59:00Z', 'day'],
    ['2026-07-20T03:00:00Z', 'morning'],
    ['2026-11-20T09:00:00Z', 'day'],
    ['2026-11-20T16:00:00Z', 'evening'],
    ['2026-11-20T23:30:00Z', 'day'],
  ])('greet by the clock in Stockholm: at %s %s', (at, greeting) => expect(greetingAt(Date.parse(at))).toBe(greeting))

  test('call people by their first name', () => {
    expect(['Sara Lind', ' Åsa ', 'eva@skolan.se', ''].map(firstNameOf)).toEqual(['Sara', 'Åsa', 'eva', ''])
  })

  test('say long times in days, and short ones in hours and minutes', () => {
    expect(inLargestUnits(35)).toEqual({ days: 0, hours: 0, minutes: 35 })
    expect(inLargestUnits(340)).toEqual({ days: 0, hours: 5, minutes: 40 })
    expect(inLargestUnits(3 * 1440)).toEqual({ days: 3, hours: 0, minutes: 0 })
  })
})

test('the address of a queue says yes and no as 1 and 0, and takes the chosen schools along', () => {
  expect(queueHref('declarations-of-interest', 'mine', { schools: ['norra', 'sodra'] })).toBe(
    '/declarations?assignee=me&status=new&status=in-progress&snoozed=0&earlier=0&school=norra&school=sodra',
  )
})
