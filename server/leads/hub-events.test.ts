import { describe, expect, test } from 'vitest'
import type { Status } from '@/lib/contract/feed-status'
import type { SchoolScope } from '@/lib/contract/user'
import { makeViewer } from '@/server/access/viewer'
import { restrictStatus } from './feed-status'
import { createHubPublisher, formatEventFor, type HubEvent, type HubFetchedEvent, setRequestDelay } from './hub-events'

const viewer = (role: 'staff' | 'manager', schools: SchoolScope) =>
  makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools })
const norra = viewer('staff', ['norra'])
const sodra = viewer('staff', ['sodra'])
const everywhere = viewer('staff', 'all')
const manager = viewer('manager', 'all')

const list = 'asked-questions'
const statusAt = (version: number, minute = 0): Status => {
  const moment = (second: number) => new Date(Date.UTC(2026, 10, 20, 8, minute, second)).toISOString()
  const fetched = { fetchedAt: moment(1), nextAt: moment(13), stale: false, problem: null, version, unreadable: 0 }
  const snapshot = version === 0 ? null : fetched
  const lists = { [list]: snapshot, 'declarations-of-interest': null, 'high-schools': snapshot }
  return { mode: 'demo', now: moment(2), lists, problems: [], budget: { spentThisHour: 1, perHour: 600 } }
}
const status = statusAt(0)

/** What a viewer’s stream gets, by the name of the event. */
function eventsOf(news: HubEvent, to = norra): Record<string, unknown> {
  const events = (formatEventFor(news, to)?.text ?? '').split('\n\n').filter(Boolean)
  const entries = events.map((event) => {
    const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? []
    return [name, JSON.parse(data)] as const
  })
  return Object.fromEntries(entries)
}

describe('a fetch', () => {
  const touched = { ids: ['q1'], schools: new Set(['sodra']) }
  const fetched = (change: Partial<HubFetchedEvent> = {}): HubFetchedEvent => {
    return { name: 'fetched', list, version: 3, isNew: true, changedLeads: touched, status, ...change }
  }
  const changed = { list, version: 3, yours: true, askInMs: -1 }

  test('that brought nothing new sends everyone how fresh the lists are, and no more', () => {
    for (const one of [norra, manager]) expect(eventsOf(fetched({ isNew: false }), one)).toEqual({ status })
  })

  test('makes users of the schools that changed ask, and everyone where it is unknown what changed', () => {
    expect(eventsOf(fetched(), sodra)).toEqual({ status, changed })
    expect(eventsOf(fetched(), norra)).toEqual({ status, changed: { ...changed, yours: false } })
    expect([sodra, norra].map((reader) => formatEventFor(fetched(), reader)?.triggersRequest)).toEqual([true, false])
    expect(eventsOf(fetched({ changedLeads: null }), norra)).toEqual({ status, changed })
  })

  test('discloses to managers no lead, no school and not that anything came', () => {
    for (const one of [fetched(), fetched({ changedLeads: null })]) expect(eventsOf(one, manager)).toEqual({ status })
    const schools = eventsOf(fetched({ list: 'high-schools', changedLeads: null }), manager)
    expect(schools).toMatchObject({ changed: { yours: true } })
  })
})

describe('what the staff do', () => {
  const triage = (...changes: { userId: string; schools: string[] }[]) =>
    ({ name: 'triage', list, changes }) satisfies HubEvent

  test('to a lead is sent only to users who may see it', () => {
    const lead = { name: 'lead', school: 'sodra', lead: { kind: 'asked-question', id: 'q1', what: 'notes' } } as const
    expect([formatEventFor(lead, norra), formatEventFor(lead, manager)]).toEqual([null, null])
    expect(eventsOf(lead, sodra)).toEqual({ lead: lead.lead })
  })

  test('is sent to users of the same schools, with the author unless there were several', () => {
    const inBoth = triage({ userId: 'sara', schools: ['norra', 'sodra'] }, { userId: 'nils', schools: ['sodra'] })
    expect(eventsOf(inBoth)).toEqual({ triage: { list, by: 'sara', askInMs: -1 } })
    expect(eventsOf(inBoth, everywhere)).toMatchObject({ triage: { by: '' } })
    expect(formatEventFor(triage({ userId: 'nils', schools: ['sodra'] }), norra)).toBeNull()
    expect(formatEventFor(inBoth, manager)).toBeNull()
  })

  test('is sent to all the staff where it is unknown what was done', () => {
    const missed: HubEvent = { name: 'triage', list, changes: null }
    expect(eventsOf(missed)).toEqual({ triage: { list, by: '', askInMs: -1 } })
    expect(formatEventFor(missed, manager)).toBeNull()
  })

  test('is asked for at a moment of each stream’s own', () => {
    const text = setRequestDelay(formatEventFor(triage({ userId: 'sara', schools: ['norra'] }), norra)?.text ?? '', 250)
    expect(text).toContain('"askInMs":250}')
  })
})

test('a new stream begins with the state of the feed, also before the first answer', () => {
  const beginningAt = (version: number) => {
    const publisher = createHubPublisher(
      () => {},
      () => statusAt(version),
    )
    return publisher.createInitialEvents().map((event) => eventsOf(event))
  }
  expect(beginningAt(0)).toEqual([{ status }])
  const changed = [list, 'high-schools'].map((one) => ({
    changed: { list: one, version: 3, yours: true, askInMs: -1 },
  }))
  expect(beginningAt(3)).toEqual([{ status: statusAt(3) }, ...changed])
})

test('managers see the same of the leads for five minutes, however many came; others and schools are exact', () => {
  const seen = (minute: number, version: number) => restrictStatus(manager, statusAt(version, minute)).lists
  const first = seen(0, 7)[list]
  expect(first).toMatchObject({ fetchedAt: '2026-11-20T08:00:00.000Z', nextAt: '2026-11-20T08:05:00.000Z' })
  expect(seen(4, 90)[list]).toEqual(first)
  const later = seen(5, 7)[list]
  expect(later?.version).toBe((first?.version ?? 0) + 1)
  expect(seen(9, 8)[list]).toEqual(later)
  expect(seen(4, 90)['high-schools']).toEqual(statusAt(90, 4).lists['high-schools'])
  expect(restrictStatus(norra, statusAt(90, 4))).toEqual(statusAt(90, 4))
})
