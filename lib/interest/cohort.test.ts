import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { defaultCohort, periodOf, presetOf } from './cohort'

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

  it('may be the last days, or somebody’s own', () => {
    expect(periodOf('30-days', basis)).toEqual({ from: '2026-10-23', to: null })
    expect(presetOf({ from: null, to: null }, basis)).toBe('all')
    expect(presetOf({ from: '2026-10-22', to: null }, basis)).toBeNull()
  })
})
