import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { DayNumbers, ListDay } from '@/lib/contract/day'
import { queueFilter } from '@/lib/inbox/queues'
import { countWork, dueDays, type WorkCounts } from '@/lib/leads/count-work'
import { answersAmong, answersSince, type FirstAnswer } from '@/lib/leads/answers-since'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import { dayText, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { type Allowed, reachOf } from '@/server/access/viewer'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { TriageColumnsCache } from './list-counts'
import { leadTable, type SelectionParts, selectionContext } from './select-leads'
import { createShared } from './shared'

export type WorkCountParts = SelectionParts & {
  now: () => number
  triage: Pick<TriageBoard, 'current' | 'changes'>
  triageColumns: TriageColumnsCache
  workCounts: ReturnType<typeof createWorkCounts>
}

const MOST_SHARED = 500
type Counts = WorkCounts & Pick<CountedList, 'answers'>

/** What has to be done, counted once for all who see the same, until leads, decisions or the day are others. */
export function createWorkCounts() {
  return { answers: createShared<FirstAnswer[]>(2), counts: createShared<Counts>(MOST_SHARED) }
}

/** One list's numbers for one person, and what the day tells beside them. */
export type CountedList = {
  kind: LeadKind
  table: LeadTable
  numbers: ListDay
  leads: number
  /** Open leads by whose they are. */
  openOf: (userId: string) => number
  oldestRow: number
  /** First answers of this week. */
  answers: readonly FirstAnswer[]
}

/** Counts what one list gives a person to do; `schools` narrows it further. Records no visit of the list. */
export async function countList(
  parts: WorkCountParts,
  viewer: Allowed<'leads:read'>,
  kind: LeadKind,
  schools: readonly string[] | undefined,
): Promise<CountedList> {
  const [table, context] = await Promise.all([leadTable(parts, viewer, kind), selectionContext(parts, viewer, kind)])
  const { work, lastVisitAt, triage } = context
  const today = stockholmDay(parts.now())
  const changes = parts.triage.changes()
  const basis = { table, triage: changes }
  const week = dayText(mondayOf(stockholmEpochDay(parts.now())))
  const answers = parts.workCounts.answers.of(JSON.stringify([work.key, week]), basis, () =>
    answersSince(table, triage, work, stockholmDayStart(week)),
  )
  const columns = parts.triageColumns.of(table, triage, changes, work)
  const school = schools && { school: [...schools].sort() }
  const key = JSON.stringify([reachOf(viewer), school, work.key, today])
  const due = dueDays(work, today)
  const counts = parts.workCounts.counts.of(key, basis, () => {
    const rows = selectRows(table, { ...school }, context)
    return { ...countWork(table, rows, columns, work, due), answers: answersAmong(answers, rows, table.size) }
  })
  const fresh = () => selectRows(table, { ...queueFilter('new', null), ...school }, context).length
  const openOf = (userId: string) => counts.openOf.get(userId) ?? 0
  return {
    kind,
    table,
    numbers: {
      ...numbersOf(counts),
      new: lastVisitAt === null ? counts.untouched : fresh(),
      mine: openOf(viewer.id),
      since: lastVisitAt === null ? null : new Date(lastVisitAt).toISOString(),
      due,
    },
    leads: counts.leads,
    openOf,
    oldestRow: counts.oldestRow,
    answers: counts.answers,
  }
}

function numbersOf({ late, dueToday, waiting, followUps, snoozed, unassigned }: WorkCounts) {
  return { late, dueToday, waiting, followUps, snoozed, unassigned } satisfies Partial<DayNumbers>
}

/** Of all lists together. */
export function addedUp(lists: readonly CountedList[]): DayNumbers {
  const of = (name: keyof DayNumbers) => lists.reduce((sum, { numbers }) => sum + numbers[name], 0)
  return {
    new: of('new'),
    late: of('late'),
    dueToday: of('dueToday'),
    waiting: of('waiting'),
    mine: of('mine'),
    followUps: of('followUps'),
    snoozed: of('snoozed'),
    unassigned: of('unassigned'),
  }
}
