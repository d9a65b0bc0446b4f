import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { contactOf, type Traces, tracesOf } from '@/lib/contacts/contact-of'
import type { Contact, ContactReason } from '@/lib/contract/contact'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { type Candidate, contactCandidates } from './contact-candidates'
import { describeContactLeads, type FoundLead } from './describe-contact-leads'
import { noteContactOpened } from './note-contact-opened'

const MOST_LEADS = 500
const READ_AT_ONCE = 500

/**
 * Every lead within reach by the person that the id names, newest first, at most 500 of them, and why each belongs; logged.
 * NotFoundError for an id that is none and for a person who wrote to nobody within reach: the two look alike.
 */
export async function getContact(viewer: Viewer, id: string): Promise<Contact> {
  requirePermission(viewer, 'leads:read')
  const key = services().contactIds.read(id)
  if (key === null) throw new NotFoundError()
  const { candidates, anchors, snapshot } = await contactCandidates(viewer, key)
  const reasons =
    key.by === 'lead'
      ? new Map<number, ContactReason>(anchors.map((at) => [at, { by: 'anchor', sameName: null }]))
      : contactOf(await tracesOfAll(candidates), { by: key.by, anchors })
  const found = newestFirst(candidates, reasons)
  const named = found.findLast(({ reason }) => reason.by === 'anchor')
  if (!named) throw new NotFoundError()
  await noteContactOpened(viewer, { kind: named.kind, id: named.id })
  return { id, leads: await describeContactLeads(found.slice(0, MOST_LEADS)), total: found.length, snapshot }
}

/** Reading a lead is cheap, but a phone such as "-" may be that of thousands. */
async function tracesOfAll(candidates: readonly Candidate[]): Promise<Traces[]> {
  const traces: Traces[] = []
  for (const { table, row } of candidates) {
    traces.push(tracesOf(table.lead(row)))
    if (traces.length % READ_AT_ONCE === 0) await setImmediate()
  }
  return traces
}

function newestFirst(candidates: readonly Candidate[], reasons: ReadonlyMap<number, ContactReason>): FoundLead[] {
  const found = candidates.flatMap(({ kind, table, row }, at): FoundLead[] => {
    const reason = reasons.get(at)
    return reason ? [{ kind, table, row, id: table.id[row] ?? '', createdAt: table.createdAt[row] ?? 0, reason }] : []
  })
  return found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}
