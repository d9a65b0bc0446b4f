import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { findContactLeads, toTraces, type TraceKind, type Traces } from '@/lib/contacts/contact-leads'
import { findContactRows } from '@/lib/contacts/person-index'
import type { ContactLead, ContactReason, LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { groupIdsByKind } from '@/lib/leads/lead-key'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectVisibleRows } from '@/lib/leads/select-rows'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { hashLeadId } from './contact-id'
import { mergeSnapshots } from './feed-status'
import { makeItems } from './lead-items'
import { readTableAndContext } from './select-leads'

/** A contact's page draws all its leads at once, so more would make it slow. */
const MAX_LEADS = 500
const LEADS_AT_ONCE = 500

/** Returns a contact's newest leads and logs them as opened. Throws NotFoundError if the id leads to none in scope. */
export async function getContact(services: Services, viewer: Reader, { id }: { id: string }) {
  const { leads: contactLeads, lists, snapshot } = await findContact(services, viewer, id)
  const newestLeads = contactLeads.slice(0, MAX_LEADS)
  for (const [kind, ids] of groupIdsByKind(newestLeads)) services.leadOpenings.add(viewer.id, kind, ids)
  const getItemByList = await Promise.all(
    lists.map(({ table, context }) => {
      const rows = newestLeads.flatMap((lead) => (lead.table === table ? [lead.row] : []))
      const otherTable = lists.find((other) => other.table !== table)?.table ?? null
      return makeItems(services, viewer, { table, otherTable, context }, rows)
    }),
  )
  const leads = newestLeads.flatMap(({ table, row, reason }): ContactLead[] => {
    const lead = getItemByList[lists.findIndex((list) => list.table === table)]?.(row)
    if (lead === undefined) return []
    if ('user' in lead) return [{ kind: 'declaration-of-interest', lead, reason }]
    return [{ kind: 'asked-question', lead, reason }]
  })
  return { id, leads, total: contactLeads.length, snapshot }
}

export type FoundLead = LeadRef & { table: LeadTable; row: number; createdAt: number; reason: ContactReason }

/** Finds a contact's leads, newest first. Leads out of scope are not read, so that they link no others. */
export async function findContact(services: Services, viewer: Reader, contactId: string) {
  const contact = services.contactIds.readId(contactId)
  if (contact === null) throw new NotFoundError()
  const { type: keyType, key } = contact
  // Contacts do not show what is new, so no visit matters.
  const readList = (kind: LeadKind) => readTableAndContext(services, viewer, kind, async () => null)
  const lists = await Promise.all(LEAD_KINDS.map(readList))
  const visibleLists = lists.map(({ table }) => ({ table, rows: selectVisibleRows(table, viewer.schools) }))
  const isAddress = keyType === 'email' || keyType === 'phone'
  const rows = isAddress ? await findByAddress(visibleLists, keyType, key) : findLoneLead(visibleLists, keyType, key)
  if (!rows.some(({ reason }) => reason.by === 'anchor')) throw new NotFoundError()
  const leads = rows.map(({ table, row, reason }): FoundLead => {
    return { kind: table.kind, table, row, id: table.id[row] ?? '', createdAt: table.createdAt[row] ?? 0, reason }
  })
  leads.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  return { leads, lists, snapshot: lists.map(({ snapshot }) => snapshot).reduce(mergeSnapshots) }
}

type VisibleList = { table: LeadTable; rows: Uint32Array }
type FoundRow = Pick<FoundLead, 'table' | 'row' | 'reason'>

async function findByAddress(lists: readonly VisibleList[], traceKind: TraceKind, key: number): Promise<FoundRow[]> {
  const column = traceKind === 'email' ? 'emailKey' : 'phoneKey'
  const contactRows = findContactRows(lists, column, key)
  const candidates = lists.flatMap(({ table }, index) =>
    Array.from(contactRows[index] ?? [], (row) => ({ table, row })),
  )
  const anchors = candidates.flatMap(({ table, row }, index) => (table[column][row] === key ? [index] : []))
  const traces: Traces[] = []
  for (const { table, row } of candidates) {
    traces.push(toTraces(table.getLead(row)))
    // Reading a lead is cheap, but thousands may have a phone such as "-".
    if (traces.length % LEADS_AT_ONCE === 0) await yieldToEventLoop()
  }
  const reasons = findContactLeads(traces, { traceKind, anchors })
  return candidates.flatMap((candidate, index) => {
    const reason = reasons.get(index)
    return reason ? [{ ...candidate, reason }] : []
  })
}

/** Finds a lead with neither e-mail nor phone, whose key is made of its id. */
function findLoneLead(lists: readonly VisibleList[], kind: LeadKind, key: number): FoundRow[] {
  return lists.flatMap(({ table, rows }) => {
    const { id, emailKey, phoneKey } = table
    const isLone = (row: number) => emailKey[row] === NO_KEY && phoneKey[row] === NO_KEY
    const loneRow = rows.findLast((row) => table.kind === kind && isLone(row) && hashLeadId(id[row] ?? '') === key)
    return loneRow === undefined ? [] : [{ table, row: loneRow, reason: { by: 'anchor', sameName: null } }]
  })
}
