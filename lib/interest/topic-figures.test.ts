import { expect, test } from 'vitest'
import type { AskedQuestion } from '@/lib/contract/lead'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { question } from '@/lib/leads/testing/leads'
import { parseIsoDay } from '@/lib/time/stockholm'
import { TOPICS } from '@/lib/topics/topic-list'
import { createSeasonWindows } from './cohort'
import { buildInterestTable } from './interest-table'
import { exactRounding, managerRounding, type Rounding } from './rounding'
import { countTopics } from './topic-figures'

const of = (school: string, day: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    question(`${school} ${day} ${at}`, { school, createdAt: `${day}T09:00:00Z` }),
  )

/** All of the first topic. */
function figuresOf(questions: readonly AskedQuestion[], rounding: Rounding, schools: string[] | null = null) {
  const table = leadTableOf('asked-question', questions)
  const tables = { questions: table, declarations: leadTableOf('declaration-of-interest', []) }
  const season = { cohort: 2027, cycle: defaultAdmissionCycle, todayEpochDay: parseIsoDay('2026-11-20') }
  const options = { tables, visibleTables: tables, scope: 'all', excludesHidden: false } as const
  return countTopics(buildInterestTable(options).questions, {
    topicBits: new Uint32Array(table.size).fill(1),
    schools: schools && new Set(schools),
    windows: createSeasonWindows({ ...season, isWeekly: rounding.isWeekly }),
    rounding,
  })
}

const lastYear = [...of('norra', '2025-10-01', 1), ...of('norra', '2025-11-11', 39)]
const thisYear = [...of('norra', '2026-11-10', 41), ...of('sodra', '2026-11-10', 42), ...of('sodra', '2026-11-18', 3)]

test('questions of a topic are counted in all, by week and by school, beside last year', () => {
  const { firstDay: from, lastDay: to, weeks, topics } = figuresOf([...thisYear, ...lastYear], exactRounding)
  expect([from, to, weeks[0], weeks.at(-1)]).toEqual(['2026-09-16', '2026-11-20', '2026-W38', '2026-W47'])
  expect(topics).toHaveLength(TOPICS.length + 1)
  expect(topics[0]).toMatchObject({ id: 'programmes', questionCount: 86, lastYearCount: 40, change: 1.15 })
  expect(topics[0]?.weekCounts.slice(-2)).toEqual([83, 3])
  expect(topics[0]?.bySchool).toEqual([
    { highSchoolId: 'sodra', questionCount: 45 },
    { highSchoolId: 'norra', questionCount: 41 },
  ])
  expect(figuresOf([...thisYear, ...lastYear], exactRounding, ['norra']).topics[0]).toMatchObject({ questionCount: 41 })
})

test('managers get whole weeks that have ended, in an order that no single question changes', () => {
  const figures = figuresOf([...thisYear, ...lastYear], managerRounding)
  expect([figures.firstDay, figures.lastDay, figures.weeks.at(-1)]).toEqual(['2026-09-14', '2026-11-15', '2026-W46'])
  expect(figures.topics[0]).toMatchObject({ questionCount: 85, lastYearCount: 40, change: 1.13 })
  expect(figures.topics[0]?.bySchool.map(({ highSchoolId }) => highSchoolId)).toEqual(['norra', 'sodra'])
  const more = [...of('norra', '2026-11-11', 1), ...of('norra', '2026-11-19', 20)]
  expect(figuresOf([...thisYear, ...more, ...lastYear], managerRounding)).toEqual(figures)
})

test('a year that was not seen from its beginning is none to compare with', () => {
  expect(figuresOf([...thisYear, ...of('norra', '2025-11-11', 40)], exactRounding).topics[0]?.change).toBeNull()
})
