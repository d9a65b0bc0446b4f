import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { addDays } from '@/lib/time/stockholm-day'
import { cycleDate } from './cohort'
import { dayText } from './epoch-day'

/** Days, `yyyy-MM-dd`, both included; null is open. */
export type Period = { from: string | null; to: string | null }
export type PeriodPreset = 'all' | 'admission-year' | '90-days' | '30-days'
export const periodPresets = ['all', 'admission-year', '90-days', '30-days'] as const satisfies readonly PeriodPreset[]
/** What presets are relative to. */
export type PeriodBasis = { cohort: number; cycle: AdmissionCycle; today: string }

/** The last days are open towards the future, so that a saved link goes on to show what is new. */
export function periodOf(preset: PeriodPreset, { cohort, cycle, today }: PeriodBasis): Period {
  switch (preset) {
    case 'all':
      return { from: null, to: null }
    case 'admission-year':
      return {
        from: dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1),
        to: dayText(cycleDate(cohort, cycle.reservesEnd)),
      }
    case '90-days':
      return { from: addDays(today, -89), to: null }
    case '30-days':
      return { from: addDays(today, -29), to: null }
    default:
      return preset satisfies never
  }
}

/** The preset that a period is, null for one of the person's own. */
export function presetOf(period: Period, basis: PeriodBasis): PeriodPreset | null {
  const isSame = (preset: PeriodPreset) => {
    const { from, to } = periodOf(preset, basis)
    return from === period.from && to === period.to
  }
  return periodPresets.find(isSame) ?? null
}
