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
  /** Each row has the bits of its topics, by their index in `TOPIC_CHOICES`. */
  topicBits: Uint32Array
  schools: ReadonlySet<string> | null
  windows: SeasonWindows
  rounding: Rounding
}

/** Counts questions by topic, those of this year also by week and school. Hidden ones are left out. */
export function countTopics({ table, rows, days }: CountedRows, query: TopicsQuery) {
  const { topicBits, schools, rounding } = query
  const { current, previous } = query.windows
  const isWithin = (window: DayWindow, day: number) => day >= window.firstDay && day <= window.lastDay
  const firstMonday = findMonday(current.firstDay)
  const mondays: number[] = []
  for (let monday = firstMonday; monday <= current.lastDay; monday += WEEK_DAYS) mondays.push(monday)
  const tallies = TOPIC_CHOICES.map((id) => {
    const counts = { questionCount: 0, lastYearCount: 0, weekCounts: mondays.map(() => 0) }
    return { id, ...counts, bySchool: new Map<string, number>() }
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
        tally.lastYearCount++
        continue
      }
      const week = Math.floor((day - firstMonday) / WEEK_DAYS)
      tally.questionCount++
      tally.weekCounts[week] = (tally.weekCounts[week] ?? 0) + 1
      tally.bySchool.set(school, (tally.bySchool.get(school) ?? 0) + 1)
    }
  }
  const isYearBeforeSeen = isSeenFromStart(previous.firstDay, days.at(-1))
  const topics = tallies.map((tally) => {
    const questionCount = rounding.roundCount(tally.questionCount)
    const lastYearCount = rounding.roundCount(tally.lastYearCount)
    return {
      id: tally.id,
      questionCount,
      lastYearCount,
      change: isYearBeforeSeen ? computeChange(questionCount, lastYearCount) : null,
      weekCounts: tally.weekCounts.map(rounding.roundCount),
      // Rounded counts are sorted, because the order of exact ones would disclose a single question.
      bySchool: [...tally.bySchool]
        .map(([highSchoolId, count]) => ({ highSchoolId, questionCount: rounding.roundCount(count) }))
        .toSorted((a, b) => (a.highSchoolId < b.highSchoolId ? -1 : 1))
        .toSorted((a, b) => estimateCount(b.questionCount) - estimateCount(a.questionCount)),
    }
  })
  const period = { firstDay: formatIsoDay(current.firstDay), lastDay: formatIsoDay(current.lastDay) }
  return { ...period, weeks: mondays.map(formatIsoWeek), topics }
}
