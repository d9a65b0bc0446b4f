import { expect, test } from 'vitest'
import type { WithRequestTime } from '@/lib/api/send'
import type { Day, DayNumbers, ListDay } from '@/lib/contract/day'
import type { DeclarationOfInterestItem, LeadStatus } from '@/lib/contract/lead'
import { declarationItem } from '@/lib/leads/testing/leads'
import { collectOwnChanges, deriveFields, toChangedLead, type TriageDecision } from './own-changes'
import { patchDay } from './own-numbers'

const waiting = { waitingSince: '2026-11-20T07:00:00Z', due: '2026-11-23', late: false }
const lead = (more: Partial<DeclarationOfInterestItem> = {}) => ({ ...declarationItem('a'), ...waiting, ...more })
const me = { id: 'me', name: 'Sara' }
const mine = (status: LeadStatus) => ({ triage: { status, assignee: me, updatedAt: null } })
const five: DayNumbers = { new: 5, late: 5, dueToday: 5, waiting: 5, mine: 5, followUps: 5, snoozed: 5, unassigned: 5 }

type Options = { schools?: string[]; since?: string | null }
/** What the day's numbers become by one decision about a lead; those that stay are left out. */
function moved(item: ReturnType<typeof lead>, decision: TriageDecision, options: Options = {}) {
  const { schools = [], since = '2026-11-19T00:00:00Z' } = options
  const leads = [toChangedLead({ kind: 'declaration-of-interest', id: item.id, item }, deriveFields(decision))]
  const variables = { key: 'k', leads, count: 1, decision, request: { kind: 'mail' } } as const
  const own = collectOwnChanges([{ status: 'pending', variables, data: undefined }])
  const list: ListDay = { ...five, since, due: null }
  const byList = { 'asked-questions': list, 'declarations-of-interest': list }
  const day = { ...five, byList, season: { today: '2026-11-23' }, requestedAt: 0 } as Day & WithRequestTime
  const shown = patchDay(own, day, { schools, userId: 'me' })
  const changed = (Object.keys(five) as (keyof DayNumbers)[]).filter((name) => shown[name] !== 5)
  return Object.fromEntries(changed.map((name) => [name, shown[name] - 5]))
}

const waits = { waiting: -1, dueToday: -1 }
const isNew = { unassigned: -1, new: -1 }
const late = lead({ late: true, due: '2026-11-20' })
const followUp = lead({ snoozeUntil: '2026-11-23', ...mine('in-progress') })
test.each([
  ['handled', lead(), { status: 'handled' }, { ...waits, ...isNew }],
  ['late and handled', late, { status: 'handled' }, { waiting: -1, late: -1, ...isNew }],
  ['taken', lead(), { status: 'in-progress', assignee: me }, { ...isNew, mine: 1 }],
  ['mine and dismissed', lead(mine('in-progress')), { status: 'dismissed' }, { ...waits, mine: -1 }],
  ['put aside', lead(), { snoozeUntil: '2026-11-30' }, { ...waits, ...isNew, snoozed: 1 }],
  ['a follow-up that is done', followUp, { status: 'handled' }, { ...waits, mine: -1, followUps: -1 }],
  ['given to a colleague', lead(mine('new')), { assignee: { id: 'k', name: 'Karin' } }, { mine: -1 }],
] as const)('the day after a lead is %s', (_, item, decision, change) => {
  expect(moved(item, decision)).toEqual(change)
})

test('a lead of another school changes nothing where the day is of some; on a first visit every lead is new', () => {
  expect(moved(lead(), { status: 'handled' }, { schools: ['sodra'] })).toEqual({})
  const firstVisit = { schools: ['norra'], since: null }
  expect(moved(lead(), { status: 'handled' }, firstVisit)).toMatchObject({ waiting: -1, new: -1 })
})
