import { addDays } from '@/lib/time/stockholm-day'

export const PERIOD_PRESETS = ['today', '7-days', '30-days'] as const
export type PeriodPreset = (typeof PERIOD_PRESETS)[number]
/** Calendar days in Stockholm, both included; null is open. */
export type Period = { from: string | null; to: string | null }

const DAYS: Record<PeriodPreset, number> = { today: 1, '7-days': 7, '30-days': 30 }

/** The last days up to and including `today`; open towards the future, so that a saved link goes on to show what is new. */
export function periodOf(preset: PeriodPreset, today: string): Period {
  return { from: addDays(today, 1 - DAYS[preset]), to: null }
}

/** The preset that a period is today, or null for one of the person's own. */
export function presetOf(period: Period, today: string): PeriodPreset | null {
  if (period.to !== null) return null
  return PERIOD_PRESETS.find((preset) => periodOf(preset, today).from === period.from) ?? null
}
