import 'server-only'
import type { Interest, InterestQuery } from '@/lib/contract/interest'
import { dayZero } from '@/lib/interest/cohort'
import { curveOf } from '@/lib/interest/curve'
import type { InterestCounts } from '@/lib/interest/interest-counts'
import { isPeriod, LEAST_GROUP } from '@/lib/interest/withheld'
import type { Viewer } from '@/server/access/viewer'
import { countInterest } from './count-interest'

/** The numbers behind the page, for whoever wants to go on counting. */
export async function getInterest(viewer: Viewer, query: InterestQuery): Promise<Interest> {
  const { cohort, cycle, counts, handled, isWithheld, snapshot } = await countInterest(viewer, query, isPeriod(query))
  const { medianMinutes, p90Minutes } = handled
  return {
    cohort,
    byYearAndSchool: counts.cells
      .toSorted(bySchoolAndYear)
      .map(({ highSchoolId, year, declarations, people }) => ({ highSchoolId, year, declarations, people })),
    weeks: counts.weeks,
    curves: counts.years.map(({ year, declarations }) => ({
      year,
      points: curveOf(declarations, dayZero(year, cycle)),
    })),
    handled: { medianMinutes, p90Minutes },
    snapshot,
    ...(isWithheld && { withheldBelow: LEAST_GROUP }),
  }
}

/** Without a year comes last. */
function bySchoolAndYear(a: InterestCounts['cells'][number], b: InterestCounts['cells'][number]): number {
  if (a.highSchoolId !== b.highSchoolId) return a.highSchoolId < b.highSchoolId ? -1 : 1
  return (a.year ?? Infinity) - (b.year ?? Infinity)
}
