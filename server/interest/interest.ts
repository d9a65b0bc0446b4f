import type { Answer } from '@/lib/contract/endpoints'
import type { Count, InterestQuery } from '@/lib/contract/interest'
import { addWorkRows, buildSeasonBoard } from '@/lib/interest/board'
import { createSeasonWindows, findDayZero, toCycleWeekEnd } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { toWorkRow } from '@/lib/interest/school-work'
import { countTopics } from '@/lib/interest/topic-figures'
import { isPlausibleYear } from '@/lib/leads/enrollment-year'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { computeQuantile } from '@/lib/quantile'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import { formatIsoWeek } from '@/lib/time/weeks'
import { maySeeSchool, toScopeKey } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { readKnownSchools } from '@/server/feed/feed'
import { type InterestReader, readInterestNumbers, selectWork } from './interest-numbers'

/** Throws NotReadyError while the service has never answered. */
export async function getInterest(
  services: Services,
  viewer: InterestReader,
  query: InterestQuery,
): Promise<Answer<'GET /api/interest'>> {
  const numbers = await readInterestNumbers(services, viewer, query)
  const { table, chosenArrivals, chosenIds, isChosen, work, cohort, settings, rounding, snapshot } = numbers
  const minutes = Float64Array.from(selectWork(work, chosenIds).flatMap(({ answerMinutes }) => answerMinutes)).sort()
  const computeMinutes = (share: number) => rounding.roundMinutes(computeQuantile(minutes, share), minutes.length)
  return {
    cohort,
    byYearAndSchool: [...table.bySchool]
      .filter(([id]) => isChosen(id))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([highSchoolId, { days, people }]) =>
        [...days].toSorted(compareYears).map(([year, { length }]) => ({
          highSchoolId,
          year: year === NO_YEAR ? null : year,
          declarations: rounding.roundCount(length),
          people: rounding.roundCount(people.get(year) ?? 0),
        })),
      ),
    weeks: [...chosenArrivals.weeks]
      .toSorted(([a], [b]) => a - b)
      .map(([monday, { declarations, questions }]) => ({
        week: formatIsoWeek(monday),
        declarations: rounding.roundCount(declarations),
        questions: rounding.roundCount(questions),
      })),
    curves: [...chosenArrivals.days]
      .filter(([year]) => year !== NO_YEAR)
      .toSorted(compareYears)
      .map(([year, days]) => {
        const dayZero = findDayZero(year, settings.cycle)
        const cumulative = new Map<number, Count>()
        days.forEach((day, index) => {
          const cycleDay = rounding.isWeekly ? toCycleWeekEnd(day - dayZero) : day - dayZero
          cumulative.set(cycleDay, rounding.roundCount(index + 1))
        })
        return { year, points: [...cumulative] }
      }),
    handled: { medianMinutes: computeMinutes(0.5), p90Minutes: computeMinutes(0.9) },
    snapshot,
  }
}

const compareYears = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) =>
  (a === NO_YEAR ? Infinity : a) - (b === NO_YEAR ? Infinity : b)

export async function getInterestPage(
  services: Services,
  viewer: InterestReader,
  query: InterestQuery,
): Promise<InterestPage> {
  const numbers = await readInterestNumbers(services, viewer, query)
  await services.topics.ready()
  const { table, chosenArrivals, chosenIds, cohort, settings, rounding, isRounded, snapshot } = numbers
  const { cycle } = settings
  const asOf = toStockholmDay(Date.parse(snapshot.fetchedAt))
  const thisYear = Number(asOf.slice(0, 4))
  const plausibleYears = [...chosenArrivals.days.keys()].filter((year) => isPlausibleYear(year, thisYear))
  const isCurrentCohort = cohort === numbers.currentCohort
  const hasWorkStart = settings.work !== null
  // Schools that the feed does not list come last, by id.
  const listedSchools = readKnownSchools(services)
  const listedIds = new Set(listedSchools.map(({ id }) => id))
  const unlistedIds = [...table.bySchool.keys()].filter((id) => !listedIds.has(id)).toSorted()
  const schools = [...listedSchools, ...unlistedIds.map((id) => ({ id, name: id }))].filter(
    ({ id }) => maySeeSchool(viewer, id) && numbers.isChosen(id),
  )
  // The board is built once for each snapshot and scope, because the forecasts of 147 schools take ten milliseconds.
  const boardKey = JSON.stringify([toScopeKey(viewer), cohort, asOf, cycle, schools])
  const seasons = services.interest.boards.getOrMake(boardKey, numbers.basis, () =>
    buildSeasonBoard({
      schools: schools.map((school) => ({ school, declarationDays: table.bySchool.get(school.id)?.days ?? new Map() })),
      chosenDays: chosenArrivals.days,
      scopeDays: table.all.days,
      cohort,
      cycle,
      todayEpochDay: parseIsoDay(asOf),
      rounding,
    }),
  )
  const topicBits = services.topics.getTopicBits(table.questions.table)
  const windows = createSeasonWindows({ cohort, cycle, todayEpochDay: numbers.todayEpochDay, isWeekly: isRounded })
  return {
    cohort,
    cohorts: [...new Set([...plausibleYears, thisYear, thisYear + 1, cohort])].toSorted((a, b) => b - a),
    asOf,
    snapshot,
    cycle,
    isRounded,
    chosenSchools: chosenIds === null ? [] : schools.map(({ name }) => name),
    goals: settings.goals,
    isCurrentCohort,
    hasWorkStart,
    board: addWorkRows(seasons, (schoolId) => {
      const ids = schoolId === null ? chosenIds : new Set([schoolId])
      const row = toWorkRow(selectWork(numbers.work, ids), rounding)
      // Before the first day of work is set nothing is late; otherwise every lead that ever came would be.
      if (!hasWorkStart) return { ...row, lateCount: 0, judgedCount: 0, withinGoalShare: null }
      return isCurrentCohort ? row : { ...row, judgedCount: 0, withinGoalShare: null }
    }),
    topics: countTopics(
      { ...table.questions, table: numbers.visibleTables.questions },
      { topicBits, schools: chosenIds, windows, rounding },
    ),
  }
}
