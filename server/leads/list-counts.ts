import 'server-only'
import type { DayNumbers, ListDay } from '@/lib/contract/day'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { queueFilter } from '@/lib/inbox/queues'
import {
  type ChoiceCounts,
  countChoices,
  countTopicChoices,
  countWorkChoices,
  type WorkChoices,
} from '@/lib/leads/count-choices'
import {
  answersAmong,
  answersSince,
  countWork,
  dueDays,
  type FirstAnswer,
  type WorkCounts,
  workFlags,
} from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { type TriageColumns, triageColumns } from '@/lib/leads/triage-columns'
import { dayText, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { scopeKey, type Reader } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { selectionKey, tableInContext } from './select-leads'
import { createTableCache } from './table-cache'

const MAX_SHARED = 500
const MAX_VIEWS = 2_000

/** What is counted once for all who see the same. */
export function createCountCaches() {
  return {
    triageColumns: createTableCache<TriageColumns>(1),
    choiceCounts: createTableCache<ChoiceCounts & WorkChoices & Pick<ListCounts, 'topic'>>(MAX_SHARED),
    answersOfWeek: createTableCache<FirstAnswer[]>(2),
    workCounts: createTableCache<WorkCounts & { answers: readonly FirstAnswer[] }>(MAX_SHARED),
    viewCounts: createTableCache<number>(MAX_VIEWS),
  }
}

type Decided = Pick<SelectionContext, 'triage' | 'work'>

/** `changes`: the triage board's own count. */
export function columnsOf(services: Services, table: LeadTable, changes: number, { triage, work }: Decided) {
  return services.triageColumns.of(work.key, { table, triage: changes }, () =>
    triageColumns(table, triage, (entry) => workFlags(entry, work)),
  )
}

/** How many leads each choice of each filter would show. Records no visit. */
export async function listCounts(
  services: Services,
  viewer: Reader,
  { matching: { list, ...filter } }: { matching: Matching },
): Promise<ListCounts> {
  const { table, context } = await tableInContext(services, viewer, LISTS[list].kind)
  await services.topics.ready()
  const changes = services.triage.changes()
  const columns = columnsOf(services, table, changes, context)
  const key = selectionKey(viewer, table, filter, context)
  const counts = services.choiceCounts.of(key, { table, triage: changes }, () => ({
    ...countChoices(table, filter, context, columns),
    ...countWorkChoices(table, filter, context, columns),
    topic: countTopicChoices(table, filter, context),
  }))
  const { lastVisitAt } = context
  if (lastVisitAt === null) return { ...counts, fresh: counts.total, freshSince: null }
  const fresh = selectRows(table, { ...filter, fresh: true }, context).length
  return { ...counts, fresh, freshSince: new Date(lastVisitAt).toISOString() }
}

export type CountedList = Awaited<ReturnType<typeof countList>>

/** `schools` narrows it. Records no visit. */
export async function countList(
  services: Services,
  viewer: Reader,
  kind: LeadKind,
  schools: readonly string[] | undefined,
) {
  const { table, context } = await tableInContext(services, viewer, kind)
  const { work, lastVisitAt, triage } = context
  const today = stockholmDay(services.now())
  const changes = services.triage.changes()
  const basis = { table, triage: changes }
  const week = dayText(mondayOf(stockholmEpochDay(services.now())))
  const answers = services.answersOfWeek.of(JSON.stringify([work.key, week]), basis, () =>
    answersSince(table, triage, work, stockholmDayStart(week)),
  )
  const columns = columnsOf(services, table, changes, context)
  const school = schools && { school: [...schools].sort() }
  const key = JSON.stringify([scopeKey(viewer), school, work.key, today])
  const due = dueDays(work, today)
  const counts = services.workCounts.of(key, basis, () => {
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
