import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageAnswer, TriageChange } from '@/lib/contract/triage'
import { groupIdsByKind, leadKey } from '@/lib/leads/lead-key'
import { getSchoolId } from '@/lib/leads/lead-table'
import { mayWorkOnLeads } from '@/server/access/colleagues'
import type { Decider, Viewer } from '@/server/access/viewer'
import { toChunks } from '@/server/base/chunks'
import { InvalidInputError, NotFoundError } from '@/server/base/errors'
import { isStorableText } from '@/server/base/parse-input'
import type { Services } from '@/server/base/services'
import { describeTriage } from './lead-items'
import { selectByIds, selectMatching } from './select-leads'
import { createUndoToken } from './undo-token'
import { toPerson } from './user-names'
import { commitTriageChange, LEADS_AT_ONCE, type LeadToChange, type TriageBatch } from './write-triage'

/**
 * Sets status, assignee or follow-up day; leads that are gone or out of scope are skipped. Throws NotFoundError if none
 * is left, InvalidInputError if the assignee may work on none of them.
 */
export async function setTriage(services: Services, viewer: Decider, change: TriageChange): Promise<TriageAnswer> {
  const { status, snoozeUntil, matching, leads: chosen = [] } = change
  const assignee = change.assignee === undefined ? null : await findAssignee(services, viewer, change.assignee)
  const selections = matching
    ? [await selectMatching(services, viewer, matching)]
    : await Promise.all(Array.from(groupIdsByKind(chosen), ([kind, ids]) => selectByIds(services, viewer, kind, ids)))
  const selectedLeads = selections.flatMap(({ kind, table, rows }) =>
    Array.from(rows, (row) => ({ kind, id: table.id[row] ?? '', school: getSchoolId(table, row) })),
  )
  // An id that no database can store must not block the change of the others.
  const storableLeads = selectedLeads.filter(({ id }) => isStorableText(id))
  if (change.leads && storableLeads.length === 0) throw new NotFoundError()
  const assigneeSchools = assignee?.schools ?? 'all'
  const isAssignable = ({ school }: { school: string }) => assigneeSchools === 'all' || assigneeSchools.includes(school)
  const assignableLeads = storableLeads.filter(isAssignable)
  if (storableLeads.length > 0 && assignableLeads.length === 0) throw new InvalidInputError('assignee')
  const versions = new Map(chosen.map((lead) => [leadKey(lead), lead.updatedAt]))
  const leads = assignableLeads.map(({ kind, id }): LeadToChange => {
    const version = versions.get(leadKey({ kind, id }))
    return { kind, id, updatedAt: version == null ? version : Date.parse(version) }
  })
  const fields = { status, assigneeId: assignee?.id, snoozeUntil }
  const batch = await commitTriageChange(services, viewer, leads, fields)
  for (const kind of LEAD_KINDS) {
    const schools = new Set(assignableLeads.flatMap((lead) => (lead.kind === kind ? [lead.school] : [])))
    const isChanged = batch.changed.some((lead) => lead.kind === kind)
    if (isChanged) services.announcer.announceTriage(kind, viewer.id, schools)
  }
  const undo = batch.logged && createUndoToken(services, viewer, { logged: batch.logged, attempt: null })
  return { ...(await describeBatch(services, batch)), undo }
}

async function describeBatch({ readUserNames }: Services, batch: TriageBatch) {
  const changed: TriageAnswer['changed'] = []
  for (const chunk of toChunks(batch.changed, LEADS_AT_ONCE)) {
    const names = await readUserNames(chunk.flatMap(({ before, after }) => [before?.assigneeId, after.assigneeId]))
    for (const { kind, id, before, after } of chunk)
      changed.push({ kind, id, before: describeTriage(before, names), after: describeTriage(after, names) })
    await yieldToEventLoop()
  }
  const names = await readUserNames(batch.conflicts.flatMap(({ now }) => [now?.assigneeId, now?.updatedById]))
  const conflicts = batch.conflicts.map(({ kind, id, now }) => {
    const decider = now && { updatedBy: toPerson(now.updatedById ?? null, names) }
    return { kind, id, now: { ...describeTriage(now, names), ...decider } }
  })
  return { changed, conflicts }
}

/** The viewer's own schools are `all`, because every selected lead is in the viewer's scope. */
async function findAssignee({ users }: Services, viewer: Viewer, assignee: string) {
  if (assignee === 'none') return { id: null, schools: 'all' as const }
  if (assignee === 'me' || assignee === viewer.id) return { id: viewer.id, schools: 'all' as const }
  const person = isStorableText(assignee) ? await users.find(assignee) : null
  if (!person || !mayWorkOnLeads(person)) throw new InvalidInputError('assignee')
  return person
}
