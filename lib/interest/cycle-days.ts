/** In the order in which they come. A cycle begins and ends within one calendar year. */
export const admissionDates = [
  'applicationOpens',
  'applicationCloses',
  'preliminary',
  'changePeriodEnds',
  'final',
  'reservesEnd',
] as const
export type AdmissionDate = (typeof admissionDates)[number]

/** The days that every year has of each month. */
export const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** `MM-dd`; the 29th of February is in some years only. */
export function isDayOfEveryYear(text: string): boolean {
  if (!/^\d\d-\d\d$/.test(text)) return false
  const [month = 0, day = 0] = text.split('-').map(Number)
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0)
}

/** The first date that is not later than the one before it, null when all are in order. */
export function firstOutOfOrder(cycle: Readonly<Record<AdmissionDate, string>>): AdmissionDate | null {
  const late = admissionDates.find((name, index) => {
    const before = admissionDates[index - 1]
    return before !== undefined && cycle[before] >= cycle[name]
  })
  return late ?? null
}

/** `MM-dd` with another month, or another day; a day the month does not have becomes its last. */
export function withPart(date: string, part: { month?: number; day?: number }): string {
  const [oldMonth = 1, oldDay = 1] = date.split('-').map(Number)
  const month = part.month ?? oldMonth
  const day = Math.min(part.day ?? oldDay, daysOfMonth[month - 1] ?? 31)
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
