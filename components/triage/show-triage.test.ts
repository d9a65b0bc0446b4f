import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { NO_ETAG, leadKeys, type LeadPage } from '@/lib/api/leads'
import type { Contact, Attempt, LeadStatus, LeadWork } from '@/lib/contract/lead'
import { keyOf } from '@/lib/api/call'
import type { ListCounts } from '@/lib/contract/list-query'
import { head, snapshotAt } from '@/lib/inbox/testing/pages'
import type { ShownTriage } from '@/lib/inbox/triage-history'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { countsAfter, showTriage, showWork, workAfter } from './show-triage'

const triage = (status: LeadStatus, more: Partial<ShownTriage> = {}): ShownTriage => ({
  status,
  assignee: null,
  updatedAt: '2026-11-20T07:12:00.000Z',
  ...more,
})
const declaration = (id: string, status: LeadStatus, more: Partial<ShownTriage> = {}) => ({
  kind: 'declaration-of-interest' as const,
  id,
  triage: triage(status, more),
})
const waiting: LeadWork = {
  attempts: { count: 1, last: null },
  snoozeUntil: null,
  waitingSince: '2026-11-19T01:56:00Z',
  due: '2026-11-21',
  late: true,
}

/** A browser that has this page loaded. */
function browserWith(page: LeadPage) {
  const client = new QueryClient()
  const key = [...leadKeys.list('declarations-of-interest'), 'page']
  client.setQueryData(key, page)
  return { client, page: () => client.getQueryData<LeadPage>(key) ?? page }
}

describe('the leads on loaded pages', () => {
  test('changes the leads that are meant, and nothing else of them', () => {
    const { client, page } = browserWith(head(1, ['a', 'b', 'c']))
    showTriage(client, [declaration('b', 'handled')])
    expect(page().items.map((item) => item.triage.status)).toEqual(['new', 'handled', 'new'])
    expect(page().items[1]?.triage.assignee).toBeNull()
    expect(page().items[1]?.triage).not.toHaveProperty('updatedBy')
  })

  test('has the day on which a lead comes back, which stays where nothing is said of it', () => {
    const { client, page } = browserWith(head(1, ['a']))
    showTriage(client, [declaration('a', 'new', { snoozeUntil: '2026-11-30' })])
    expect(page().items[0]).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'new' } })
    expect(page().items[0]?.triage).not.toHaveProperty('snoozeUntil')
    showTriage(client, [declaration('a', 'in-progress')])
    expect(page().items[0]).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'in-progress' } })
  })

  test('the server sends the whole page next, or it would leave out what was shown too early', () => {
    const { client, page } = browserWith({ ...head(1, ['a', 'b']), etag: 'of-the-server' })
    showTriage(client, [declaration('z', 'handled')])
    expect(page().etag).toBe('of-the-server')
    showTriage(client, [declaration('b', 'handled')])
    expect(page().etag).toBe(NO_ETAG)
  })

  test.each([
    ['triage', (client: QueryClient) => showTriage(client, [declaration('z', 'handled')])],
    ['work', (client: QueryClient) => showWork(client, declaration('z', 'new'), waiting)],
  ])('leaves a page without them as the very same, so that nothing renders again: %s', (_what, show) => {
    const first = head(1, ['a'])
    const { client, page } = browserWith(first)
    show(client)
    expect(page()).toBe(first)
  })

  test('has how far a lead has come', () => {
    const { client, page } = browserWith(head(1, ['1', '2']))
    showWork(client, declaration('2', 'new'), waiting)
    expect(page().items.map(({ late }) => late)).toEqual([false, true])
    expect(page().items[1]).toMatchObject(waiting)
  })
})

describe('the leads of a person', () => {
  const updatedBy = { id: 'k', name: 'Karin' }
  const decided = { triage: { ...triage('new'), updatedBy } }
  const reason = { by: 'anchor', sameName: null } as const
  const person: Contact = {
    id: 'c',
    leads: [
      { kind: 'declaration-of-interest', lead: { ...declarationItem('1'), ...decided }, reason },
      { kind: 'asked-question', lead: { ...questionItem('1'), ...decided }, reason },
    ],
    total: 2,
    snapshot: snapshotAt(1),
  }
  const question = (id: string) => ({ kind: 'asked-question' as const, id, triage: triage('handled') })
  const after = (show: (client: QueryClient) => void) => {
    const client = new QueryClient()
    const key = [...keyOf('GET /api/contacts/[id]'), 'c']
    client.setQueryData(key, person)
    show(client)
    return client.getQueryData<Contact>(key)
  }

  test('change by kind and id, and are no longer of who decided before', () => {
    const shown = after((client) => showTriage(client, [question('1')]))
    const now = shown?.leads.map((one) => [one.lead.triage.status, one.lead.triage.updatedBy])
    expect(now).toEqual([
      ['new', updatedBy],
      ['handled', null],
    ])
  })

  test('have how far one has come, which is no decision', () => {
    const shown = after((client) => showWork(client, question('1'), waiting))
    const now = shown?.leads.map((one) => [one.lead.late, one.lead.triage.updatedBy])
    expect(now).toEqual([
      [false, updatedBy],
      [true, updatedBy],
    ])
  })

  test('another person stays the very same', () => {
    expect(after((client) => showTriage(client, [question('2')]))).toBe(person)
  })
})

describe('the numbers beside them', () => {
  const nothing = { school: {}, assignee: {}, mode: {}, year: {}, waiting: {}, late: 0, fresh: 0, freshSince: null }
  const counts = (status: Record<string, number>): ListCounts => ({
    total: 50,
    ...nothing,
    hidden: { earlier: 0, snoozed: 0 },
    status,
  })

  test('leads move from the count of what they were to the count of what they are', () => {
    const before = [triage('new'), triage('new'), triage('in-progress')]
    const after = countsAfter(counts({ new: 41, 'in-progress': 3 }), before, { status: 'handled' })
    expect(after.status).toEqual({ new: 39, 'in-progress': 2, handled: 3 })
  })

  test('no count becomes less than none, and another assignee changes none', () => {
    expect(countsAfter(counts({}), [triage('new')], { status: 'handled' }).status).toEqual({ new: 0, handled: 1 })
    const same = counts({ new: 1 })
    expect(countsAfter(same, [triage('new')], { assignee: null })).toBe(same)
  })
})

describe('how far a lead has come after an attempt', () => {
  const now: Attempt = { at: '2026-11-23T08:00:00Z', by: { id: 's', name: 'Sara' }, channel: 'email', outcome: 'sent' }
  const over = { waitingSince: null, due: null, late: false }

  const back = { snoozeUntil: '2026-11-30' }
  test.each([
    [
      { channel: 'email', outcome: 'sent' },
      { ...over, snoozeUntil: null, attempts: { count: 2, last: now } },
    ],
    [
      { channel: 'phone', outcome: 'no-answer' },
      { waitingSince: waiting.waitingSince, due: waiting.due, late: true },
    ],
    [
      { channel: 'phone', outcome: 'call-again', ...back },
      { ...over, ...back },
    ],
  ] as const)('%o', (attempt, work) => {
    expect(workAfter(waiting, attempt, now)).toMatchObject(work)
  })
})
