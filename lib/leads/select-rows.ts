import type { LeadFilter } from '@/lib/contract/list-query'
import { addDays, stockholmDayStart } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import { tableSearch } from './table-search'
import type { TriageEntry, TriageOf } from './triage-columns'
import { workingSpace } from './working-space'

/** Who asks and what a filter's words mean to that person. */
export type SelectionContext = {
  /** The schools the person may see. */
  schools: 'all' | ReadonlySet<string>
  viewerId: string
  /** The end of the person's last visit of this list, ms; null when there was none. */
  lastVisitAt: number | null
  triage: TriageOf
}

/** The rows that the person may see and that match the filter, in the table's order. To be read only: others may have them too. */
export function selectRows(table: LeadTable, filter: LeadFilter, context: SelectionContext): Uint32Array {
  const [from, until] = period(table, filter, context)
  const all = everyRow(table.size).subarray(from, Math.max(from, until))
  const conditions = sieves(table, filter, context)
  if (conditions.length === 0) return all
  let rows = inQuestion(all.length)
  rows.set(all)
  for (const sieve of conditions) rows = sieve(rows)
  return rows.slice()
}

const inQuestion = workingSpace((size) => new Uint32Array(size))

let ascending = new Uint32Array(0)

/** The numbers from 0 on: the same for every table and request. */
function everyRow(size: number): Uint32Array<ArrayBuffer> {
  if (ascending.length < size) {
    ascending = new Uint32Array(size)
    for (let row = 0; row < size; row++) ascending[row] = row
  }
  return ascending.subarray(0, size)
}

/** The table is newest first, so a period is one stretch of it. */
function period(table: LeadTable, filter: LeadFilter, context: SelectionContext): [number, number] {
  const before = filter.to === undefined ? Infinity : stockholmDayStart(addDays(filter.to, 1))
  const since = filter.from === undefined ? -Infinity : stockholmDayStart(filter.from)
  const fresh = filter.fresh === true && context.lastVisitAt !== null ? context.lastVisitAt + 1 : -Infinity
  return [firstRowBefore(table, before), firstRowBefore(table, Math.max(since, fresh))]
}

/** The first row whose moment lies before `moment`; the table's size when none does. */
function firstRowBefore(table: LeadTable, moment: number): number {
  let low = 0
  let high = table.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((table.createdAt[middle] ?? 0) < moment) high = middle
    else low = middle + 1
  }
  return low
}

/** Keeps the rows that pass, in place. One loop for each condition: a call for each row costs more than the condition. */
type Sieve = (rows: Uint32Array<ArrayBuffer>) => Uint32Array<ArrayBuffer>

/** Cheapest first: most rows are decided by a number. */
function sieves(table: LeadTable, filter: LeadFilter, context: SelectionContext): Sieve[] {
  return [
    schoolSieve(table, filter.school, context.schools),
    filter.year && passing(new Set(filter.year), table.year),
    filter.mode && modeSieve(table, new Set<string>(filter.mode)),
    filter.id && idSieve(table, filter.id),
    statusSieve(table, filter.status, context.triage),
    assigneeSieve(table, filter.assignee, context),
    searchSieve(table, filter.q),
  ].filter((sieve) => sieve !== undefined && sieve !== null)
}

function passing(wanted: ReadonlySet<number>, column: Int32Array | Uint32Array): Sieve {
  return (rows) => keep(rows, (row) => wanted.has(column[row] ?? -1))
}

function keep(rows: Uint32Array<ArrayBuffer>, passes: (row: number) => boolean): Uint32Array<ArrayBuffer> {
  let kept = 0
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0
    if (passes(row)) rows[kept++] = row
  }
  return rows.subarray(0, kept)
}

/** Reach and filter at once, decided per school instead of per row. */
function schoolSieve(table: LeadTable, wanted: string[] | undefined, reach: SelectionContext['schools']): Sieve | null {
  if (wanted === undefined && reach === 'all') return null
  const chosen = wanted === undefined ? null : new Set(wanted)
  return passing(
    indexesWhere(table.schoolIds, (id) => (reach === 'all' || reach.has(id)) && (chosen === null || chosen.has(id))),
    table.school,
  )
}

function modeSieve(table: LeadTable, wanted: ReadonlySet<string>): Sieve {
  return passing(
    indexesWhere(table.modes, (mode) => wanted.has(mode)),
    table.mode,
  )
}

function indexesWhere(values: readonly string[], passes: (value: string) => boolean): Set<number> {
  return new Set(values.flatMap((value, index) => (passes(value) ? [index] : [])))
}

function idSieve(table: LeadTable, ids: string[]): Sieve {
  const wanted = new Set(ids.map((id) => table.rowOf(id)))
  return (rows) => keep(rows, (row) => wanted.has(row))
}

function statusSieve(table: LeadTable, wanted: LeadFilter['status'], triage: TriageOf): Sieve | null {
  if (wanted === undefined) return null
  const statuses = new Set<string>(wanted)
  return triageSieve(table, triage, (entry) => statuses.has(entry?.status ?? 'new'))
}

function assigneeSieve(table: LeadTable, wanted: string[] | undefined, context: SelectionContext): Sieve | null {
  if (wanted === undefined) return null
  const people = new Set(wanted.map((who) => (who === 'me' ? context.viewerId : who)))
  return triageSieve(table, context.triage, (entry) => people.has(entry?.assigneeId ?? 'none'))
}

/** Looks up whichever are fewer: the rows still in question, or the leads that have triage at all. */
function triageSieve(table: LeadTable, triage: TriageOf, passes: (entry: TriageEntry | undefined) => boolean): Sieve {
  return (rows) => {
    if (rows.length <= triage.size) return keep(rows, (row) => passes(triage.get(table.id[row] ?? '')))
    const untouchedPass = passes(undefined)
    const others = new Uint8Array(table.size)
    for (const [id, entry] of triage) {
      const row = passes(entry) === untouchedPass ? -1 : table.rowOf(id)
      if (row !== -1) others[row] = 1
    }
    return keep(rows, (row) => (others[row] === 1) !== untouchedPass)
  }
}

function searchSieve(table: LeadTable, query: string | undefined): Sieve | null {
  const search = tableSearch(table, query)
  return search && ((rows) => keep(rows, search.matches))
}
