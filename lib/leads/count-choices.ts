import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { TOPIC_CHOICES } from '@/lib/topics/topic-list'
import { countWork } from './count-work'
import { isHiddenRow, type LeadTable, NO_YEAR } from './lead-table'
import { type SelectionContext, selectRows } from './select-rows'
import type { TriageColumns } from './triage-columns'

/** Counts the rows that each choice would show: one that a single filter excludes counts among its choices only. */
export function countChoices(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  triage: TriageColumns,
): Pick<ListCounts, 'total' | 'school' | 'status' | 'assignee' | 'mode' | 'year'> {
  const { school, status, assignee, mode, year, ...rest } = filter
  const rows = selectRows(table, rest, context)
  const assignees = assignee?.map((id) => (id === 'me' ? context.viewerId : id))
  const yearIndexes = new Map<number, number>()
  const yearIndexByRow = new Uint32Array(table.size)
  for (const row of rows) {
    const rowYear = table.year[row] ?? NO_YEAR
    const index = yearIndexes.get(rowYear) ?? yearIndexes.size
    if (index === yearIndexes.size) yearIndexes.set(rowYear, index)
    yearIndexByRow[row] = index
  }
  const facets = {
    school: createFacet(table.school, table.schoolIds, school),
    status: createFacet(triage.status, LEAD_STATUSES, status),
    assignee: createFacet(triage.assignee, triage.assignees, assignees),
    mode: createFacet(table.mode, table.modes, mode),
    year: createFacet(yearIndexByRow, [...yearIndexes.keys()].map(String), year?.map(String)),
  }
  const allFacets = Object.values(facets)
  let total = 0
  for (const row of rows) {
    let excludedBy: Facet | null = null
    let exclusions = 0
    for (const facet of allFacets) {
      if (facet.isWanted[facet.choiceIndex[row] ?? 0] === 1) continue
      excludedBy = facet
      if (++exclusions > 1) break
    }
    if (excludedBy === null) {
      total++
      for (const facet of allFacets) countRow(facet, row)
    } else if (exclusions === 1) countRow(excludedBy, row)
  }
  const counted = ({ choices, counts }: Facet) => omitZeros(choices, counts)
  return {
    total,
    school: counted(facets.school),
    status: counted(facets.status),
    assignee: counted(facets.assignee),
    mode: counted(facets.mode),
    year: counted(facets.year),
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
  const bits = context.topics.getTopicBits(table)
  const counts = new Uint32Array(TOPIC_CHOICES.length)
  for (const row of selectRows(table, rest, context)) {
    if (isHiddenRow(table, row)) continue
    for (let bit = 0; bit < TOPIC_CHOICES.length; bit++)
      counts[bit] = (counts[bit] ?? 0) + (((bits[row] ?? 0) >>> bit) & 1)
  }
  return omitZeros(TOPIC_CHOICES, counts)
}

/** Counts the matching leads that need an answer, and those that the filter leaves out by `earlier` and `snoozed`. */
export function countWorkChoices(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  triage: TriageColumns,
): Pick<ListCounts, 'waiting' | 'late' | 'hidden'> {
  const { waiting: _waiting, late: _late, ...rest } = filter
  const { waitingBySchool, late } = countWork(table, selectRows(table, rest, context), triage, context.work)
  // A lead that is both counts only if neither is left out.
  const sizeWith = (change: LeadFilter) => selectRows(table, { ...filter, ...change }, context).length
  const hidden = {
    earlier: filter.earlier === false ? sizeWith({ earlier: true }) : 0,
    snoozed: filter.snoozed === false ? sizeWith({ snoozed: true }) : 0,
  }
  return { waiting: omitZeros(table.schoolIds, waitingBySchool), late, hidden }
}

/** `choiceIndex` has the index of each row's value in `choices`. */
type Facet = { choiceIndex: ArrayLike<number>; choices: readonly string[]; isWanted: Uint8Array; counts: Uint32Array }

function createFacet(
  choiceIndex: ArrayLike<number>,
  choices: readonly string[],
  wanted: readonly string[] | undefined,
): Facet {
  const chosen = wanted && new Set(wanted)
  const isWanted = Uint8Array.from(choices, (choice) => (chosen === undefined || chosen.has(choice) ? 1 : 0))
  return { choiceIndex, choices, isWanted, counts: new Uint32Array(choices.length) }
}

function countRow({ choiceIndex, counts }: Facet, row: number): void {
  const index = choiceIndex[row]
  if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1
}

/** Leads without a mode or a year belong to no choice. */
function omitZeros(names: readonly string[], counts: ArrayLike<number>): Record<string, number> {
  const entries = names.map((name, index) => [name, counts[index] ?? 0] as const)
  return Object.fromEntries(entries.filter(([name, number]) => number > 0 && name !== '' && name !== String(NO_YEAR)))
}
