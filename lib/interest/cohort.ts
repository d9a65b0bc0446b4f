import { findMonday, toEpochDay, WEEK_DAYS } from '@/lib/time/weeks'

/** The dates of a cycle come in this order, within one calendar year. */
export const ADMISSION_DATES = [
  'applicationOpens',
  'applicationCloses',
  'preliminary',
  'changePeriodEnds',
  'final',
  'reservesEnd',
] as const
export type AdmissionDateName = (typeof ADMISSION_DATES)[number]
/** Each date is `MM-dd`. */
type AdmissionCycle = Readonly<Record<AdmissionDateName, string>>

export function findDateOutOfOrder(cycle: AdmissionCycle): AdmissionDateName | null {
  const isOutOfOrder = (name: AdmissionDateName, index: number) => {
    const previousName = ADMISSION_DATES[index - 1]
    return previousName !== undefined && cycle[previousName] >= cycle[name]
  }
  return ADMISSION_DATES.find(isOutOfOrder) ?? null
}

/** Finds the day (since 1 January 1970) of a date `MM-dd` in a cohort's year. */
export function toCohortEpochDay(cohort: number, date: string): number {
  const [month = 1, day = 1] = date.split('-').map(Number)
  return toEpochDay(cohort, month, day)
}

/** Finds the last day to apply (since 1 January 1970), from which the days of a cycle are counted. */
export function findDayZero(cohort: number, cycle: AdmissionCycle): number {
  return toCohortEpochDay(cohort, cycle.applicationCloses)
}

/** A period in days since 1 January 1970, both ends included. */
export type DayWindow = { firstDay: number; lastDay: number }

/** An admission year lasts from the day after the reserves of the cohort before are in, to the day when its own are. */
export function findAdmissionYear(cohort: number, cycle: AdmissionCycle): DayWindow {
  return {
    firstDay: toCohortEpochDay(cohort - 1, cycle.reservesEnd) + 1,
    lastDay: toCohortEpochDay(cohort, cycle.reservesEnd),
  }
}

/** Finds the last day of a day's week, in weeks of which one ends on day zero. `+ 0` makes 0 of -0. */
export function toCycleWeekEnd(cycleDay: number): number {
  return Math.ceil(cycleDay / WEEK_DAYS) * WEEK_DAYS + 0
}

/** A year back is 52 weeks, so that both periods have as many days of each weekday. */
const YEAR_BACK_DAYS = 52 * WEEK_DAYS

export type SeasonWindows = { current: DayWindow; previous: DayWindow }
type WindowsQuery = { cohort: number; cycle: AdmissionCycle; todayEpochDay: number; isWeekly: boolean }

/** Returns the admission year so far and the same days 52 weeks before; if `isWeekly`, the whole weeks that ended. */
export function createSeasonWindows({ cohort, cycle, todayEpochDay, isWeekly }: WindowsQuery): SeasonWindows {
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  const thisMonday = findMonday(todayEpochDay)
  const current = isWeekly
    ? { firstDay: findMonday(firstDay), lastDay: Math.min(findMonday(lastDay) + WEEK_DAYS, thisMonday) - 1 }
    : { firstDay, lastDay: Math.min(lastDay, todayEpochDay) }
  const previous = { firstDay: current.firstDay - YEAR_BACK_DAYS, lastDay: current.lastDay - YEAR_BACK_DAYS }
  return { current, previous }
}

/** Finds the cohort of a day (`yyyy-MM-dd`): this year's until its reserves are in, then next year's. */
export function findDefaultCohort(isoDay: string, cycle: AdmissionCycle): number {
  return Number(isoDay.slice(0, 4)) + (isoDay.slice(5) <= cycle.reservesEnd ? 0 : 1)
}
