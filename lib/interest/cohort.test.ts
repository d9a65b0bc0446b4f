import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle, type AdmissionCycle, admissionCycleSchema } from '@/lib/contract/settings'
import { dayText } from '@/lib/time/stockholm'
import { defaultCohort, firstOutOfOrder, monthsAndWeeks, periodOf, presetOf, withPart } from './cohort'

describe('the cohort one asks about', () => {
  it.each([
    ['2026-01-01', 2026],
    ['2026-09-15', 2026],
    ['2026-09-16', 2027],
    ['2026-12-31', 2027],
  ])('on %s is %i', (today, cohort) => {
    expect(defaultCohort(today, defaultAdmissionCycle)).toBe(cohort)
  })
})

describe('a period', () => {
  const basis = { cohort: 2027, cycle: defaultAdmissionCycle, today: '2026-11-21' }

  it('may be an admission year', () => {
    expect(periodOf('admission-year', basis)).toEqual({ from: '2026-09-16', to: '2027-09-15' })
    expect(presetOf({ from: '2026-09-16', to: '2027-09-15' }, basis)).toBe('admission-year')
  })

  it('may be the last days, or a period of one’s own', () => {
    expect(periodOf('30-days', basis)).toEqual({ from: '2026-10-23', to: null })
    expect(presetOf({ from: null, to: null }, basis)).toBe('all')
    expect(presetOf({ from: '2026-10-22', to: null }, basis)).toBeNull()
  })

  it('may be a month or a week of the admission year so far', () => {
    const { months, weeks } = monthsAndWeeks(basis)
    const texts = ({ from, to }: { from: number; to: number }) => [dayText(from), dayText(to)]
    expect(months.map(texts)).toEqual([
      ['2026-11-01', '2026-11-30'],
      ['2026-10-01', '2026-10-31'],
      ['2026-09-01', '2026-09-30'],
    ])
    expect(weeks).toHaveLength(10)
    expect([weeks.at(0), weeks.at(-1)].map((week) => week && texts(week))).toEqual([
      ['2026-11-16', '2026-11-22'],
      ['2026-09-14', '2026-09-20'],
    ])
    expect(monthsAndWeeks({ ...basis, cohort: 2026 }).months).toHaveLength(13)
    expect(monthsAndWeeks({ ...basis, cohort: 2029 })).toEqual({ months: [], weeks: [] })
  })
})

describe('the dates of the admission', () => {
  const withDates = (dates: Partial<AdmissionCycle>) => ({ ...defaultAdmissionCycle, ...dates })

  it('are taken as they usually are', () => {
    expect(admissionCycleSchema.safeParse(defaultAdmissionCycle).success).toBe(true)
    expect(firstOutOfOrder(defaultAdmissionCycle)).toBeNull()
  })

  it.each([
    [withDates({ final: '05-15' }), 'final'],
    [withDates({ preliminary: '02-29' }), 'preliminary'],
    [withDates({ applicationOpens: '1-15' }), 'applicationOpens'],
    [withDates({ reservesEnd: '09-31' }), 'reservesEnd'],
  ])('are refused by name when they are not in order or not in every year', (cycle, field) => {
    const { error } = admissionCycleSchema.safeParse(cycle)
    expect(error?.issues[0]?.path).toEqual([field])
  })

  it('stay days of the calendar while one is changed', () => {
    expect(withPart('03-31', { month: 2 })).toBe('02-28')
    expect(withPart('02-28', { day: 5 })).toBe('02-05')
  })
})
