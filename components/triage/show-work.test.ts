import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { leadKeys, type LeadPage } from '@/lib/api/leads'
import type { Attempt, LeadWork } from '@/lib/contract/lead'
import { head } from '@/lib/inbox/testing/pages'
import { showWork, workAfter } from './show-work'

const waiting: LeadWork = {
  attempts: { count: 1, last: null },
  snoozeUntil: null,
  waitingSince: '2026-11-19T01:56:00Z',
  due: '2026-11-21',
  late: true,
}
const now: Attempt = { at: '2026-11-23T08:00:00Z', by: { id: 'sara', name: 'Sara' }, channel: 'email', outcome: 'sent' }

it('an answer ends the waiting; a call that nobody took does not', () => {
  expect(workAfter(waiting, { channel: 'email', outcome: 'sent' }, now)).toEqual({
    attempts: { count: 2, last: now },
    snoozeUntil: null,
    waitingSince: null,
    due: null,
    late: false,
  })
  const noAnswer = workAfter(waiting, { channel: 'phone', outcome: 'no-answer' }, now)
  expect(noAnswer).toMatchObject({ waitingSince: waiting.waitingSince, due: waiting.due, late: true })
})

it('whoever is called again another day waits for nothing till then', () => {
  const again = workAfter(waiting, { channel: 'phone', outcome: 'call-again', snoozeUntil: '2026-11-30' }, now)
  expect(again).toMatchObject({ snoozeUntil: '2026-11-30', waitingSince: null, late: false })
})

it('is shown on the pages that have the lead, and on no other', () => {
  const client = new QueryClient()
  const key = (name: string) => [...leadKeys.list('asked-questions'), name]
  client.setQueryData(key('a'), head(1, ['1', '2']))
  client.setQueryData(key('b'), head(1, ['3']))
  const other = client.getQueryData(key('b'))
  showWork(client, { kind: 'asked-question', id: '2' }, waiting)
  const page = client.getQueryData<LeadPage>(key('a'))
  expect(page?.items.map(({ late }) => late)).toEqual([page?.items[0]?.late, true])
  expect(page?.items[1]).toMatchObject(waiting)
  expect(client.getQueryData(key('b'))).toBe(other)
})
