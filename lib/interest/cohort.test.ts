import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle, type AdmissionCycle, admissionCycleSchema } from '@/lib/contract/settings'
import { dayText, epochDay } from '@/lib/time/stockholm'
import { type DayWindow, defaultCohort, firstOutOfOrder, seasonWindows, withPart } from './cohort'

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

describe('the season so far', () => {
  it('is beside as many days of last year, of each weekday as many; for managers of whole weeks that have ended', () => {
    const windowsOn = (today: string, isWeekly: boolean) =>
      seasonWindows({ cohort: 2027, cycle: defaultAdmissionCycle, today: epochDay(today), isWeekly })
    const textOf = ({ from, to }: DayWindow) => [dayText(from), dayText(to)]
    expect(Object.values(windowsOn('2026-12-07', true)).map(textOf)).toEqual([
      ['2026-09-14', '2026-12-06'],
      ['2025-09-15', '2025-12-07'],
    ])
    expect(Object.values(windowsOn('2026-12-07', false)).map(textOf)).toEqual([
      ['2026-09-16', '2026-12-07'],
      ['2025-09-17', '2025-12-08'],
    ])
    expect(textOf(windowsOn('2028-01-01', true).now), 'until its last week').toEqual(['2026-09-14', '2027-09-19'])
  })
})
