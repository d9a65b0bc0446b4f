import 'server-only'
import type { Services } from '@/server/base/services'
import type { DayNumbers, ListDay } from '@/lib/contract/day'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import {
  type ChoiceCounts,
  countChoices,
  countTopicChoices,
  countWorkChoices,
  type WorkChoices,
} from '@/lib/leads/count-choices'
import {
  countWork,
  dueDays,
  type WorkCounts,
  workFlags,
  answersAmong,
  answersSince,
  type FirstAnswer,
} from '@/lib/leads/count-work'
import { queueFilter } from '@/lib/inbox/queues'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import { type TriageColumns, type TriageOf, triageColumns } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'
import { dayText, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { scopeKey, type Reader } from '@/server/access/viewer'
import { leadTable, selectionContext } from './select-leads'
import { createTableCache } from './table-cache'

const MAX_SHARED = 500

export function createChoiceCounts() {
  return createTableCache<ChoiceCounts & WorkChoices & Pick<ListCounts, 'topic'>>(MAX_SHARED)
}

/** How many leads each choice of each filter would show. Records no visit. */
export async function listCounts(
  services: Services,
  viewer: Reader,
  { matching: { list, ...filter } }: { matching: Matching },
): Promise<ListCounts> {
  const { kind } = LISTS[list]
  const [table, context] = await Promise.all([
    leadTable(services, viewer, kind),
    selectionContext(services, viewer, kind),
  ])
  await services.topics.ready()
  const changes = services.triage.changes()
  const columns = services.triageColumns.of(table, context.triage, changes, context.work)
  const { viewerId, lastVisitAt, work } = context
  const isPersonal = filter.fresh === true || filter.assignee?.includes('me') === true
  const key = JSON.stringify([kind, filter, scopeKey(viewer), work.key, isPersonal && [viewerId, lastVisitAt]])
  const count = () => ({
    ...countChoices(table, filter, context, columns),
    ...countWorkChoices(table, filter, context, columns),
    topic: countTopicChoices(table, filter, context),
  })
  const counts = services.choiceCounts.of(key, { table, triage: changes }, count)
  const fresh = lastVisitAt === null ? counts.total : selectRows(table, { ...filter, fresh: true }, context).length
  const freshSince = lastVisitAt === null ? null : new Date(lastVisitAt).toISOString()
  return { ...counts, fresh, freshSince }
}

export function createTriageColumnsCache() {
  const cache = createTableCache<TriageColumns>(1)
  return {
    /** `changes`: the triage board's own count. */
    of: (table: LeadTable, triage: TriageOf, changes: number, rules: WorkRules): TriageColumns =>
      cache.of(rules.key, { table, triage: changes }, () =>
        triageColumns(table, triage, (entry) => workFlags(entry, rules)),
      ),
  }
}

type Counts = WorkCounts & { answers: readonly FirstAnswer[] }

export function createWorkCounts() {
  return { answers: createTableCache<FirstAnswer[]>(2), counts: createTableCache<Counts>(MAX_SHARED) }
}

export type CountedList = Awaited<ReturnType<typeof countList>>

/** `schools` narrows it. Records no visit. */
export async function countList(
  services: Services,
  viewer: Reader,
  kind: LeadKind,
  schools: readonly string[] | undefined,
) {
  const [table, context] = await Promise.all([
    leadTable(services, viewer, kind),
    selectionContext(services, viewer, kind),
  ])
  const { work, lastVisitAt, triage } = context
  const today = stockholmDay(services.now())
  const changes = services.triage.changes()
  const basis = { table, triage: changes }
  const week = dayText(mondayOf(stockholmEpochDay(services.now())))
  const answers = services.workCounts.answers.of(JSON.stringify([work.key, week]), basis, () =>
    answersSince(table, triage, work, stockholmDayStart(week)),
  )
  const columns = services.triageColumns.of(table, triage, changes, work)
  const school = schools && { school: [...schools].sort() }
  const key = JSON.stringify([scopeKey(viewer), school, work.key, today])
  const due = dueDays(work, today)
  const counts = services.workCounts.counts.of(key, basis, () => {
    const rows = selectRows(table, { ...school }, context)
    return { ...countWork(table, rows, columns, work, due), answers: answersAmong(answers, rows, table.size) }
  })
  const fresh = () => selectRows(table, { ...queueFilter('new', null), ...school }, context).length
  const openOf = (userId: string) => counts.openOf.get(userId) ?? 0
  return {
    kind,
    table,
    numbers: {
      ...pick(SHARED, (name) => counts[name]),
      new: lastVisitAt === null ? counts.untouched : fresh(),
      mine: openOf(viewer.id),
      since: lastVisitAt === null ? null : new Date(lastVisitAt).toISOString(),
      due,
    } satisfies ListDay,
    leads: counts.leads,
    openOf,
    oldestRow: counts.oldestRow,
    dueOf: work.dueOf,
    answers: counts.answers,
  }
}

const SHARED = ['late', 'dueToday', 'waiting', 'followUps', 'snoozed', 'unassigned'] as const
const NUMBERS = [...SHARED, 'new', 'mine'] as const

function pick<Name extends string>(names: readonly Name[], of: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>
}

export function addedUp(lists: readonly CountedList[]): DayNumbers {
  return pick(NUMBERS, (name) => lists.reduce((sum, { numbers }) => sum + numbers[name], 0))
}
