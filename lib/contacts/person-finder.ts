import type { Lead, LeadPerson } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { displayNameOf } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { getSchoolId, type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { TriageById } from '@/lib/leads/triage-columns'
import { NO_KEY } from './contact-key'
import { MAX_LEADS_OF_PERSON, toTraces, TRACE_KINDS, type TraceKind, type Traces } from './contact-leads'
import { rowsWithKey } from './person-index'

type PersonList = { table: LeadTable; triage: TriageById }
type ReadLead = { lead: Lead; traces: Traces }
type RelatedLead = ReadLead & { list: PersonList; row: number; sharedBy: readonly TraceKind[] }

/** Tells what else a lead's person did, by leads with the same e-mail or phone. Its cache serves one page only. */
export function createPersonFinder(lists: readonly PersonList[], schools: SelectionContext['schools']) {
  const cache = new Map<string, ReadLead>()

  function readLead(table: LeadTable, row: number): ReadLead {
    const key = `${table.kind} ${row}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const lead = table.getLead(row)
    const read = { lead, traces: toTraces(lead) }
    cache.set(key, read)
    return read
  }

  function findRows(traceKind: TraceKind, key: number) {
    const rows: { list: PersonList; row: number }[] = []
    for (const list of lists) {
      const { table } = list
      for (const row of rowsWithKey(table[`${traceKind}Key`], key)) {
        if (schools === 'all' || schools.has(getSchoolId(table, row))) rows.push({ list, row })
        if (rows.length > MAX_LEADS_OF_PERSON) return []
      }
    }
    return rows
  }

  return (table: LeadTable, row: number): LeadPerson | null => {
    const others = new Map<string, RelatedLead>()
    for (const traceKind of TRACE_KINDS) {
      const rows = findRows(traceKind, table[`${traceKind}Key`][row] ?? NO_KEY)
      if (rows.length < 2) continue
      const text = readLead(table, row).traces[traceKind]
      if (text === null) continue
      for (const { list, row: otherRow } of rows) {
        const other = readLead(list.table, otherRow)
        const isSelf = otherRow === row && list.table === table
        if (isSelf || other.traces[traceKind] !== text) continue
        const key = `${list.table.kind} ${otherRow}`
        const sharedBy = [...(others.get(key)?.sharedBy ?? []), traceKind]
        others.set(key, { list, row: otherRow, ...other, sharedBy })
      }
    }
    return others.size === 0 ? null : describePerson(readLead(table, row), [...others.values()])
  }
}

const MAX_SHOWN = 3

function describePerson(self: ReadLead, others: readonly RelatedLead[]): LeadPerson {
  const triageEntries = others.map(({ list, row }) => list.triage.get(list.table.id[row] ?? ''))
  const person: LeadPerson = {
    name: null,
    ...summarizeLeads(others),
    questions: others.filter(({ lead }) => !('user' in lead)).length,
    attempts: triageEntries.reduce((sum, entry) => sum + (entry?.attempts?.length ?? 0), 0),
    open: triageEntries.filter((entry) => !isClosed(entry?.status)).length,
  }
  const strangers = others.filter(({ traces }) => traces.name !== null && traces.name !== self.traces.name)
  const byName = new Map(strangers.map((stranger) => [stranger.traces.name, stranger]))
  // A question has no name, so a single other name is that of its sender.
  if (byName.size >= ('user' in self.lead ? 1 : 2)) {
    // A lead without a name is the person's own only by an e-mail or phone that no other name has.
    const strangersShare = new Set(strangers.flatMap(({ sharedBy }) => sharedBy))
    const isOwn = ({ traces, sharedBy }: RelatedLead) =>
      traces.name === null ? sharedBy.some((kind) => !strangersShare.has(kind)) : traces.name === self.traces.name
    const named = [...byName.values()].slice(0, MAX_SHOWN).map((stranger) => {
      const first = readFirstName(stranger.lead)
      const isDistinct = first !== '' && foldText(first) !== foldText(readFirstName(self.lead))
      return {
        name: isDistinct ? first : (displayNameOf(stranger.lead) ?? ''),
        by: stranger.sharedBy.includes('phone') ? ('phone' as const) : ('email' as const),
        isSibling: areSiblings(self.lead, stranger.lead),
      }
    })
    person.shared = { ...summarizeLeads(others.filter(isOwn)), others: named }
  }
  if ('user' in self.lead) return person
  // A question gets the one name of the declarations, as the newest writes it, and none if there are two.
  const [newest] = strangers.toSorted((a, b) => b.traces.createdAt - a.traces.createdAt)
  if (newest && byName.size === 1) person.name = displayNameOf(newest.lead)
  // A greeting uses no name that is known by the phone only, because a family may share it.
  const byEmail = others.filter(({ sharedBy }) => sharedBy.includes('email'))
  const names = byEmail.map(({ lead }) => readFirstName(lead)).filter((name) => name !== '')
  const firstNames = new Map(names.toReversed().map((name) => [foldText(name), name]))
  const [firstName] = firstNames.values()
  if (firstName !== undefined && firstNames.size === 1) person.firstName = firstName
  return person
}

function summarizeLeads(leads: readonly RelatedLead[]): Pick<LeadPerson, 'declared' | 'asked' | 'leads'> {
  const declared = new Map<string, LeadPerson['declared'][number]>()
  const asked = new Set<string>()
  for (const { list, row } of leads) {
    const { table } = list
    const highSchoolId = getSchoolId(table, row)
    const year = table.year[row] ?? NO_YEAR
    if (table.kind === 'asked-question') asked.add(highSchoolId)
    else declared.set(`${year} ${highSchoolId}`, { highSchoolId, year: year === NO_YEAR ? null : year })
  }
  return {
    declared: [...declared.values()].slice(0, MAX_SHOWN),
    asked: [...asked].slice(0, MAX_SHOWN),
    leads: leads.length,
  }
}

function readFirstName(lead: Lead): string {
  return 'user' in lead ? (lead.user.firstName ?? '').trim() : ''
}

/** Siblings have the same last name, and first names without a word in common. */
function areSiblings(one: Lead, other: Lead): boolean {
  if (!('user' in one && 'user' in other)) return false
  const [lastName, otherLastName] = [one, other].map(({ user }) => foldText(user.lastName ?? '').trim())
  if (lastName === '' || lastName !== otherLastName) return false
  const splitFirstName = (lead: Lead): string[] => foldText(readFirstName(lead)).match(/[\p{L}\p{M}]+/gu) ?? []
  const [words, otherWords] = [splitFirstName(one), splitFirstName(other)]
  return words.length > 0 && otherWords.length > 0 && !words.some((word) => otherWords.includes(word))
}
