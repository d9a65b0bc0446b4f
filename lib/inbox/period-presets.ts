import { addDays } from '@/lib/time/stockholm'

/** Both days are included; null leaves an end open. */
export type Period = { from: string | null; to: string | null }

const DAYS_BACK = { today: 0, '7-days': 6, '30-days': 29 } as const
export type PeriodPreset = keyof typeof DAYS_BACK
export const PERIOD_PRESETS = Object.keys(DAYS_BACK) as PeriodPreset[]

/** The period has no end, so that a saved link goes on to show new leads. */
export function toPeriod(preset: PeriodPreset, today: string): Period {
  return { from: addDays(today, -DAYS_BACK[preset]), to: null }
}

export function findPreset(period: Period, today: string): PeriodPreset | null {
  if (period.to !== null) return null
  return PERIOD_PRESETS.find((preset) => toPeriod(preset, today).from === period.from) ?? null
}
