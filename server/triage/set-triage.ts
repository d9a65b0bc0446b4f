import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { Matching, TriageAnswer, TriageChange } from '@/lib/contract/triage'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import { requirePermission } from '@/server/access/require-permission'
import { maySee, type Viewer } from '@/server/access/viewer'
import { InvalidInputError, NotFoundError } from '@/server/errors'
import { current } from '@/server/feed/current'
import { isStorableText } from '@/server/http/storable-text'
import { selectionContext } from '@/server/leads/selection-context'
import { services } from '@/server/services'
import { changeTriage, type NewTriage } from './change-triage'

/**
 * Sets status or assignee of leads, named or all that match. Leads that are gone or out of reach are passed over;
 * NotFoundError when nothing is left, InvalidInputError for an assignee who could not work on leads.
 */
export async function setTriage(viewer: Viewer, change: TriageChange): Promise<TriageAnswer> {
  requirePermission(viewer, 'leads:triage')
  const fields = await newTriage(viewer, change)
  const found = change.matching
    ? await matchingLeads(viewer, change.matching)
    : await reachable(viewer, change.leads ?? [])
  // An id that no database can store cannot be worked on; it must not keep the others from it.
  const leads = found.filter(({ id }) => isStorableText(id))
  if (leads.length === 0 && change.leads) throw new NotFoundError()
  const { triage, connect } = services()
  const changed = await changeTriage(await connect(), viewer.id, leads, fields)
  const answer: TriageAnswer['changed'] = []
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) {
    const ofKind = changed.filter((one) => one.kind === kind)
    const befores = new Map(ofKind.flatMap(({ id, before }) => (before ? [[id, before] as const] : [])))
    const afters = new Map(ofKind.map(({ id, after }) => [id, after] as const))
    const ids = ofKind.map(({ id }) => id)
    const [before, after] = await Promise.all([triage.describe(befores, ids), triage.describe(afters, ids)])
    answer.push(...ids.map((id) => ({ kind, id, before: before(id), after: after(id) })))
  }
  return { changed: answer }
}

async function newTriage(viewer: Viewer, { status, assignee }: TriageChange): Promise<NewTriage> {
  const assigneeId = assignee === 'me' ? viewer.id : assignee === 'none' ? null : assignee
  if (typeof assigneeId === 'string' && assigneeId !== viewer.id) {
    const person = await services().users.find(assigneeId)
    if (!person || person.disabled || person.role === 'manager') throw new InvalidInputError('assignee')
  }
  return { ...(status && { status }), ...(assigneeId !== undefined && { assigneeId }) }
}

async function matchingLeads(viewer: Viewer, { list, ...filter }: Matching): Promise<LeadRef[]> {
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  const [table, context] = await Promise.all([tableOf(kind), selectionContext(viewer, kind)])
  return Array.from(selectRows(table, filter, context), (row) => ({ kind, id: table.id[row] ?? '' }))
}

async function reachable(viewer: Viewer, leads: LeadRef[]): Promise<LeadRef[]> {
  const kept: LeadRef[] = []
  for (const lead of new Map(leads.map((ref) => [`${ref.kind} ${ref.id}`, ref])).values()) {
    const table = await tableOf(lead.kind)
    const row = table.rowOf(lead.id)
    const school = row === -1 ? undefined : table.schoolIds[table.school[row] ?? -1]
    if (school !== undefined && maySee(viewer, school)) kept.push(lead)
  }
  return kept
}

async function tableOf(kind: LeadKind): Promise<LeadTable> {
  const { feed } = services()
  const { content } = await (kind === 'asked-question' ? current(feed.askedQuestions) : current(feed.declarations))
  return content.table
}
