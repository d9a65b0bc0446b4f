import { unworked } from '@/lib/leads/testing/leads'
import { describe, expect, test } from 'vitest'
import { NO_ETAG } from '@/lib/api/leads'
import type { Contact } from '@/lib/contract/contact'
import type { Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-query'
import { head } from '@/lib/inbox/testing/pages'
import { countsAfter, ofContact, withTriage } from './show-triage'

describe('the leads on loaded pages', () => {
  test('changes the leads that are meant, and nothing else of them', () => {
    const changed = withTriage(head(1, ['a', 'b', 'c']), new Map([['b', { status: 'handled' }]]))
    expect(changed.items.map(({ triage }) => triage.status)).toEqual(['new', 'handled', 'new'])
    expect(changed.items[1]?.triage.assignee).toBeNull()
  })

  test('has the day on which a lead comes back, which stays where nothing is said of it', () => {
    const aside = withTriage(head(1, ['a']), new Map([['a', { snoozeUntil: '2026-11-30' }]]))
    expect(aside.items[0]).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'new' } })
    expect(aside.items[0]?.triage).not.toHaveProperty('snoozeUntil')
    const taken = withTriage(aside, new Map([['a', { status: 'in-progress' }]]))
    expect(taken.items[0]).toMatchObject({ snoozeUntil: '2026-11-30', triage: { status: 'in-progress' } })
  })

  test('is not known to the server any more, which would leave out what was shown too early; it sends the whole page', () => {
    const page = { ...head(1, ['a', 'b']), etag: 'of-the-server' }
    expect(withTriage(page, new Map([['b', { status: 'handled' }]])).etag).toBe(NO_ETAG)
    expect(withTriage(page, new Map([['z', { status: 'handled' }]])).etag).toBe('of-the-server')
  })

  test('leaves a page without them as the very same, so that nothing renders again', () => {
    const page = head(1, ['a'])
    expect(withTriage(page, new Map([['z', { status: 'handled' }]]))).toBe(page)
  })
})

describe('the leads of a person', () => {
  const triage = (status: Triage['status']): Triage => ({
    status,
    assignee: null,
    updatedAt: '2026-11-20T07:12:00.000Z',
    updatedBy: { id: 'k', name: 'Karin' },
  })
  const user = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
  const desk = { id: '1', highSchoolId: 'norra', createdAt: '', ...unworked, contactId: 'c', triage: triage('new') }
  const sender = { mode: 'email', phone: null, email: null }
  const person: Contact = {
    id: 'c',
    leads: [
      { kind: 'declaration-of-interest', lead: { ...desk, user }, reason: { by: 'anchor', sameName: null } },
      {
        kind: 'asked-question',
        lead: { ...desk, highSchoolName: '', question: '', sender },
        reason: { by: 'anchor', sameName: null },
      },
    ],
    total: 2,
    snapshot: head(1, []).snapshot,
  }

  test('change by kind and id, and are no longer of who decided before', () => {
    const { leads } = ofContact(person, 'asked-question', new Map([['1', { status: 'handled' }]]))
    expect(leads.map(({ lead }) => [lead.triage.status, lead.triage.updatedBy])).toEqual([
      ['new', { id: 'k', name: 'Karin' }],
      ['handled', null],
    ])
  })

  test('another person stays the very same', () => {
    expect(ofContact(person, 'asked-question', new Map([['2', { status: 'handled' }]]))).toBe(person)
  })
})

describe('the numbers beside them', () => {
  const triage = (status: Triage['status']): Triage => ({ status, assignee: null, updatedAt: null })
  const counts = (status: Record<string, number>): ListCounts => ({
    total: 50,
    school: {},
    status,
    assignee: {},
    mode: {},
    year: {},
    waiting: {},
    late: 0,
    hidden: { earlier: 0, snoozed: 0 },
    fresh: 0,
    freshSince: null,
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
