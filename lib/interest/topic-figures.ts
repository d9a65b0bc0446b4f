import { isHiddenRow, getSchoolId } from '@/lib/leads/lead-table'
import { dayText } from '@/lib/time/stockholm'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { sizeOf } from './axis'
import type { seasonWindows } from './cohort'
import type { CountedRows } from './interest-table'
import { changeOf, type Rounding } from './rounding'
import { isSeenFrom } from './season-counts'

export type TopicFigures = ReturnType<typeof topicFigures>
export type TopicFigure = TopicFigures['topics'][number]

type TopicsQuery = {
  /** Each row of the table has a bit for each of its topics. */
  bits: Uint32Array
  schools: ReadonlySet<string> | null
  windows: ReturnType<typeof seasonWindows>
  rounding: Rounding
}

/**
 * What the questions of an admission year are about; a question may have several topics. `lastYear` is of the same days 52 weeks
 * before. Questions that are hidden in their table are not counted.
 */
export function topicFigures({ table, rows, days }: CountedRows, query: TopicsQuery) {
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
    const school = getSchoolId(table, row)
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
  const isSeen = isSeenFrom(before.from, days.at(-1))
  const topics = tallies.map((tally) => {
    const [ofNow, lastYear] = [rounding.count(tally.questions), rounding.count(tally.lastYear)]
    return {
      id: tally.id,
      questions: ofNow,
      lastYear,
      // A year that was not seen from its beginning is none to compare with.
      change: isSeen ? changeOf(ofNow, lastYear) : null,
      weeks: tally.weeks.map(rounding.count),
      // Rounded counts are sorted, because the order of exact ones would disclose a single question.
      bySchool: [...tally.bySchool]
        .map(([highSchoolId, count]) => ({ highSchoolId, questions: rounding.count(count) }))
        .toSorted((a, b) => sizeOf(b.questions) - sizeOf(a.questions) || (a.highSchoolId < b.highSchoolId ? -1 : 1)),
    }
  })
  return { from: dayText(now.from), to: dayText(now.to), weeks: weeks.map(isoWeek), topics }
}
