import type { Count } from '@/lib/contract/interest'
import { isHiddenRow, schoolOf } from '@/lib/leads/lead-table'
import { dayText } from '@/lib/time/stockholm'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { sizeOf } from './axis'
import type { SeasonWindows } from './cohort'
import type { CountedRows } from './interest-table'
import { changeOf, type Rounding } from './rounding'

/** What questions of an admission year are about. A question may have several topics. */
export type TopicFigures = {
  from: string
  to: string
  /** ISO 8601 weeks of the period. */
  weeks: readonly string[]
  topics: readonly TopicFigure[]
}
export type TopicFigure = {
  /** Of `TOPICS`, or `NO_TOPIC`. */
  id: string
  questions: Count
  /** In the same days 52 weeks before. */
  lastYear: Count
  /** As a share of last year's; null where either is of too few, or last year was not seen from its beginning. */
  change: number | null
  weeks: readonly Count[]
  /** Schools that were asked, the most first. */
  bySchool: readonly { highSchoolId: string; questions: Count }[]
}

type TopicsQuery = {
  /** By row of the table, a bit for each topic. */
  bits: Uint32Array
  schools: ReadonlySet<string> | null
  windows: SeasonWindows
  rounding: Rounding
}

/** Questions that are hidden in their table are not counted. */
export function topicFigures(questions: CountedRows, query: TopicsQuery): TopicFigures {
  const { table, rows, days } = questions
  const { bits, schools, rounding } = query
  const { now, before } = query.windows
  const isIn = (window: typeof now, day: number) => day >= window.from && day <= window.to
  const monday = mondayOf(now.from)
  const weeks = Array.from({ length: Math.max(0, Math.ceil((now.to + 1 - monday) / 7)) }, (_, at) => monday + at * 7)
  const tallies = [...TOPICS.map(({ id }) => id), NO_TOPIC].map((id) => {
    return { id, questions: 0, lastYear: 0, weeks: weeks.map(() => 0), bySchool: new Map<string, number>() }
  })
  for (const [place, row] of rows.entries()) {
    const day = days[place] ?? 0
    const isNow = isIn(now, day)
    const school = schoolOf(table, row)
    if (!isNow && !isIn(before, day)) continue
    if (schools?.has(school) === false || isHiddenRow(table, row)) continue
    for (const [topic, tally] of tallies.entries()) {
      if (((bits[row] ?? 0) & (1 << topic)) === 0) continue
      if (!isNow) {
        tally.lastYear++
        continue
      }
      const week = Math.floor((day - monday) / 7)
      tally.questions++
      tally.weeks[week] = (tally.weeks[week] ?? 0) + 1
      tally.bySchool.set(school, (tally.bySchool.get(school) ?? 0) + 1)
    }
  }
  const isSeen = (days.at(-1) ?? Infinity) <= before.from + FIRST_DAYS
  const topics = tallies.map((tally): TopicFigure => {
    const [ofNow, lastYear] = [rounding.count(tally.questions), rounding.count(tally.lastYear)]
    return {
      id: tally.id,
      questions: ofNow,
      lastYear,
      change: isSeen ? changeOf(ofNow, lastYear) : null,
      weeks: tally.weeks.map(rounding.count),
      // From rounded counts, because the order of exact ones would tell of one question more.
      bySchool: [...tally.bySchool]
        .map(([highSchoolId, count]) => ({ highSchoolId, questions: rounding.count(count) }))
        .toSorted((a, b) => sizeOf(b.questions) - sizeOf(a.questions) || (a.highSchoolId < b.highSchoolId ? -1 : 1)),
    }
  })
  return { from: dayText(now.from), to: dayText(now.to), weeks: weeks.map(isoWeek), topics }
}

/** Where the first question came later, the year before was not seen from its beginning, and is none to compare with. */
const FIRST_DAYS = 30
