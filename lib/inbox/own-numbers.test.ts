import { expect, test } from 'vitest'
import type { Day, DayNumbers, ListDay } from '@/lib/contract/day'
import type { DeclarationOfInterestItem, LeadStatus } from '@/lib/contract/lead'
import { declarationItem } from '@/lib/leads/testing/leads'
import {
  changedLead,
  type ChangeState,
  fieldsAfter,
  type LeadFields,
  ownChanges,
  type TriageDecision,
} from './own-changes'
import { foldDay } from './own-numbers'

const kind = 'declaration-of-interest'

/** These leads changed to `fields`, on the way to the server. */
function changeOf(items: readonly DeclarationOfInterestItem[], fields: LeadFields): ChangeState {
  const leads = items.map((item) => changedLead({ kind, id: item.id, item }, fields))
  const request = { kind: 'mail' } as const
  return { status: 'pending', variables: { key: 'k', leads, count: 1, decision: {}, request }, data: undefined }
}

const waiting = { waitingSince: '2026-11-20T07:00:00Z', due: '2026-11-23', late: false }
const lead = (id: string, more: Partial<ReturnType<typeof declarationItem>> = {}) => ({
  ...declarationItem(id),
  ...waiting,
  ...more,
})
const mine = (status: LeadStatus) => ({ triage: { status, assignee: { id: 'me', name: 'Sara' }, updatedAt: null } })
const none: DayNumbers = {
  new: 0,
  late: 0,
  dueToday: 0,
  waiting: 0,
  mine: 0,
  followUps: 0,
  snoozed: 0,
  unassigned: 0,
}

/** What the day's numbers become by one decision about a lead; those that stay are left out. */
function moved(item: ReturnType<typeof lead>, decision: TriageDecision, schools: readonly string[] = []) {
  const own = ownChanges([changeOf([item], fieldsAfter(decision))])
  const all = Object.fromEntries(Object.keys(none).map((name) => [name, 5])) as DayNumbers
  const list: ListDay = { ...all, since: '2026-11-19T00:00:00Z', due: null }
  const byList = { 'asked-questions': list, 'declarations-of-interest': list }
  const day = { ...all, byList, season: { today: '2026-11-23' }, askedAt: 0 } as Day & { askedAt: number }
  const shown = foldDay(own, day, { schools, me: 'me' })
  const changed = (Object.keys(none) as (keyof DayNumbers)[]).filter((name) => shown[name] !== 5)
  return Object.fromEntries(changed.map((name) => [name, shown[name] - 5]))
}

const me = { id: 'me', name: 'Sara' }
test.each([
  ['handled', lead('a'), { status: 'handled' }, { waiting: -1, dueToday: -1, unassigned: -1, new: -1 }],
  [
    'late and handled',
    lead('a', { late: true, due: '2026-11-20' }),
    { status: 'handled' },
    { waiting: -1, late: -1, unassigned: -1, new: -1 },
  ],
  ['taken', lead('a'), { status: 'in-progress', assignee: me }, { unassigned: -1, mine: 1, new: -1 }],
  [
    'mine and dismissed',
    lead('a', mine('in-progress')),
    { status: 'dismissed' },
    { waiting: -1, dueToday: -1, mine: -1 },
  ],
  [
    'put aside',
    lead('a'),
    { snoozeUntil: '2026-11-30' },
    { waiting: -1, dueToday: -1, unassigned: -1, new: -1, snoozed: 1 },
  ],
  [
    'a follow-up that is done',
    lead('a', { snoozeUntil: '2026-11-23', ...mine('in-progress') }),
    { status: 'handled' },
    { waiting: -1, dueToday: -1, mine: -1, followUps: -1 },
  ],
  ['given to a colleague', lead('a', mine('new')), { assignee: { id: 'k', name: 'Karin' } }, { mine: -1 }],
] as const)('the day after a lead is %s', (_, item, decision, change) => {
  expect(moved(item, decision)).toEqual(change)
})

test('a lead of another school changes nothing where the day is of some', () => {
  expect(moved(lead('a'), { status: 'handled' }, ['sodra'])).toEqual({})
  expect(moved(lead('a'), { status: 'handled' }, ['norra'])).toMatchObject({ waiting: -1 })
})
