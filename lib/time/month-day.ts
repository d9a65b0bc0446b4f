export const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Tells whether a text is a day `MM-dd` of every year, which 29 February is not. */
export function isDayOfEveryYear(text: string): boolean {
  if (!/^\d\d-\d\d$/.test(text)) return false
  const [month = 0, day = 0] = text.split('-').map(Number)
  return day >= 1 && day <= (DAYS_OF_MONTH[month - 1] ?? 0)
}

/** Writes `MM-dd`. A day that the month does not have becomes its last. */
export function formatMonthDay(month: number, day: number): string {
  const lastDay = DAYS_OF_MONTH[month - 1] ?? 31
  return [month, Math.min(day, lastDay)].map((part) => String(part).padStart(2, '0')).join('-')
}
