import { contactGroups } from '@/lib/contacts/person-index'
import { isHiddenRow, type LeadTable } from '@/lib/leads/lead-table'
import { stockholmEpochDay } from '@/lib/time/stockholm'
import type { DayWindow } from './cohort'

export type CountedRows = { table: LeadTable; rows: Uint32Array; day: Int32Array; person: Uint32Array }

export type CountedLeads = {
  declarations: CountedRows
  questions: CountedRows
  /** Places in `declarations.rows`: each contact's together, the oldest of them first. */
  byPerson: Uint32Array
}

export type TablesOfBoth = { declarations: LeadTable; questions: LeadTable }

type Scope = 'all' | ReadonlySet<string>

/**
 * Made once for a snapshot and a scope. In `shown` a hidden person's lead is a person of its own, or it is left out
 * (`isWithoutHidden`), as if the service had not sent it.
 */
export function countedLeads(
  tables: TablesOfBoth,
  scope: Scope,
  shown: TablesOfBoth = tables,
  isWithoutHidden = false,
): CountedLeads {
  const lists = (['declarations', 'questions'] as const).map((list) => ({
    table: tables[list],
    keys: shown[list],
    ...(isWithoutHidden ? shownRowsInScope(shown[list], scope) : rowsInScope(tables[list], scope)),
  }))
  const { groups, count } = contactGroups(
    lists.map(({ keys, rows }) => ({ rows, emailKey: keys.emailKey, phoneKey: keys.phoneKey })),
  )
  const [declarations, questions] = lists.map(({ table, rows, day }, index) => ({
    table,
    rows,
    day,
    person: groups[index] ?? new Uint32Array(),
  }))
  if (!declarations || !questions) throw new RangeError('there are two lists')
  return { declarations, questions, byPerson: groupedPlaces(declarations.person, count) }
}

export type InterestSelection = DayWindow & { schools: ReadonlySet<string> | null }

export function eachLead(
  { table, rows, day }: Pick<CountedRows, 'table' | 'rows' | 'day'>,
  { schools, from, to }: InterestSelection,
  visit: (row: number, day: number) => void,
): void {
  const isChosen = table.schoolIds.map((id) => schools === null || schools.has(id))
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] ?? 0
    const when = day[place] ?? 0
    if (isChosen[table.school[row] ?? -1] && when >= from && when <= to) visit(row, when)
  }
}

export function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key)
  if (value !== undefined) return value
  const made = make()
  map.set(key, made)
  return made
}

/** With the Stockholm day of each. */
function rowsInScope(table: LeadTable, scope: Scope) {
  const isWithin = table.schoolIds.map((id) => scope === 'all' || scope.has(id))
  const rows = new Uint32Array(table.size)
  let kept = 0
  for (let row = 0; row < table.size; row++) if (isWithin[table.school[row] ?? -1]) rows[kept++] = row
  const within = rows.subarray(0, kept)
  return { rows: within, day: daysOf(table, within) }
}

/** Without those that are hidden in this table. */
export function shownRowsInScope(table: LeadTable, scope: Scope) {
  const { rows, day } = rowsInScope(table, scope)
  const isShown = (_: number, place: number) => !isHiddenRow(table, rows[place] ?? 0)
  return { rows: rows.filter(isShown), day: day.filter(isShown) }
}

/** A plain loop: `from` with a function takes four times as long. */
function daysOf(table: LeadTable, rows: Uint32Array): Int32Array {
  const days = new Int32Array(rows.length)
  for (let place = 0; place < rows.length; place++)
    days[place] = stockholmEpochDay(table.createdAt[rows[place] ?? 0] ?? 0)
  return days
}

/** Each person's places together, the oldest first: a counting sort, from the back, because rows are newest first. */
function groupedPlaces(person: Uint32Array, people: number): Uint32Array {
  const next = new Uint32Array(people + 1)
  for (let place = 0; place < person.length; place++) {
    const after = (person[place] ?? 0) + 1
    next[after] = (next[after] ?? 0) + 1
  }
  for (let one = 0; one < people; one++) next[one + 1] = (next[one + 1] ?? 0) + (next[one] ?? 0)
  const places = new Uint32Array(person.length)
  for (let place = person.length - 1; place >= 0; place--) {
    const one = person[place] ?? 0
    const to = next[one] ?? 0
    places[to] = place
    next[one] = to + 1
  }
  return places
}
