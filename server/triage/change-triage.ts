import 'server-only'
import type { LeadKind, LeadRef, Triage } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageAnswer, TriageChange, TriageProgress } from '@/lib/contract/triage'
import type { SchoolScope } from '@/lib/contract/user'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { lastFollowUpDay } from '@/lib/inbox/follow-up-days'
import { stockholmDay } from '@/lib/time/stockholm'
import { schoolOf } from '@/lib/leads/lead-table'
import type { CommandParts } from '@/server/access/command'
import type { Viewer, Decider } from '@/server/access/viewer'
import { InvalidInputError, NotFoundError } from '@/server/errors'
import { isStorableText } from '@/server/http/input'
import type { TriageFields } from '@/server/db/schema'
import { ndjsonStream } from '@/server/http/responses'
import type { ProgressOptions } from '@/server/jobs'
import { type SelectedLeads, type SelectionParts, selectMatching, selectNamed } from '@/server/leads/select-leads'
import type { Logger } from '@/server/logger'
import { idsByKind, leadKey } from '@/lib/leads/lead-key'
import { mayWorkOnLeads } from '@/server/users/users'
import type { Users } from '@/server/users/users'
import type { Announcer } from '@/server/events/announcer'
import type { Seal } from '@/server/seal'
import type { TriageBoard } from './triage-board'
import { changeTriage, type TriageBatch } from './triage-jobs'
import { undoToken } from './restore-triage'
import type { LeadToChange } from './write-triage'

type Parts = CommandParts &
  SelectionParts & {
    triage: Pick<TriageBoard, 'current' | 'describe'>
    users: Pick<Users, 'find'>
    announcer: Pick<Announcer, 'triage'>
    seal: Seal
    now: () => number
  }

export function answerTriage(
  parts: Parts & { logger: Pick<Logger, 'error'> },
  viewer: Decider,
  change: TriageChange,
  { request }: { request: Request },
): Promise<TriageAnswer | Response> {
  const wantsProgress = request.headers.get('accept')?.includes('application/x-ndjson') === true
  return wantsProgress ? streamTriage(parts, viewer, change, request) : setTriage(parts, viewer, change)
}

/** Skips leads that are gone or out of scope; a lead changed since the given time is a conflict. */
export async function setTriage(parts: Parts, viewer: Decider, change: TriageChange): Promise<TriageAnswer> {
  const { changed, conflicts, undo } = await apply(parts, viewer, await prepareChange(parts, viewer, change))
  const answer: TriageAnswer = { changed: [], conflicts: [], undo }
  for (const kind of LEAD_KINDS) {
    const changes = changed.filter((one) => one.kind === kind)
    const before = await describe(parts, changes, 'before')
    const after = await describe(parts, changes, 'after')
    answer.changed.push(...changes.map(({ id }) => ({ kind, id, before: before(id), after: after(id) })))
    const ofKind = conflicts.filter((one) => one.kind === kind)
    const now = await describe(parts, ofKind, 'now')
    answer.conflicts.push(...ofKind.map(({ id }) => ({ kind, id, now: now(id) })))
  }
  return answer
}

function describe<Field extends string>(
  { triage }: Pick<Parts, 'triage'>,
  ones: readonly (LeadRef & Readonly<Record<Field, TriageEntry | null>>)[],
  field: Field,
): Promise<(id: string) => Triage> {
  const entries = new Map(ones.flatMap(({ id, [field]: entry }) => (entry === null ? [] : [[id, entry] as const])))
  return triage.describe(entries, [...entries.keys()], { updatedBy: field === 'now' })
}

/** A line of JSON per part; if the browser disconnects, everything is rolled back. */
export async function streamTriage(
  parts: Parts & { logger: Pick<Logger, 'error'> },
  viewer: Decider,
  change: TriageChange,
  request: Request,
): Promise<Response> {
  const prepared = await prepareChange(parts, viewer, change)
  const total = prepared.leads.length
  return ndjsonStream<TriageProgress>(parts, request.signal, async (write, signal) => {
    write({ done: 0, total })
    const progress = { signal, onProgress: (done: number) => write({ done, total }) }
    const { changed, conflicts, undo } = await apply(parts, viewer, prepared, progress)
    write({ changed: changed.length, conflicts: conflicts.length, undo })
  })
}

