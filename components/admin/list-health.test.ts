import { describe, expect, it } from 'vitest'
import type { ListReport } from '@/lib/contract/feed-status'
import { listHealth, verdict } from './list-health'

const at = '2026-11-20T07:00:00.000Z'
const report = (change: Partial<ListReport> = {}): ListReport => ({
  fetchedAt: at,
  nextAt: at,
  intervalMs: 10_000,
  problem: null,
  version: 1,
  records: 1,
  bytes: 100,
  arrivalsPerHour: 1,
  history: [],
  setAside: { total: 0, records: [] },
  ...change,
})
const failing = report({ problem: { kind: 'unavailable', since: at, detail: 'status 500' } })
const waiting = report({ fetchedAt: null })
const withSetAside = (total: number) => report({ setAside: { total, records: [] } })
const all = (questions: ListReport, declarations: ListReport, schools: ListReport) =>
  verdict({ 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools })

describe('how a list fares', () => {
  it('is failing while there is a problem, whatever else is known', () => {
    expect(listHealth({ ...waiting, problem: failing.problem })).toBe('failing')
    expect(listHealth({ ...withSetAside(3), problem: failing.problem })).toBe('failing')
  })

  it('is healthy only when it was fetched and every record could be read', () => {
    expect(listHealth(waiting)).toBe('waiting')
    expect(listHealth(withSetAside(1))).toBe('setAside')
    expect(listHealth(report())).toBe('healthy')
  })
})

describe('the verdict on all lists', () => {
  it('is that of the worst, with its count', () => {
    expect(all(report(), report(), report())).toEqual({ health: 'healthy', count: 3 })
    expect(all(withSetAside(2), report(), withSetAside(5))).toEqual({ health: 'setAside', count: 7 })
    expect(all(waiting, withSetAside(2), report())).toEqual({ health: 'waiting', count: 1 })
    expect(all(failing, waiting, failing)).toEqual({ health: 'failing', count: 2 })
  })
})

describe('a list that is held back', () => {
  const doubt = { before: 500, now: 40, answers: 2 }
  const heldBack = report({ problem: { kind: 'unreadable', since: at, detail: 'only 40 of 500', doubt } })

  it('has a word of its own, less than a failure and more than records set aside', () => {
    expect(listHealth(heldBack)).toBe('heldBack')
    expect(all(heldBack, heldBack, withSetAside(9))).toEqual({ health: 'heldBack', count: 2 })
    expect(all(heldBack, heldBack, failing).health).toBe('failing')
  })
})
