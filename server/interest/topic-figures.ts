import 'server-only'
import { contactGroups } from '@/lib/contacts/person-index'
import type { Count, InterestQuery } from '@/lib/contract/interest'
import { NO_TOPIC } from '@/lib/topics/topic-list'
import type { TopicFigures } from '@/lib/contract/topics'
import { answerWindows } from '@/lib/interest/answers'
import { sizeOf } from '@/lib/interest/axis'
import { defaultCohort } from '@/lib/interest/cohort'
import { shownRowsInScope } from '@/lib/interest/counted-leads'
import { MIN_PEOPLE_FOR_SHARE, rounded, ROUNDED_TO } from '@/lib/interest/rounding'
import type { LeadTable } from '@/lib/leads/lead-table'
import { tableSearch } from '@/lib/leads/table-search'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { countTopics, type TopicCounts } from '@/lib/topics/count-topics'
import { MAYBE_NAME, maybeName, newWords } from '@/lib/topics/new-words'
import { type Allowed, scopeKey } from '@/server/access/viewer'
import { knownSchools, type SchoolParts } from '@/server/leads/high-schools'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import { createTableCache } from '@/server/leads/table-cache'
import type { TopicIndex } from '@/server/leads/topic-index'
import { tableToCount } from '@/server/rights/protected-rows'
import { getAdmissionCycle, type Settings } from '@/server/settings/settings'
import { choiceOf, daysOf } from './interest'

type Reader = Allowed<'interest:read'>
type Parts = LeadParts &
  SchoolParts & {
    topics: Pick<TopicIndex, 'of' | 'ready'>
    topicFigures: ReturnType<typeof createTopicFigures>
    settings: Settings
    now: () => number
  }

const MAX_SHARED = 64

export function createTopicFigures() {
  return {
    counts: createTableCache<TopicCounts>(MAX_SHARED),
    words: createTableCache<TopicFigures['newWords']>(MAX_SHARED),
  }
}

export async function topicFigures(parts: Parts, viewer: Reader, query: InterestQuery): Promise<TopicFigures> {
  const { isRounded, selection } = choiceOf(viewer, query)
  const [questions, { table: declarations }, protections, cycle] = await Promise.all([
    countedTable(parts, 'asked-question'),
    // Also who is hidden from the reader has a name that is never shown.
    countedTable(parts, 'declaration-of-interest'),
    parts.protections.current(),
    getAdmissionCycle(parts, viewer),
  ])
  const table = tableToCount(protections, viewer, questions.table)
  await parts.topics.ready()
  const today = epochDay(stockholmDay(parts.now()))
  const cohort = query.cohort ?? defaultCohort(dayText(today), cycle)
  const { now, before } = answerWindows(selection, { cohort, cycle, today, isWeekly: isRounded })
  const { topics, version, bits } = parts.topics.of(table)
  const basis = { table, triage: version }
  const key = JSON.stringify([scopeKey(viewer), query.school, String(now.from), now.to, String(before.from), before.to])
  const counted = parts.topicFigures.counts.of(key, basis, () => {
    const shown = { table, ...shownRowsInScope(table, viewer.schools) }
    return countTopics(shown, bits, { ...selection, now, before, topics: topics.length })
  })
  return {
    ...daysOf(now),
    lastYear: daysOf(before),
    weeks: counted.weeks,
    topics: writtenTopics(counted, topics, { isRounded, isSeen: counted.firstDay <= before.from + FIRST_DAYS }),
    newWords: parts.topicFigures.words.of(
      JSON.stringify([scopeKey(viewer), today]),
      { ...basis, otherList: declarations },
      () => newWordsOf(parts, viewer, { table, declarations }, today),
    ),
    ...(isRounded && { roundedTo: ROUNDED_TO }),
  }
}

type Topics = ReturnType<TopicIndex['of']>['topics']

/** `isSeen`: whether the year before was, from its beginning. */
function writtenTopics(
  { counts, schoolIds }: TopicCounts,
  topics: Topics,
  { isRounded, isSeen }: { isRounded: boolean; isSeen: boolean },
): TopicFigures['topics'] {
  const write = (count: number): Count => (isRounded ? rounded(count) : count)
  return counts.map((of, at) => {
    const [questions, lastYear] = [write(of.questions), write(of.lastYear)]
    return {
      id: topics[at]?.id ?? NO_TOPIC,
      name: topics[at]?.name ?? null,
      questions,
      lastYear,
      change: isSeen ? changeOf(sizeOf(questions), sizeOf(lastYear)) : null,
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

function changeOf(now: number, before: number): number | null {
  return Math.min(now, before) < MIN_PEOPLE_FOR_SHARE ? null : Math.round((now / before - 1) * 100) / 100
}

type Tables = { table: LeadTable; declarations: LeadTable }

/** What may be a name at any school is one at all. Of whole weeks and all schools in scope, so that neither filters nor repeated requests say more. */
function newWordsOf(parts: Parts, viewer: Reader, { table, declarations }: Tables, today: number) {
  const { words, isTopical } = parts.topics.of(table)
  const monday = mondayOf(today)
  const { rows, day } = shownRowsInScope(table, viewer.schools)
  const { groups } = contactGroups([{ rows, emailKey: table.emailKey, phoneKey: table.phoneKey }])
  const written = Array.from(rows, (row, place) => ({
    words: words[row] ?? [],
    day: day[place] ?? 0,
    person: groups[0]?.[place] ?? 0,
  })).filter((one) => one.day >= monday - 16 * 7)
  const schools = knownSchools(parts).map(({ name }) => name.toLowerCase())
  const names = new Set(words.flatMap((all = []) => all.filter(maybeName)))
  const isName = (word: string) =>
    names.has(MAYBE_NAME + word) || schools.some((name) => name.includes(word)) || isInAny(declarations, word)
  return newWords(written, { from: monday - 28, to: monday - 1, isTopical, isName }).map(({ word, people }) => ({
    word,
    people: Math.round(people / ROUNDED_TO) * ROUNDED_TO,
  }))
}

/** A declaration's texts are the names and the address of whom it is by. */
function isInAny(declarations: LeadTable, word: string): boolean {
  const search = tableSearch(declarations, word)
  if (search === null) return true
  search.matches.expect(declarations.size)
  for (let row = 0; row < declarations.size; row++) if (search.matches(row)) return true
  return false
}
