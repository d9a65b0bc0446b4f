import type { Lead, LeadPerson } from '@/lib/contract/lead'
import { headingOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { TriageOf } from '@/lib/leads/triage-columns'
import { stockholmDay } from '@/lib/time/stockholm'
import { MAX_LEADS_OF_PERSON, type Traces, tracesOf } from './contact-leads'
import { rowsByKey } from './person-index'

export type PersonList = { table: LeadTable; triage: TriageOf }

export type PersonFinder = (table: LeadTable, row: number) => LeadPerson | null

/** Never through others, because a row must hold without an explanation. For one page: it caches what it read. */
export function createPersonFinder(lists: readonly PersonList[], schools: Schools): PersonFinder {
  const known = new Map<string, Read>()
  const rowsWithKey = createKeyLookup(lists, schools)

  function read(table: LeadTable, row: number): Read {
    const key = `${table.kind} ${row}`
    const before = known.get(key)
    if (before !== undefined) return before
    const lead = table.lead(row)
    const now = { lead, traces: tracesOf(lead) }
    known.set(key, now)
    return now
  }

  return (table, row) => {
    const others = new Map<string, RelatedLead>()
    for (const by of BOTH) {
      const found = rowsWithKey(by, table[KEYS[by]][row] ?? 0)
      if (found.length < 2) continue
      const text = read(table, row).traces[by]
      for (const one of found) {
        const isSelf = one.row === row && one.list.table === table
        if (isSelf || text === null || read(one.list.table, one.row).traces[by] !== text) continue
        const key = `${one.list.table.kind} ${one.row}`
        const sharedBy = others.get(key)?.sharedBy ?? []
        others.set(key, { ...one, ...read(one.list.table, one.row), sharedBy: [...sharedBy, by] })
      }
    }
    if (others.size === 0) return null
    return describe(read(table, row), [...others.values()])
  }
}

const BOTH = ['email', 'phone'] as const
const KEYS = { email: 'emailKey', phone: 'phoneKey' } as const
type Schools = SelectionContext['schools']
type By = (typeof BOTH)[number]
type Row = { list: PersonList; row: number }
type Read = { lead: Lead; traces: Traces }
/** `sharedBy`: what it shares with the lead. */
type RelatedLead = Row & Read & { sharedBy: readonly By[] }

function createKeyLookup(lists: readonly PersonList[], schools: Schools): (by: By, key: number) => readonly Row[] {
  const known = { email: new Map<number, readonly Row[]>(), phone: new Map<number, readonly Row[]>() }
  const isReached = lists.map(({ table }) => table.schoolIds.map((id) => schools === 'all' || schools.has(id)))
  return (by, key) => {
    const before = known[by].get(key)
    if (before !== undefined) return before
    const found: Row[] = []
    for (const [at, list] of lists.entries()) {
      const { table } = list
      for (const row of rowsByKey(table[KEYS[by]])(key)) {
        if (isReached[at]?.[table.school[row] ?? 0]) found.push({ list, row })
        if (found.length > MAX_LEADS_OF_PERSON) break
      }
    }
    const now = found.length > MAX_LEADS_OF_PERSON ? [] : found
    known[by].set(key, now)
    return now
  }
}

const MAX_NAMED = 3

function describe(self: Read, others: readonly RelatedLead[]): LeadPerson {
  const person: LeadPerson = { name: null, ...doneBy(others), questions: 0, attempts: 0, open: 0 }
  for (const { list, row } of others) {
    const { table, triage } = list
    const entry = triage.get(table.id[row] ?? '')
    person.attempts += entry?.attempts?.length ?? 0
    if (entry === undefined || entry.status === 'new' || entry.status === 'in-progress') person.open += 1
    if (table.kind === 'asked-question') person.questions += 1
  }
  const shared = sharedWith(self, others)
  if (shared !== null) person.shared = shared
  if ('user' in self.lead) return person
  // The one name of the declarations, as the newest writes it; none where there are two.
  const named = others.filter(({ traces }) => traces.name !== null)
  const [newest] = named.toSorted((a, b) => b.traces.createdAt - a.traces.createdAt)
  const heading = newest && headingOf(newest.lead)
  const isOneName = new Set(named.map(({ traces }) => traces.name)).size === 1
  if (isOneName && heading?.is === 'name') person.name = heading.text
  // A mail greets nobody by what is known of a phone, which a family may share.
  const firstNames = new Map<string, string>()
  for (const { lead, sharedBy } of others) {
    const name = sharedBy.includes('email') ? firstNameOf(lead) : ''
    if (name !== '' && !firstNames.has(foldText(name))) firstNames.set(foldText(name), name)
  }
  const [firstName, ...more] = firstNames.values()
  if (firstName !== undefined && more.length === 0) person.firstName = firstName
  return person
}

function doneBy(leads: readonly RelatedLead[]): Pick<LeadPerson, 'declared' | 'asked' | 'leads'> {
  const declared = new Map<string, LeadPerson['declared'][number]>()
  const asked = new Set<string>()
  for (const { list, row } of leads) {
    const { table } = list
    const highSchoolId = table.schoolIds[table.school[row] ?? 0] ?? ''
    const year = table.year[row] ?? NO_YEAR
    if (table.kind === 'asked-question') asked.add(highSchoolId)
    else declared.set(`${year} ${highSchoolId}`, { highSchoolId, year: year === NO_YEAR ? null : year })
  }
  return {
    declared: [...declared.values()].slice(0, MAX_NAMED),
    asked: [...asked].slice(0, MAX_NAMED),
    leads: leads.length,
  }
}

/** Only by an e-mail or phone that no other name has. A question belongs to the only name there is. */
function sharedWith(self: Read, all: readonly RelatedLead[]): NonNullable<LeadPerson['shared']> | null {
  const { name } = self.traces
  const isOther = ({ traces }: Read) => traces.name !== null && traces.name !== name
  const strangers = new Map(all.filter(isOther).map((one) => [one.traces.name, one]))
  if (strangers.size < ('user' in self.lead ? 1 : 2)) return null
  const taken = new Set(all.filter(isOther).flatMap(({ sharedBy }) => sharedBy))
  const isOwn = ({ traces, sharedBy }: RelatedLead) =>
    traces.name === null ? sharedBy.some((by) => !taken.has(by)) : traces.name === name
  const others = [...strangers.values()].slice(0, MAX_NAMED).map((one) => {
    const first = firstNameOf(one.lead)
    const isEnough = first !== '' && foldText(first) !== foldText(firstNameOf(self.lead))
    return {
      name: isEnough ? first : (headingOf(one.lead)?.text ?? ''),
      by: one.sharedBy.includes('phone') ? ('phone' as const) : ('email' as const),
      isSibling: areSiblings(self, one),
    }
  })
  return { ...doneBy(all.filter(isOwn)), others }
}

function firstNameOf(lead: Lead): string {
  return 'user' in lead ? (lead.user.firstName ?? '').trim() : ''
}

/** The same last name, first names without a word in common, and both of school age when they declared. */
function areSiblings(one: Read, other: Read): boolean {
  const [a, b] = [namesAtSchool(one), namesAtSchool(other)]
  return a !== null && b !== null && a.last === b.last && !a.first.some((word) => b.first.includes(word))
}

/** High school begins in the year one turns 16, compulsory school in the year one turns 7. */
const SCHOOL_YEARS = 9

function namesAtSchool({ lead, traces }: Read): { first: string[]; last: string } | null {
  if (!('user' in lead) || !Number.isFinite(traces.createdAt)) return null
  const { firstName, lastName, highSchoolEnrollmentYear: year } = lead.user
  const [first, last] = [foldText(firstName ?? '').match(/[\p{L}\p{M}]+/gu) ?? [], foldText(lastName ?? '').trim()]
  const ahead = (year ?? 0) - Number(stockholmDay(traces.createdAt).slice(0, 4))
  return first.length > 0 && last !== '' && ahead >= 0 && ahead <= SCHOOL_YEARS ? { first, last } : null
}
