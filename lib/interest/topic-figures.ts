import { getSchoolId, isHiddenRow } from '@/lib/leads/lead-table'
import { formatIsoDay } from '@/lib/time/stockholm'
import { findMonday, formatIsoWeek, WEEK_DAYS } from '@/lib/time/weeks'
import { TOPIC_CHOICES } from '@/lib/topics/topic-list'
import type { DayWindow, SeasonWindows } from './cohort'
import type { CountedRows } from './interest-table'
import { computeChange, estimateCount, type Rounding } from './rounding'
import { isSeenFromStart } from './season-counts'

export type TopicFigures = ReturnType<typeof countTopics>
export type TopicFigure = TopicFigures['topics'][number]

type TopicsQuery = {
  /** Each row of the table has a bit for each of its topics. */
  topicBits: Uint32Array
  schools: ReadonlySet<string> | null
  windows: SeasonWindows
  rounding: Rounding
}

/** Counts the questions of an admission year by topic, and of the same days 52 weeks before, without hidden ones. */
export function countTopics({ table, rows, days }: CountedRows, query: TopicsQuery) {
  const { topicBits, schools, rounding } = query
  const { current, previous } = query.windows
  const isWithin = (window: DayWindow, day: number) => day >= window.firstDay && day <= window.lastDay
  const monday = findMonday(current.firstDay)
  const weekCount = Math.max(0, Math.ceil((current.lastDay + 1 - monday) / WEEK_DAYS))
  const weeks = Array.from({ length: weekCount }, (_, index) => monday + index * WEEK_DAYS)
  const tallies = TOPIC_CHOICES.map((id) => {
    return { id, questions: 0, lastYear: 0, weeks: weeks.map(() => 0), bySchool: new Map<string, number>() }
  })
  for (const [index, row] of rows.entries()) {
    const day = days[index] ?? 0
    const isThisYear = isWithin(current, day)
    if (!isThisYear && !isWithin(previous, day)) continue
    const school = getSchoolId(table, row)
    if (schools?.has(school) === false || isHiddenRow(table, row)) continue
    for (const [topic, tally] of tallies.entries()) {
      if (((topicBits[row] ?? 0) & (1 << topic)) === 0) continue
      if (!isThisYear) {
        tally.lastYear++
        continue
      }
      const week = Math.floor((day - monday) / WEEK_DAYS)
      tally.questions++
      tally.weeks[week] = (tally.weeks[week] ?? 0) + 1
      tally.bySchool.set(school, (tally.bySchool.get(school) ?? 0) + 1)
    }
  }
  const isSeen = isSeenFromStart(previous.firstDay, days.at(-1))
  const topics = tallies.map((tally) => {
    const questions = rounding.roundCount(tally.questions)
    const lastYear = rounding.roundCount(tally.lastYear)
    return {
      id: tally.id,
      questions,
      lastYear,
      change: isSeen ? computeChange(questions, lastYear) : null,
      weeks: tally.weeks.map(rounding.roundCount),
      // Rounded counts are sorted, because the order of exact ones would disclose a single question.
      bySchool: [...tally.bySchool]
        .map(([highSchoolId, count]) => ({ highSchoolId, questions: rounding.roundCount(count) }))
        .toSorted((a, b) => (a.highSchoolId < b.highSchoolId ? -1 : 1))
        .toSorted((a, b) => estimateCount(b.questions) - estimateCount(a.questions)),
    }
  })
  const window = { firstDay: formatIsoDay(current.firstDay), lastDay: formatIsoDay(current.lastDay) }
  return { ...window, weeks: weeks.map(formatIsoWeek), topics }
}
