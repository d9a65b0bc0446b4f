import type { Lead, LeadPerson } from '@/lib/contract/lead'
import { headingOf } from '@/lib/inbox/lead-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { TriageOf } from '@/lib/leads/triage-columns'
import { MOST_LEADS_OF_ONE, type Traces, tracesOf } from './contact-leads'
import { rowsByKey } from './person-index'

export type PersonList = { table: LeadTable; triage: TriageOf }

export type PersonBeside = (table: LeadTable, row: number) => LeadPerson | null

/**
 * The other leads within reach with the same e-mail or phone; never through others, because a row must hold without
 * an explanation. Made for one page: it remembers what it read.
 */
export function personBeside(lists: readonly PersonList[], schools: Schools): PersonBeside {
  const read = createReader()
  const holders = createHolders(lists, schools)
  return (table, row) => {
    const others = new Map<string, Found>()
    for (const by of BOTH) {
      const found = holders(by, table[KEYS[by]][row] ?? 0)
      if (found.length < 2) continue
      const text = read(table, row).traces[by]
      for (const one of found) {
        const isSelf = one.row === row && one.list.table === table
        if (!isSelf && text !== null && read(one.list.table, one.row).traces[by] === text)
          others.set(`${one.list.table.kind} ${one.row}`, one)
      }
    }
    if (others.size === 0) return null
    return described([...others.values()], table.kind === 'asked-question' ? read : null)
  }
}

const BOTH = ['email', 'phone'] as const
const KEYS = { email: 'emailKey', phone: 'phoneKey' } as const
type Schools = SelectionContext['schools']
type By = (typeof BOTH)[number]
type Found = { list: PersonList; row: number }
type Read = { lead: Lead; traces: Traces }
type Reader = (table: LeadTable, row: number) => Read

function createReader(): Reader {
  const known = new WeakMap<LeadTable, Map<number, Read>>()
  return (table, row) => {
    const its = known.get(table) ?? new Map<number, Read>()
    known.set(table, its)
    const before = its.get(row)
    if (before !== undefined) return before
    const lead = table.lead(row)
    const now = { lead, traces: tracesOf(lead) }
    its.set(row, now)
    return now
  }
}

function createHolders(lists: readonly PersonList[], schools: Schools): (by: By, key: number) => readonly Found[] {
  const known = { email: new Map<number, readonly Found[]>(), phone: new Map<number, readonly Found[]>() }
  const isReached = lists.map(({ table }) => table.schoolIds.map((id) => schools === 'all' || schools.has(id)))
  const holders = (by: By, key: number) => {
    const found: Found[] = []
    for (const [at, list] of lists.entries()) {
      const { table } = list
      for (const row of rowsByKey(table[KEYS[by]])(key)) {
        if (!isReached[at]?.[table.school[row] ?? 0]) continue
        if (found.push({ list, row }) > MOST_LEADS_OF_ONE) return []
      }
    }
    return found
  }
  return (by, key) => {
    const before = known[by].get(key)
    if (before !== undefined) return before
    const now = holders(by, key)
    known[by].set(key, now)
    return now
  }
}

const MOST_SCHOOLS = 3

function described(others: readonly Found[], nameFrom: Reader | null): LeadPerson {
  const declared = new Map<string, LeadPerson['declared'][number]>()
  const asked = new Set<string>()
  const person: LeadPerson = { name: null, declared: [], asked: [], questions: 0, attempts: 0, open: 0, leads: 0 }
  for (const { list, row } of others) {
    const { table, triage } = list
    const entry = triage.get(table.id[row] ?? '')
    const highSchoolId = table.schoolIds[table.school[row] ?? 0] ?? ''
    person.leads += 1
    person.attempts += entry?.attempts?.length ?? 0
    if (entry === undefined || entry.status === 'new' || entry.status === 'in-progress') person.open += 1
    if (table.kind === 'asked-question') {
      person.questions += 1
      asked.add(highSchoolId)
    } else {
      const year = table.year[row] ?? NO_YEAR
      declared.set(`${year} ${highSchoolId}`, { highSchoolId, year: year === NO_YEAR ? null : year })
    }
  }
  person.declared = [...declared.values()].slice(0, MOST_SCHOOLS)
  person.asked = [...asked].slice(0, MOST_SCHOOLS)
  if (nameFrom !== null) person.name = onlyName(others, nameFrom)
  return person
}

/** The one name of the declarations, as the newest writes it; null where there are two. */
function onlyName(others: readonly Found[], read: Reader): string | null {
  let only: Read | null = null
  for (const { list, row } of others) {
    const one = read(list.table, row)
    if (one.traces.name === null) continue
    if (only !== null && only.traces.name !== one.traces.name) return null
    if (only === null || one.traces.createdAt > only.traces.createdAt) only = one
  }
  const heading = only === null ? null : headingOf(only.lead)
  return heading?.is === 'name' ? heading.text : null
}
