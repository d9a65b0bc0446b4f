import type { Lead, LeadPerson } from '@/lib/contract/lead'
import { headingOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { TriageOf } from '@/lib/leads/triage-columns'
import { MAX_LEADS_OF_PERSON, type Traces, tracesOf } from './contact-leads'
import { rowsByKey } from './person-index'

export type PersonList = { table: LeadTable; triage: TriageOf }

export type PersonFinder = (table: LeadTable, row: number) => LeadPerson | null

const BOTH = ['email', 'phone'] as const
const KEYS = { email: 'emailKey', phone: 'phoneKey' } as const
type By = (typeof BOTH)[number]
type Row = { list: PersonList; row: number }
type Read = { lead: Lead; traces: Traces }
/** `sharedBy`: what it shares with the lead. */
type RelatedLead = Row & Read & { sharedBy: readonly By[] }

/**
 * A finder tells what else a lead's person did, by the leads with the same e-mail or phone: never through others, because
 * a row must hold without an explanation. It serves one page, and caches what it has read.
 */
export function createPersonFinder(lists: readonly PersonList[], schools: SelectionContext['schools']): PersonFinder {
  const known = new Map<string, Read>()
  const found = { email: new Map<number, readonly Row[]>(), phone: new Map<number, readonly Row[]>() }
  const isReached = lists.map(({ table }) => table.schoolIds.map((id) => schools === 'all' || schools.has(id)))

  function read(table: LeadTable, row: number): Read {
    const key = `${table.kind} ${row}`
    const before = known.get(key)
    if (before !== undefined) return before
    const lead = table.lead(row)
    const now = { lead, traces: tracesOf(lead) }
    known.set(key, now)
    return now
  }

  function rowsWithKey(by: By, key: number): readonly Row[] {
    const before = found[by].get(key)
    if (before !== undefined) return before
    const rows: Row[] = []
    for (const [place, list] of lists.entries()) {
      const { table } = list
      for (const row of rowsByKey(table[KEYS[by]])(key)) {
        if (isReached[place]?.[table.school[row] ?? 0]) rows.push({ list, row })
        if (rows.length > MAX_LEADS_OF_PERSON) break
      }
    }
    const now = rows.length > MAX_LEADS_OF_PERSON ? [] : rows
    found[by].set(key, now)
    return now
  }

  return (table, row) => {
    const others = new Map<string, RelatedLead>()
    for (const by of BOTH) {
      const rows = rowsWithKey(by, table[KEYS[by]][row] ?? 0)
      if (rows.length < 2) continue
      const text = read(table, row).traces[by]
      for (const one of rows) {
        const isSelf = one.row === row && one.list.table === table
        if (isSelf || text === null || read(one.list.table, one.row).traces[by] !== text) continue
        const key = `${one.list.table.kind} ${one.row}`
        const sharedBy = others.get(key)?.sharedBy ?? []
        others.set(key, { ...one, ...read(one.list.table, one.row), sharedBy: [...sharedBy, by] })
      }
    }
    return others.size === 0 ? null : describe(read(table, row), [...others.values()])
  }
}

const MAX_NAMED = 3

function describe(self: Read, others: readonly RelatedLead[]): LeadPerson {
  const decided = others.map(({ list, row }) => list.triage.get(list.table.id[row] ?? ''))
  const person: LeadPerson = {
    name: null,
    ...doneBy(others),
    questions: others.filter(({ lead }) => !('user' in lead)).length,
    attempts: decided.reduce((sum, entry) => sum + (entry?.attempts?.length ?? 0), 0),
    open: decided.filter((entry) => !entry || entry.status === 'new' || entry.status === 'in-progress').length,
  }
  const shared = sharedWith(self, others)
  if (shared !== null) person.shared = shared
  if ('user' in self.lead) return person
  // A question has the one name of the declarations, as the newest writes it, and none where there are two.
  const named = others.filter(({ traces }) => traces.name !== null)
  const [newest] = named.toSorted((a, b) => b.traces.createdAt - a.traces.createdAt)
  const heading = newest && headingOf(newest.lead)
  const isOneName = new Set(named.map(({ traces }) => traces.name)).size === 1
  if (isOneName && heading?.is === 'name') person.name = heading.text
  // A mail greets nobody by what is known of a phone, which a family may share.
  const byEmail = others.filter(({ lead, sharedBy }) => sharedBy.includes('email') && firstNameOf(lead) !== '')
  const firstNames = new Map(byEmail.toReversed().map(({ lead }) => [foldText(firstNameOf(lead)), firstNameOf(lead)]))
  const [firstName] = firstNames.values()
  if (firstName !== undefined && firstNames.size === 1) person.firstName = firstName
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

/** A lead is the person's own only by an e-mail or phone that no other name has. A question belongs to the only name there is. */
function sharedWith(self: Read, all: readonly RelatedLead[]): NonNullable<LeadPerson['shared']> | null {
  const { name } = self.traces
  const others = all.filter(({ traces }) => traces.name !== null && traces.name !== name)
  const strangers = new Map(others.map((one) => [one.traces.name, one]))
  if (strangers.size < ('user' in self.lead ? 1 : 2)) return null
  const taken = new Set(others.flatMap(({ sharedBy }) => sharedBy))
  const isOwn = ({ traces, sharedBy }: RelatedLead) =>
    traces.name === null ? sharedBy.some((by) => !taken.has(by)) : traces.name === name
  const named = [...strangers.values()].slice(0, MAX_NAMED).map((one) => {
    const first = firstNameOf(one.lead)
    const isEnough = first !== '' && foldText(first) !== foldText(firstNameOf(self.lead))
    return {
      name: isEnough ? first : (headingOf(one.lead)?.text ?? ''),
      by: one.sharedBy.includes('phone') ? ('phone' as const) : ('email' as const),
      isSibling: areSiblings(self.lead, one.lead),
    }
  })
  return { ...doneBy(all.filter(isOwn)), others: named }
}

function firstNameOf(lead: Lead): string {
  return 'user' in lead ? (lead.user.firstName ?? '').trim() : ''
}

/** Siblings have the same last name, and first names without a word in common. */
function areSiblings(one: Lead, other: Lead): boolean {
  if (!('user' in one && 'user' in other)) return false
  const [last, otherLast] = [one, other].map(({ user }) => foldText(user.lastName ?? '').trim())
  const wordsOf = (lead: Lead): string[] => foldText(firstNameOf(lead)).match(/[\p{L}\p{M}]+/gu) ?? []
  const [words, otherWords] = [wordsOf(one), wordsOf(other)]
  const areNamed = last !== '' && words.length > 0 && otherWords.length > 0
  return areNamed && last === otherLast && !words.some((word) => otherWords.includes(word))
}
