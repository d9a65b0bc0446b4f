import type { Lead, LeadPerson } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { getOrCreate } from '@/lib/get-or-create'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { foldText } from '@/lib/leads/comparable-text'
import { getSchoolId, type LeadTable, NO_YEAR } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import type { TriageById } from '@/lib/leads/triage-entry'
import { NO_KEY } from './contact-key'
import { MAX_LEADS_OF_PERSON, toTraces, TRACE_KINDS, type TraceKind, type Traces } from './contact-leads'
import { findRowsWithKey } from './person-index'

type PersonList = { table: LeadTable; triage: TriageById }
type ReadLead = { lead: Lead; traces: Traces }
type RelatedLead = ReadLead & { list: PersonList; row: number; sharedBy: readonly TraceKind[] }

/** Finds the other leads with a lead's e-mail or phone. A finder serves one page, because it caches all it reads. */
export function createPersonFinder(lists: readonly PersonList[], schools: SelectionContext['schools']) {
  const cache = new Map<string, ReadLead>()

  const readLead = (table: LeadTable, row: number) =>
    getOrCreate(cache, `${table.kind} ${row}`, () => {
      const lead = table.getLead(row)
      return { lead, traces: toTraces(lead) }
    })

  function findRows(traceKind: TraceKind, key: number) {
    const rows: { list: PersonList; row: number }[] = []
    for (const list of lists) {
      for (const row of findRowsWithKey(list.table[`${traceKind}Key`], key)) {
        if (schools === 'all' || schools.has(getSchoolId(list.table, row))) rows.push({ list, row })
        if (rows.length > MAX_LEADS_OF_PERSON) return []
      }
    }
    return rows
  }

  return function findPerson(table: LeadTable, row: number): LeadPerson | null {
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

function describePerson(self: ReadLead, others: readonly RelatedLead[]): LeadPerson {
  const triageEntries = others.map(({ list, row }) => list.triage.get(list.table.id[row] ?? ''))
  const person: LeadPerson = {
    name: null,
    ...summarizeLeads(others),
    questions: others.filter(({ lead }) => isQuestion(lead)).length,
    attempts: triageEntries.reduce((sum, entry) => sum + (entry?.attempts?.length ?? 0), 0),
    open: triageEntries.filter((entry) => !isClosed(entry?.status)).length,
  }
  const differentlyNamed = others.filter(({ traces }) => traces.name !== null && traces.name !== self.traces.name)
  const nameCount = new Set(differentlyNamed.map(({ traces }) => traces.name)).size
  if (!isQuestion(self.lead)) {
    if (nameCount > 0) person.shared = describeSharing(self, others, differentlyNamed)
    return person
  }
  // A question has no name. A single name is that of its sender, as the newest declaration spells it.
  const [newest] = differentlyNamed.toSorted((a, b) => b.traces.createdAt - a.traces.createdAt)
  if (newest && nameCount === 1) person.name = findDisplayName(newest.lead)
  if (nameCount > 1) person.shared = describeSharing(self, others, differentlyNamed)
  // A greeting uses no name that is known by the phone only, because a family may share it.
  const byEmail = others.filter(({ sharedBy }) => sharedBy.includes('email'))
  const [firstName, ...otherNames] = byEmail.map(({ lead }) => readFirstName(lead)).filter((name) => name !== '')
  if (firstName !== undefined && otherNames.every((name) => foldText(name) === foldText(firstName)))
    person.firstName = firstName
  return person
}

const MAX_LISTED = 3

/** Describes which of the other leads are the person's own, and who else has the same e-mail or phone. */
function describeSharing(self: ReadLead, others: readonly RelatedLead[], differentlyNamed: readonly RelatedLead[]) {
  // A lead without a name is the person's own only by an e-mail or phone that no other name has.
  const sharedWithOthers = new Set(differentlyNamed.flatMap(({ sharedBy }) => sharedBy))
  const ownLeads = others.filter(({ traces, sharedBy }) => {
    if (traces.name !== null) return traces.name === self.traces.name
    return sharedBy.some((kind) => !sharedWithOthers.has(kind))
  })
  const byName = new Map(differentlyNamed.map((other) => [other.traces.name, other]))
  const listedPersons = [...byName.values()].slice(0, MAX_LISTED).map(({ lead, sharedBy }) => {
    const firstName = readFirstName(lead)
    const isDistinct = firstName !== '' && foldText(firstName) !== foldText(readFirstName(self.lead))
    return {
      name: isDistinct ? firstName : (findDisplayName(lead) ?? ''),
      by: sharedBy.includes('phone') ? ('phone' as const) : ('email' as const),
      isSibling: areSiblings(self.lead, lead),
    }
  })
  return { ...summarizeLeads(ownLeads), others: listedPersons }
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
    declared: [...declared.values()].slice(0, MAX_LISTED),
    asked: [...asked].slice(0, MAX_LISTED),
    leads: leads.length,
  }
}

function readFirstName(lead: Lead): string {
  return isQuestion(lead) ? '' : (lead.user.firstName ?? '').trim()
}

/** Siblings have the same last name, and first names without a word in common. */
function areSiblings(lead: Lead, other: Lead): boolean {
  if (isQuestion(lead) || isQuestion(other)) return false
  const lastName = foldText(lead.user.lastName ?? '').trim()
  if (lastName === '' || lastName !== foldText(other.user.lastName ?? '').trim()) return false
  const splitFirstName = (named: Lead): string[] => foldText(readFirstName(named)).match(/[\p{L}\p{M}]+/gu) ?? []
  const words = splitFirstName(lead)
  const otherWords = splitFirstName(other)
  return words.length > 0 && otherWords.length > 0 && !words.some((word) => otherWords.includes(word))
}