async function apply(
  parts: Parts,
  viewer: Viewer,
  { fields, leads, schools }: PreparedChange,
  following: ProgressOptions = {},
): Promise<TriageBatch & { undo: string | null }> {
  const { announcer, seal } = parts
  const announce = (kind: LeadKind) => announcer.triage(kind, viewer.id, schools.get(kind) ?? [])
  try {
    const batch = await changeTriage(parts, viewer, leads, fields, following)
    for (const kind of new Set(batch.changed.map((one) => one.kind))) announce(kind)
    return { ...batch, undo: batch.logged && undoToken.make(seal, viewer.id, batch.logged) }
  } catch (error) {
    // Parts of it may have been seen before the rollback.
    for (const kind of schools.keys()) announce(kind)
    throw error
  }
}

/** InvalidInputError: the year was probably mistyped. */
export function checkFollowUpDay({ now }: { now: () => number }, day: string | null | undefined): void {
  if (day != null && day > lastFollowUpDay(stockholmDay(now()))) throw new InvalidInputError('snoozeUntil', 'too-far')
}

type PreparedChange = { fields: TriageFields; leads: LeadToChange[]; schools: Map<LeadKind, Set<string>> }

/** NotFoundError if none of the leads is left, InvalidInputError if the assignee can work on none of them. */
async function prepareChange(parts: Parts, viewer: Viewer, change: TriageChange): Promise<PreparedChange> {
  const { status, snoozeUntil, matching, leads: named = [] } = change
  checkFollowUpDay(parts, snoozeUntil)
  const assignee = await assigneeOf(parts, viewer, change.assignee)
  const given = new Map(named.map((lead) => [leadKey(lead), lead]))
  const selected = matching
    ? [await selectMatching(parts, viewer, matching)]
    : await Promise.all(Array.from(idsByKind(named), ([kind, ids]) => selectNamed(parts, viewer, kind, ids)))
  // An id that no database can store must not block the others.
  const found = selected.flatMap(leadsOf).filter(({ id }) => isStorableText(id))
  if (change.leads && found.length === 0) throw new NotFoundError()
  const { schools: seen = 'all' } = assignee ?? {}
  const reachable = found.filter(({ school }) => seen === 'all' || seen.includes(school))
  if (found.length > 0 && reachable.length === 0) throw new InvalidInputError('assignee')
  const schools = new Map<LeadKind, Set<string>>()
  for (const { kind, school } of reachable) schools.set(kind, (schools.get(kind) ?? new Set()).add(school))
  return {
    fields: {
      ...(status && { status }),
      ...(assignee && { assigneeId: assignee.id }),
      ...(snoozeUntil !== undefined && { snoozeUntil }),
    },
    leads: reachable.map(({ kind, id }): LeadToChange => {
      const lead = { kind, id }
      const updatedAt = given.get(leadKey(lead))?.updatedAt
      return {
        ...lead,
        ...(updatedAt !== undefined && { updatedAt: updatedAt === null ? null : Date.parse(updatedAt) }),
      }
    }),
    schools,
  }
}

function leadsOf({ kind, table, rows }: SelectedLeads): (LeadRef & { school: string })[] {
  return Array.from(rows, (row) => {
    return { kind, id: table.id[row] ?? '', school: schoolOf(table, row) }
  })
}

type Assignee = { id: string | null; schools: SchoolScope }

/** Undefined: unchanged. InvalidInputError for a user who works on no leads. */
async function assigneeOf({ users }: Parts, viewer: Viewer, assigneeId?: string): Promise<Assignee | undefined> {
  if (assigneeId === undefined) return undefined
  if (assigneeId === 'none') return { id: null, schools: 'all' }
  if (assigneeId === 'me' || assigneeId === viewer.id) return { id: viewer.id, schools: 'all' }
  const person = isStorableText(assigneeId) ? await users.find(assigneeId) : null
  if (!person || !mayWorkOnLeads(person)) throw new InvalidInputError('assignee')
  return person
}
