import { isoWeek, mondayOf, mondayOfWeek } from './iso-week'
import type { WeekCount } from './week-counts'

/** A year, so that the same season last year is just on the chart. */
const WEEKS_SHOWN = 53

/**
 * The weeks of a chart, also those in which nothing came: of the period asked for, as far as anything came within it, else
 * the last year up to `today`. Days are numbered from 1 January 1970.
 */
export function shownWeeks(
  counts: readonly WeekCount[],
  { from, to }: { from: number; to: number },
  today: number,
): WeekCount[] {
  const first = counts[0] && mondayOfWeek(counts[0].week)
  const last = mondayOf(Math.min(to, today))
  const isOpen = !Number.isFinite(from) && !Number.isFinite(to)
  const start = isOpen ? last - (WEEKS_SHOWN - 1) * 7 : mondayOf(Number.isFinite(from) ? from : (first ?? last))
  const byWeek = new Map(counts.map((count) => [count.week, count]))
  const length = Math.min(MOST_WEEKS, Math.max(0, (last - start) / 7 + 1))
  return Array.from({ length }, (_, index) => {
    const week = isoWeek(last - (length - 1 - index) * 7)
    return byWeek.get(week) ?? { week, declarations: 0, questions: 0 }
  })
}

/** Ten years: somebody may ask from the year 1900. */
const MOST_WEEKS = 522
