import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { getOrCreate } from '@/lib/get-or-create'
import { TOPIC_CHOICES } from '@/lib/topics/topic-list'
import { countWork } from './count-work'
import { isHiddenRow, type LeadTable, NO_YEAR } from './lead-table'
import { type SelectionContext, selectRows } from './select-rows'
import type { TriageColumns } from './triage-columns'

export type ChoiceCounts = ReturnType<typeof countChoices>

/** Counts the rows that each choice of each filter would show, with all other filters as they are. */
export function countChoices(table: LeadTable, filter: LeadFilter, context: SelectionContext, triage: TriageColumns) {
  return {
    ...countFacets(table, filter, context, triage),
    ...countWorkChoices(table, filter, context, triage),
    topic: table.kind === 'asked-question' ? countTopics(table, filter, context) : {},
  }
}

/** A row that a single facet excludes counts among the choices of that facet only. */
function countFacets(table: LeadTable, filter: LeadFilter, context: SelectionContext, triage: TriageColumns) {
  const { school, status, assignee, mode, year, ...rest } = filter
  const rows = selectRows(table, rest, context)
  const assignees = assignee?.map((id) => (id === 'me' ? context.viewerId : id))
  const yearIndexes = new Map<number, number>()
  const takeNextIndex = () => yearIndexes.size
  const yearIndexByRow = new Uint32Array(table.size)
  for (const row of rows) yearIndexByRow[row] = getOrCreate(yearIndexes, table.year[row] ?? NO_YEAR, takeNextIndex)
  const facets = {
    school: createFacet(table.schoolIndex, table.schoolIds, school),
    status: createFacet(triage.statusIndex, LEAD_STATUSES, status),
    assignee: createFacet(triage.assigneeIndex, triage.assignees, assignees),
    mode: createFacet(table.modeIndex, table.modes, mode),
    year: createFacet(yearIndexByRow, [...yearIndexes.keys()].map(String), year?.map(String)),
  }
  const allFacets = Object.values(facets)
  let total = 0
  for (const row of rows) {
    let excludedBy: Facet | null = null
    let exclusionCount = 0
    for (const facet of allFacets) {
      if (facet.isWanted[facet.choiceIndexes[row] ?? 0] === 1) continue
      excludedBy = facet
      if (++exclusionCount > 1) break
    }
    if (excludedBy === null) {
      total++
      for (const facet of allFacets) countRow(facet, row)
    } else if (exclusionCount === 1) countRow(excludedBy, row)
  }
  const readCounts = ({ choices, counts }: Facet) => omitZeros(choices, counts)
  return {
    total,
    school: readCounts(facets.school),
    status: readCounts(facets.status),
    assignee: readCounts(facets.assignee),
    mode: readCounts(facets.mode),
    year: readCounts(facets.year),
  }
}

/** A question counts for each of its topics. */
function countTopics(table: LeadTable, filter: LeadFilter, context: SelectionContext) {
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
function countWorkChoices(table: LeadTable, filter: LeadFilter, context: SelectionContext, triage: TriageColumns) {
  const { waiting: _waiting, late: _late, ...rest } = filter
  const { waitingBySchool, queueCounts } = countWork(table, selectRows(table, rest, context), triage, context.work)
  // A lead that is both counts only if neither is left out.
  const countWith = (change: LeadFilter) => selectRows(table, { ...filter, ...change }, context).length
  const hidden = {
    earlier: filter.earlier === false ? countWith({ earlier: true }) : 0,
    snoozed: filter.snoozed === false ? countWith({ snoozed: true }) : 0,
  }
  return { waiting: omitZeros(table.schoolIds, waitingBySchool), late: queueCounts.late, hidden }
}

/** `choiceIndexes` has the index of each row's value in `choices`. */
type Facet = { choiceIndexes: ArrayLike<number>; choices: readonly string[]; isWanted: Uint8Array; counts: Uint32Array }

function createFacet(choiceIndexes: ArrayLike<number>, choices: readonly string[], chosen?: readonly string[]): Facet {
  const isWanted = Uint8Array.from(choices, (choice) => (chosen?.includes(choice) === false ? 0 : 1))
  return { choiceIndexes, choices, isWanted, counts: new Uint32Array(choices.length) }
}

function countRow({ choiceIndexes, counts }: Facet, row: number): void {
  const index = choiceIndexes[row]
  if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1
}

/** Leads without a mode or a year belong to no choice. */
function omitZeros(names: readonly string[], counts: ArrayLike<number>): Record<string, number> {
  const entries = names.map((name, index) => [name, counts[index] ?? 0] as const)
  return Object.fromEntries(entries.filter(([name, count]) => count > 0 && name !== '' && name !== String(NO_YEAR)))
}
