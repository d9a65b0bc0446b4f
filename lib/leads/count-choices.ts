import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { countWork } from './count-work'
import { isHiddenRow, type LeadTable, NO_YEAR, workingSpace } from './lead-table'
import { type SelectionContext, selectRows } from './select-rows'
import type { TriageColumns } from './triage-columns'

/** Without what depends on the last visit and the rules of the work. */
export type ChoiceCounts = Omit<ListCounts, 'fresh' | 'freshSince' | 'waiting' | 'late' | 'hidden' | 'topic'>

/** With the other filters as they are, in one pass: a row that fails one filter counts among its choices only. */
export function countChoices(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  triage: TriageColumns,
): ChoiceCounts {
  const { school, status, assignee, mode, year, ...rest } = filter
  const rows = selectRows(table, rest, context)
  const facets = [
    facet(table.school, table.schoolIds, school),
    facet(triage.status, LEAD_STATUSES, status),
    facet(
      triage.assignee,
      triage.assignees,
      assignee?.map((who) => (who === 'me' ? context.viewerId : who)),
    ),
    facet(table.mode, table.modes, mode),
    yearFacet(table, rows, year),
  ] as const
  const total = tally(rows, facets)
  const [bySchool, byStatus, byAssignee, byMode, byYear] = facets.map(countsOf)
  return {
    total,
    school: bySchool ?? {},
    status: byStatus ?? {},
    assignee: byAssignee ?? {},
    mode: byMode ?? {},
    year: byYear ?? {},
  }
}

/** A question counts for each of its topics. */
export function countTopicChoices(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
): ListCounts['topic'] {
  if (table.kind !== 'asked-question') return {}
  const { topic: _, ...rest } = filter
  const bits = context.topics.bitsOf(table)
  const ids = [...TOPICS.map(({ id }) => id), NO_TOPIC]
  const counts = new Uint32Array(ids.length)
  for (const row of selectRows(table, rest, context)) {
    if (isHiddenRow(table, row)) continue
    for (let bit = 0; bit < ids.length; bit++) counts[bit] = (counts[bit] ?? 0) + (((bits[row] ?? 0) >>> bit) & 1)
  }
  return Object.fromEntries(ids.flatMap((id, bit) => (counts[bit] === 0 ? [] : [[id, counts[bit] ?? 0]])))
}

export type WorkChoices = Pick<ListCounts, 'waiting' | 'late' | 'hidden'>

/** How many of the matching leads are work, and how many the filter leaves out with `earlier` and `snoozed`. */
export function countWorkChoices(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  triage: TriageColumns,
): WorkChoices {
  const { waiting: _waiting, late: _late, ...rest } = filter
  const { waitingAt, late } = countWork(table, selectRows(table, rest, context), triage, context.work)
  const waiting = table.schoolIds.flatMap((id, index) => {
    const number = waitingAt[index] ?? 0
    return number === 0 ? [] : [[id, number] as const]
  })
  return { waiting: Object.fromEntries(waiting), late, hidden: countHidden(table, filter, context) }
}

/** A lead that is both counts once neither is left out. */
function countHidden(table: LeadTable, filter: LeadFilter, context: SelectionContext): ListCounts['hidden'] {
  const size = (change: LeadFilter) => selectRows(table, { ...filter, ...change }, context).length
  return {
    earlier: filter.earlier === false ? size({ earlier: true }) : 0,
    snoozed: filter.snoozed === false ? size({ snoozed: true }) : 0,
  }
}

/** `place` is the index of each row's value in `choices`. */
type Facet = { place: ArrayLike<number>; choices: readonly string[]; isWanted: Uint8Array; counts: Uint32Array }

function facet(place: ArrayLike<number>, choices: readonly string[], wanted: readonly string[] | undefined): Facet {
  const chosen = wanted && new Set(wanted)
  const isWanted = Uint8Array.from(choices, (choice) => (chosen === undefined || chosen.has(choice) ? 1 : 0))
  return { place, choices, isWanted, counts: new Uint32Array(choices.length) }
}

const yearPlaces = workingSpace((size) => new Uint32Array(size))

function yearFacet(table: LeadTable, rows: Uint32Array, wanted: readonly number[] | undefined): Facet {
  const places = new Map<number, number>()
  const place = yearPlaces(table.size)
  for (const row of rows) {
    const year = table.year[row] ?? NO_YEAR
    const index = places.get(year) ?? places.size
    if (index === places.size) places.set(year, index)
    place[row] = index
  }
  return facet(place, [...places.keys()].map(String), wanted?.map(String))
}

const NONE_FAILED = -1

function tally(rows: Uint32Array, facets: readonly Facet[]): number {
  let total = 0
  for (const row of rows) {
    let failed = NONE_FAILED
    let failures = 0
    for (let index = 0; index < facets.length && failures < 2; index++) {
      const one = facets[index]
      if (one === undefined || one.isWanted[one.place[row] ?? 0] === 1) continue
      failed = index
      failures++
    }
    if (failures > 1) continue
    if (failures === 1) {
      count(facets[failed], row)
      continue
    }
    total++
    for (const one of facets) count(one, row)
  }
  return total
}

function count(one: Facet | undefined, row: number): void {
  const place = one?.place[row]
  if (one && place !== undefined) one.counts[place] = (one.counts[place] ?? 0) + 1
}

const NO_CHOICE = new Set(['', String(NO_YEAR)])

/** Without choices of zero, and without leads that have no value. */
function countsOf({ choices, counts }: Facet): Record<string, number> {
  return Object.fromEntries(
    choices.flatMap((choice, index) => {
      const number = counts[index] ?? 0
      return number === 0 || NO_CHOICE.has(choice) ? [] : [[choice, number] as const]
    }),
  )
}
