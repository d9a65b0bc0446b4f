import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { findContactLeads, toTraces, type Traces } from '@/lib/contacts/contact-leads'
import { findContactRows } from '@/lib/contacts/person-index'
import type { ContactLead, ContactReason, LeadRef } from '@/lib/contract/lead'
import { idsByKind } from '@/lib/leads/lead-key'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { hashLeadId } from './contact-id'
import { mergeSnapshots } from './feed-status'
import { makeItems } from './lead-items'
import { readLeadList } from './lead-tables'
import { selectVisibleRows } from './select-leads'

const MAX_LEADS = 500
const READ_AT_ONCE = 500

/** Returns a contact's newest leads and logs them as opened. Throws NotFoundError if the id leads to none in scope. */
export async function getContact(services: Services, viewer: Reader, { id }: { id: string }) {
  const { found, tables, snapshot } = await findContact(services, viewer, id)
  const newest = found.slice(0, MAX_LEADS)
  for (const [kind, ids] of idsByKind(newest)) services.leadOpenings.add(viewer.id, kind, ids)
  const itemsByTable = await Promise.all(
    tables.map(async (table) => {
      const rows = newest.flatMap((lead) => (lead.table === table ? [lead.row] : []))
      const [triage, work] = await Promise.all([
        services.triage.getEntries(table.kind),
        services.work.getRules(table.kind),
      ])
      const otherTable = tables.find((other) => other !== table) ?? null
      return makeItems(services, viewer, { table, otherTable }, rows, { triage, work })
    }),
  )
  const leads = newest.flatMap(({ table, row, reason }): ContactLead[] => {
    const lead = itemsByTable[tables.indexOf(table)]?.(row)
    if (lead === undefined) return []
    if ('user' in lead) return [{ kind: 'declaration-of-interest', lead, reason }]
    return [{ kind: 'asked-question', lead, reason }]
  })
  return { id, leads, total: found.length, snapshot }
}

export type FoundLead = LeadRef & { table: LeadTable; row: number; createdAt: number; reason: ContactReason }

/** Logs nothing. It reads only leads in scope, so that a lead which the viewer may not see never links two others. */
export async function findContact(services: Services, viewer: Reader, contactId: string) {
  const contact = services.contactIds.decrypt(contactId)
  if (contact === null) throw new NotFoundError()
  const { kind: sharedBy, key } = contact
  const [questions, declarations] = await Promise.all([
    readLeadList(services, viewer, 'asked-question'),
    readLeadList(services, viewer, 'declaration-of-interest'),
  ])
  const tables = [questions.table, declarations.table]
  const rowsInScope = tables.map((table) => ({ table, rows: selectVisibleRows(table, viewer) }))
  const isLone = ({ kind, id: ids, emailKey, phoneKey }: LeadTable, row: number) =>
    sharedBy === kind && emailKey[row] === NO_KEY && phoneKey[row] === NO_KEY && hashLeadId(ids[row] ?? '') === key
  const isAddress = sharedBy === 'email' || sharedBy === 'phone'
  const candidateRows = isAddress
    ? findContactRows(rowsInScope, sharedBy === 'email' ? 'emailKey' : 'phoneKey', key)
    : rowsInScope.map(({ table, rows }) => rows.filter((row) => isLone(table, row)).slice(-1))
  const candidates = tables.flatMap((table, place) => Array.from(candidateRows[place] ?? [], (row) => ({ table, row })))
  const anchors = candidates.flatMap(({ table, row }, place) => {
    const isAnchor = !isAddress || (sharedBy === 'email' ? table.emailKey : table.phoneKey)[row] === key
    return isAnchor ? [place] : []
  })
  let reasons = new Map<number, ContactReason>(anchors.map((place) => [place, { by: 'anchor', sameName: null }]))
  if (isAddress) {
    const traces: Traces[] = []
    for (const { table, row } of candidates) {
      traces.push(toTraces(table.getLead(row)))
      // Reading a lead is cheap, but thousands may have a phone such as "-".
      if (traces.length % READ_AT_ONCE === 0) await setImmediate()
    }
    reasons = findContactLeads(traces, { traceKind: sharedBy, anchors })
  }
  const found = candidates.flatMap(({ table, row }, place): FoundLead[] => {
    const reason = reasons.get(place)
    const [id = '', createdAt = 0] = [table.id[row], table.createdAt[row]]
    return reason ? [{ kind: table.kind, table, row, id, createdAt, reason }] : []
  })
  if (!found.some(({ reason }) => reason.by === 'anchor')) throw new NotFoundError()
  found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  return { found, tables, snapshot: mergeSnapshots(questions.snapshot, declarations.snapshot) }
}
