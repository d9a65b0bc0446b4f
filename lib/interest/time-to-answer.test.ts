import { describe, expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { epochDay } from '@/lib/time/stockholm'
import { countedLeads } from './counted-leads'
import { firstAnswers, quantile, timeToAnswer, withAnswers } from './time-to-answer'

const START = Date.UTC(2026, 10, 20, 8)
const MINUTE = 60_000
const everything = { schools: null, from: -Infinity, to: Infinity }

const arrived = (id: string, school: string, minutesLater = 0) =>
  declaration(id, { school, createdAt: new Date(START + minutesLater * MINUTE).toISOString() })
const after = (minutes: number, status: TriageEntry['status'] = 'handled'): TriageEntry => ({
  status,
  assigneeId: null,
  updatedAt: START + minutes * MINUTE,
})

describe('the time to the first answer', () => {
  const table = leadTableOf('declaration-of-interest', [
    arrived('a', 'n'),
    arrived('b', 'n'),
    arrived('c', 's'),
    arrived('d', 's'),
    arrived('e', 's', 60),
    arrived('f', 's', 2880),
  ])
  const questions = leadTableOf('asked-question', [])
  const triage = new Map([
    ['a', after(10)],
    ['b', after(30)],
    ['c', after(100)],
    ['d', after(5, 'in-progress')],
    ['e', after(0)],
    ['gone', after(9)],
  ])
  const answered = withAnswers(countedLeads({ declarations: table, questions }, 'all'), {
    declarations: firstAnswers(table, triage),
    questions: firstAnswers(questions, new Map()),
  })

  it('is counted from arrival, over what is handled now and still there; never less than nothing', () => {
    const times = timeToAnswer(answered, everything)
    expect(times).toMatchObject({ count: 4, medianMinutes: 20 })
    expect(times.p90Minutes).toBeCloseTo(79)
  })

  it('goes by the schools and the days chosen', () => {
    const ofNorra = { count: 2, medianMinutes: 20, p90Minutes: 28 }
    expect(timeToAnswer(answered, { ...everything, schools: new Set(['n']) })).toEqual(ofNorra)
    expect(timeToAnswer(answered, { ...everything, schools: new Set(['s']) })).toMatchObject({ medianMinutes: 50 })
    const later = { ...everything, from: epochDay('2026-11-21') }
    expect(timeToAnswer(answered, later)).toEqual({ count: 0, medianMinutes: null, p90Minutes: null })
  })

  it('is told as SQL would', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(quantile([7], 0.9)).toBe(7)
    expect(quantile([], 0.5)).toBeNull()
  })
})
