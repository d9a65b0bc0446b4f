import { describe, expect, it } from 'vitest'
import { listReportSchema } from '@/lib/contract/feed-status'
import { emptyListState, type FetchRecord, type ListState } from '@/server/feed/list-state'
import { makeViewer } from '@/server/access/viewer'
import { highSchoolsReport, leadsReport, MAX_SET_ASIDE, statusFor } from './status'

const NOW = Date.UTC(2026, 10, 20, 7)
const HOUR = 3_600_000
const good = { at: NOW - 5_000, durationMs: 1_000, bytes: 2_000, outcome: 'ok', detail: '' } as const
const fetched = (change: Partial<FetchRecord> = {}): FetchRecord => ({ ...good, ...change })
const leads = (count: number, unreadable: number) => ({
  table: { size: count, createdAt: Float64Array.from({ length: count }, (_, index) => NOW - index * HOUR) },
  body: Buffer.alloc(1_234),
  unreadable: Array.from({ length: unreadable }, (_, index) => ({ index, id: `d${index}`, reason: 'id: duplicate' })),
})
type Leads = ReturnType<typeof leads>
const state = <T>(content: T, change: Partial<ListState<T>> = {}): ListState<T> => ({
  ...emptyListState<T>(),
  content,
  version: 7,
  fetchedAt: NOW - 4_000,
  nextAt: NOW + 8_000,
  history: [fetched()],
  ...change,
})

describe('the report on a list', () => {
  it('is its age, plan, size and pace', () => {
    const report = leadsReport(state(leads(24, 0)), NOW)
    expect(report).toMatchObject({
      fetchedAt: '2026-11-20T06:59:56.000Z',
      nextAt: '2026-11-20T07:00:08.000Z',
      intervalMs: 12_000,
      problem: null,
      version: 7,
      records: 24,
      bytes: 1_234,
    })
    expect(report.arrivalsPerHour).toBeGreaterThan(0.5)
    expect(report.arrivalsPerHour).toBeLessThan(1)
  })

  it('is a problem even when nothing has ever been fetched, and then nothing else is claimed', () => {
    const refused = fetched({ outcome: 'unauthenticated', bytes: 0, detail: 'status 401' })
    const problem = { kind: 'unauthenticated', since: NOW - 4_000, detail: 'status 401' } as const
    const first = { ...emptyListState<Leads>(), nextAt: NOW + 296_000, history: [refused], problem }
    expect(leadsReport(first, NOW)).toMatchObject({
      fetchedAt: null,
      intervalMs: 300_000,
      problem: { kind: 'unauthenticated', since: '2026-11-20T06:59:56.000Z', detail: 'status 401' },
      records: null,
      bytes: null,
      arrivalsPerHour: null,
      setAside: { total: 0, records: [] },
    })
  })

  it('measures the wait after a failure from that failure, not from the last good answer', () => {
    const failing = state(leads(1, 0), {
      fetchedAt: NOW - 600_000,
      nextAt: NOW + 6_000,
      history: [fetched({ at: NOW - 5_000, durationMs: 1_000, outcome: 'unavailable' })],
    })
    expect(leadsReport(failing, NOW).intervalMs).toBe(10_000)
  })

  it('names the first records set aside and counts them all', () => {
    const { setAside } = leadsReport(state(leads(1, 1_000)), NOW)
    expect(setAside.total).toBe(1_000)
    expect(setAside.records).toHaveLength(MAX_SET_ASIDE)
    expect(setAside.records[0]).toEqual({ index: 0, id: 'd0', reason: 'id: duplicate' })
  })

  it('gives the schools the size of the last answer that had a body, and no arrival rate', () => {
    const highSchools = [{ id: 'norra', name: 'Norra' }]
    const history = [fetched({ bytes: 0, outcome: 'unavailable' }), fetched({ bytes: 321 })]
    const report = highSchoolsReport(state({ highSchools, unreadable: [] }, { history }))
    expect(report).toMatchObject({ records: 1, bytes: 321, arrivalsPerHour: null })
  })

  it('is what the contract promises from the first moment on', () => {
    expect(listReportSchema.parse(leadsReport(emptyListState<Leads>(), NOW))).toMatchObject({ nextAt: null })
  })
})

describe('what managers are shown of the lists', () => {
  const viewer = (role: 'manager' | 'staff') =>
    makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools: 'all' })
  const at = (minutes: number, version: number) => {
    const moment = (ms: number) => new Date(Date.UTC(2026, 10, 20, 7) + ms).toISOString()
    const [fetchedAt, nextAt] = [moment(minutes * 60_000 + 1_234), moment(minutes * 60_000 + 13_234)]
    const snapshot = { fetchedAt, nextAt, stale: false, problem: null, version, unreadable: 0 }
    const lists = { 'asked-questions': snapshot, 'declarations-of-interest': null, 'high-schools': snapshot }
    const now = moment(0)
    return { mode: 'demo' as const, now, lists, problems: [], budget: { spentThisHour: 1, perHour: 600 } }
  }
  const shown = (minutes: number, version: number) => statusFor(viewer('manager'), at(minutes, version)).lists

  it('is the same for five minutes, however many leads came', () => {
    const few = shown(0, 7)['asked-questions']
    expect(shown(4, 90)['asked-questions']).toEqual(few)
    expect(few).toMatchObject({ fetchedAt: '2026-11-20T07:00:00.000Z', nextAt: '2026-11-20T07:05:00.000Z' })
    const later = shown(5, 7)['asked-questions']
    expect(later?.version).toBe((few?.version ?? 0) + 1)
    expect(later, 'nor that none came').toEqual(shown(9, 8)['asked-questions'])
  })

  it('is exact for the schools, and for users who read leads', () => {
    expect(shown(4, 90)['high-schools']).toEqual(at(4, 90).lists['high-schools'])
    expect(statusFor(viewer('staff'), at(4, 90))).toEqual(at(4, 90))
  })
})
