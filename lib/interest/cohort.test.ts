import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle, type AdmissionCycle, admissionCycleSchema } from '@/lib/contract/settings'
import { defaultCohort, firstOutOfOrder, withPart } from './cohort'

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
