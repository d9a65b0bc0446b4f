import 'server-only'
import type { InterestQuery } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { isPlausibleYear } from '@/lib/interest/cohort'
import { cycleCurves } from '@/lib/interest/cycle-curves'
import { dayText, epochDay } from '@/lib/interest/epoch-day'
import { headline } from '@/lib/interest/headline'
import { interestGrid } from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { shownWeeks } from '@/lib/interest/shown-weeks'
import { isPeriod, withFewHidden, withSteps } from '@/lib/interest/withheld'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { maySee, type Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { type CountedInterest, countInterest } from './count-interest'

/** Everything on the page about interest. Throws NotReadyError while the service has never answered. */
export async function interestPage(viewer: Viewer, query: InterestQuery): Promise<InterestPage> {
  const hasSchools = (query.school ?? []).length > 0
  const counted = await countInterest(viewer, query, hasSchools || isPeriod(query))
  const { cohort, cycle, counts, selection, isWithheld, snapshot } = counted
  const asOf = stockholmDay(Date.parse(snapshot.fetchedAt))
  const today = epochDay(asOf)
  const thisYear = Number(asOf.slice(0, 4))
  const all = (services().feed.highSchools().content?.highSchools ?? []).filter(({ id }) => maySee(viewer, id))
  const schools = all.filter(({ id }) => selection.schools === null || selection.schools.has(id))
  const plausible = counts.years.map(({ year }) => year).filter((year) => isPlausibleYear(year, thisYear))
  const numbers = headline(counts.years, cohort, cycle, today)
  const curves = cycleCurves(counts.years, cohort, cycle, today)
  return {
    cohort,
    cohorts: [...new Set([...plausible, thisYear, thisYear + 1, cohort])].toSorted((a, b) => a - b),
    asOf,
    snapshot,
    cycle,
    period: { from: dayOrNull(selection.from), to: dayOrNull(selection.to) },
    isWithheld,
    chosen: selection.schools === null ? [] : schools.map(({ name }) => name),
    headline: isWithheld ? withFewHidden(numbers) : numbers,
    curves: isWithheld && hasSchools ? withSteps(curves) : curves,
    grid: interestGrid(counts, schools, { thisYear, cohort }),
    weeks: shownWeeks(counts.weeks, selection, today),
    questions: { modes: counts.modes },
    handled: namedTimes(counted, schools),
  }
}

function namedTimes({ handled }: CountedInterest, schools: readonly HighSchool[]): InterestPage['handled'] {
  const names = new Map(schools.map(({ id, name }, order) => [id, { name, order }]))
  const orderOf = (id: string) => names.get(id)?.order ?? Infinity
  return {
    ...handled,
    bySchool: handled.bySchool
      .toSorted((a, b) => orderOf(a.highSchoolId) - orderOf(b.highSchoolId))
      .map(({ highSchoolId, ...times }) => ({
        ...times,
        school: { id: highSchoolId, name: names.get(highSchoolId)?.name ?? highSchoolId },
      })),
  }
}

function dayOrNull(day: number): string | null {
  return Number.isFinite(day) ? dayText(day) : null
}
