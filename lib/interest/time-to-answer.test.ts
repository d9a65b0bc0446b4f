import { describe, expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { epochDay } from '@/lib/time/stockholm'
import { countedLeads } from './counted-leads'
import { quantile, timeToAnswer, toldTimeToAnswer } from './time-to-answer'
import { answeredLeads } from './testing/answered-leads'
import { toldLeads } from './told-leads'

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
  const leads = countedLeads({ declarations: table, questions: leadTableOf('asked-question', []) }, 'all')
  const triage = {
    questions: new Map(),
    declarations: new Map([
      ['a', after(10)],
      ['b', after(30)],
      ['c', after(100)],
      ['d', after(5, 'in-progress')],
      ['e', after(0)],
      ['gone', after(9)],
    ]),
  }

  it('is counted from arrival, over what is handled now and still there; never less than nothing', () => {
    const times = timeToAnswer(answeredLeads(leads, triage), everything)
    expect(times).toMatchObject({ count: 4, medianMinutes: 20 })
    expect(times.p90Minutes).toBeCloseTo(79)
    expect(times.bySchool).toEqual([
      { highSchoolId: 'n', count: 2, medianMinutes: 20, p90Minutes: 28 },
      { highSchoolId: 's', count: 2, medianMinutes: 50, p90Minutes: 90 },
    ])
  })

  it('goes by the schools and the days chosen', () => {
    expect(timeToAnswer(answeredLeads(leads, triage), { ...everything, schools: new Set(['n']) }).count).toBe(2)
    const later = { ...everything, from: epochDay('2026-11-21') }
    expect(timeToAnswer(answeredLeads(leads, triage), later)).toEqual({
      count: 0,
      medianMinutes: null,
      p90Minutes: null,
      bySchool: [],
    })
  })

  it('is told as SQL would', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(quantile([7], 0.9)).toBe(7)
    expect(quantile([], 0.5)).toBeNull()
  })
})

describe('the time to an answer, for who may only count', () => {
  const handledAt = (school: string, waits: readonly number[], left: number) => ({
    leads: [...waits, ...Array.from({ length: left }, () => null)].map((wait, at) => ({
      lead: arrived(`${school}${at}`, school),
      wait,
    })),
  })
  const told = (schools: ReadonlySet<string> | null, ...groups: ReturnType<typeof handledAt>[]) => {
    const all = groups.flatMap(({ leads }) => leads)
    const declarations = leadTableOf(
      'declaration-of-interest',
      all.map(({ lead }) => lead),
    )
    const handled = all.flatMap(({ lead, wait }): [string, TriageEntry][] =>
      wait === null ? [] : [[lead.id, after(wait)]],
    )
    const leads = countedLeads({ declarations, questions: leadTableOf('asked-question', []) }, 'all')
    const triage = { declarations: new Map(handled), questions: new Map() }
    return toldTimeToAnswer(answeredLeads(leads, triage), { schools }, toldLeads(leads))
  }

  it('is of schools with eight handled or more, and nothing else is in any sum', () => {
    const many = handledAt('n', [10, 20, 30, 40, 50, 60, 70, 80, 90], 9)
    const seven = Array.from({ length: 7 }, () => 9_000)
    const answer = told(null, many, handledAt('s', seven, 9))
    expect(answer).toMatchObject({ count: 9, medianMinutes: 50, p90Minutes: 82 })
    expect(answer.bySchool).toEqual([
      { highSchoolId: 'n', count: 9, medianMinutes: 50, p90Minutes: 82 },
      { highSchoolId: 's', count: 4, medianMinutes: null, p90Minutes: null },
    ])
    expect(told(new Set(['s']), many, handledAt('s', seven, 9))).toMatchObject({
      count: 0,
      medianMinutes: null,
    })
  })

  it('does not tell that one to seven are left', () => {
    const [all, left] = [
      told(null, handledAt('n', [10, 20, 30, 40, 45, 45, 50, 60, 70, 80], 0)),
      told(null, handledAt('n', [10, 20, 30, 40, 50, 60, 70, 80], 2)),
    ]
    expect(left).toEqual(all)
    expect(told(null, handledAt('n', [10, 20, 30, 40, 50, 60, 70, 80], 8)).count).toBe(8)
  })
})
