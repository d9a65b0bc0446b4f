import 'server-only'
import type { Count, InterestQuery } from '@/lib/contract/interest'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import type { TopicFigures } from '@/lib/contract/topics'
import { answerWindows } from '@/lib/interest/answers'
import { sizeOf } from '@/lib/interest/axis'
import { defaultCohort } from '@/lib/interest/cohort'
import { shownRowsInScope } from '@/lib/interest/counted-leads'
import { changeOf, rounded, ROUNDED_TO } from '@/lib/interest/rounding'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { countTopics, type TopicCounts } from '@/lib/topics/count-topics'
import { type Allowed, scopeKey } from '@/server/access/viewer'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import { createTableCache } from '@/server/leads/table-cache'
import type { TopicIndex } from '@/server/leads/topic-index'
import { tableToCount } from '@/server/leads/protected-rows'
import { getAdmissionCycle, type Settings } from '@/server/access/settings'
import { choiceOf, daysOf } from './interest'

type Reader = Allowed<'interest:read'>
type Parts = LeadParts & {
  topics: Pick<TopicIndex, 'bitsOf' | 'ready'>
  topicFigures: ReturnType<typeof createTopicFigures>
  settings: Settings
  now: () => number
}

const MAX_SHARED = 64

export const createTopicFigures = () => createTableCache<TopicCounts>(MAX_SHARED)

export async function topicFigures(parts: Parts, viewer: Reader, query: InterestQuery): Promise<TopicFigures> {
  const { isRounded, selection } = choiceOf(viewer, query)
  const [questions, protections, cycle] = await Promise.all([
    countedTable(parts, 'asked-question'),
    parts.protections.current(),
    getAdmissionCycle(parts, viewer),
  ])
  const table = tableToCount(protections, viewer, questions.table)
  await parts.topics.ready()
  const today = epochDay(stockholmDay(parts.now()))
  const cohort = query.cohort ?? defaultCohort(dayText(today), cycle)
  const { now, before } = answerWindows(selection, { cohort, cycle, today, isWeekly: isRounded })
  const key = JSON.stringify([scopeKey(viewer), query.school, String(now.from), now.to, String(before.from), before.to])
  const counted = parts.topicFigures.of(key, { table, triage: 0 }, () => {
    const shown = { table, ...shownRowsInScope(table, viewer.schools) }
    return countTopics(shown, parts.topics.bitsOf(table), { ...selection, now, before })
  })
  return {
    ...daysOf(now),
    lastYear: daysOf(before),
    weeks: counted.weeks,
    topics: writtenTopics(counted, { isRounded, isSeen: counted.firstDay <= before.from + FIRST_DAYS }),
    ...(isRounded && { roundedTo: ROUNDED_TO }),
  }
}

/** `isSeen`: whether the year before was, from its beginning. */
function writtenTopics(
  { counts, schoolIds }: TopicCounts,
  { isRounded, isSeen }: { isRounded: boolean; isSeen: boolean },
): TopicFigures['topics'] {
  const write = (count: number): Count => (isRounded ? rounded(count) : count)
  return counts.map((of, at) => {
    const [questions, lastYear] = [write(of.questions), write(of.lastYear)]
    return {
      id: TOPICS[at]?.id ?? NO_TOPIC,
      name: TOPICS[at]?.name ?? null,
      questions,
      lastYear,
      change: isSeen ? changeOf(questions, lastYear) : null,
      weeks: Array.from(of.weeks, write),
      bySchool: schoolIds
        .map((highSchoolId, school) => ({ highSchoolId, questions: write(of.bySchool[school] ?? 0) }))
        .filter((one) => one.questions !== 0)
        .toSorted((a, b) => sizeOf(b.questions) - sizeOf(a.questions) || (a.highSchoolId < b.highSchoolId ? -1 : 1)),
    }
  })
}

/** Where the first question came later, the year before was not seen from its beginning, and is none to compare with. */
const FIRST_DAYS = 30
