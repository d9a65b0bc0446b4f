import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { command, type CommandParts } from '@/server/access/command'
import { allow, makeViewer, maySee, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import type { ChangePayload, JobCursor } from '@/server/db/job-schema'
import type { TriageFields } from '@/server/db/schema'
import type { Announcer } from '@/server/events/announcer'
import * as jobs from '@/server/jobs'
import type { Logger } from '@/server/logger'
import { type LeadParts, leadTables, schoolInReach } from '@/server/leads/select-leads'
import { leadKey } from '@/lib/leads/lead-key'
import { mayWorkOnLeads, type Users } from '@/server/users/users'
import { restorePart, UNDOABLE_MS } from './restore-triage'
import {
  type ChangedPart,
  changePart,
  type LeadToChange,
  lockTriage,
  type LoggedBatch,
  type Start,
  startOf,
} from './write-triage'

export type TriageBatch = Omit<ChangedPart, 'range'> & {
  logged: LoggedBatch | null
}
type IsInReach = (lead: LeadToChange) => boolean

/** In parts, so that others wait only briefly; a failure rolls all of it back. More than one part is a job. */
export async function changeTriage(
  parts: CommandParts,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
  following: jobs.ProgressOptions = {},
): Promise<TriageBatch> {
  const { connect } = parts
  const ordered = LEAD_KINDS.flatMap((kind) => leads.filter((lead) => lead.kind === kind))
  const row = () =>
    ({ kind: 'change', userId: viewer.id, payload: payloadOf(ordered, fields), total: leads.length }) as const
  const job = leads.length > jobs.FIRST_PART ? await jobs.startJob(connect, row(), following.signal) : null
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  try {
    await jobs.partByPart(changeWork(parts, viewer, { job, leads: ordered, fields }, batch), following)
    following.signal?.throwIfAborted()
    await jobs.endJob(connect, job, 'finished')
    return batch
  } catch (error) {
    if (!(error instanceof jobs.JobTakenOverError)) await rollBack(parts, viewer, job, batch)
    throw error
  }
}

async function rollBack(parts: CommandParts, viewer: Viewer, job: jobs.OwnedJob, batch: TriageBatch): Promise<void> {
  const logged = job === null ? batch.logged : loggedOf((await jobs.turnIntoUndo(parts.connect, job)).cursor)
  if (logged !== null) await restoreLogged(parts, viewer, { logged, job })
  await jobs.endJob(parts.connect, job, 'finished')
}

type Change = {
  job: jobs.OwnedJob
  leads: readonly LeadToChange[]
  fields: TriageFields
  start?: Start | null
  done?: number
  isInReach?: IsInReach
}

function changeWork(parts: CommandParts, viewer: Viewer, change: Change, batch: TriageBatch) {
  const { job, leads, fields, isInReach = () => true, done = 0 } = change
  let start = change.start ?? null
  const part = inCommands(parts, viewer, job, async (tx, from, count) => {
    start ??= await startOf(tx, viewer.id)
    const next = leads.slice(from, from + count).filter(isInReach)
    const { range, ...made } = await changePart(tx, viewer.id, next, fields, start)
    for (const one of made.changed) batch.changed.push(one)
    for (const one of made.conflicts) batch.conflicts.push(one)
    if (range) batch.logged = { first: batch.logged?.first ?? range.first, last: range.last, at: start.at }
    const cursor = { ...start, ...batch.logged, at: start.at.getTime() }
    return { conflicts: made.conflicts.length, cursor, isLogged: range !== null }
  })
  return { total: leads.length, done, part }
}

function inCommands(
  parts: CommandParts,
  viewer: Viewer,
  job: jobs.OwnedJob,
  change: (tx: Db, from: number, count: number) => Promise<Omit<jobs.Advance, 'done'> & { isLogged: boolean }>,
) {
  return (from: number, count: number) =>
    command(parts, viewer, 'leads:triage', async (tx, log) => {
      await jobs.lockJob(tx, job)
      await lockTriage(tx)
      const { isLogged, ...advance } = await change(tx, from, count)
      await jobs.advanceJob(tx, job, { done: from + count, ...advance })
      if (isLogged) log.written()
      else log.nothing()
    })
}

type ToRestore = { logged: LoggedBatch; job?: jobs.OwnedJob; done?: number; isInReach?: IsInReach }

/** After a failure it can be called again, and continues. */
export async function restoreLogged(
  parts: CommandParts,
  viewer: Viewer,
  { logged, job = null, done = 0, isInReach = () => true }: ToRestore,
): Promise<{ restored: LeadRef[]; conflicts: number }> {
  const at = new Date()
  const all = { restored: [] as LeadRef[], conflicts: 0 }
  const part = inCommands(parts, viewer, job, async (tx, from, count) => {
    const range = { first: logged.first + from, last: logged.first + from + count - 1 }
    const { restored, conflicts } = await restorePart(tx, viewer.id, { at, batchAt: logged.at, isInReach }, range)
    all.restored.push(...restored)
    all.conflicts += conflicts
    return { conflicts, isLogged: restored.length > 0 }
  })
  await jobs.partByPart({ total: sizeOf(logged), done, part })
  return all
}

function sizeOf({ first, last }: LoggedBatch): number {
  return last - first + 1
}

/** A job if it takes more than one part. */
export async function undoLogged(parts: CommandParts, viewer: Viewer, logged: LoggedBatch, isInReach: IsInReach) {
  const { connect } = parts
  const total = sizeOf(logged)
  const cursor = { ...logged, at: logged.at.getTime() }
  const row = { kind: 'undo', userId: viewer.id, total, cursor } as const
  const job = total > jobs.FIRST_PART ? await jobs.startJob(connect, row) : null
  const result = await restoreLogged(parts, viewer, { logged, job, isInReach })
  await jobs.endJob(connect, job, 'finished')
  return result
}

function loggedOf(cursor: JobCursor | null): LoggedBatch | null {
  if (cursor?.first === undefined || cursor.last === undefined) return null
  return { first: cursor.first, last: cursor.last, at: new Date(cursor.at) }
}

type ResumeParts = CommandParts &
  LeadParts & {
    users: Pick<Users, 'find'>
    announcer: Pick<Announcer, 'triage'>
    now: () => number
    logger: Pick<Logger, 'info'>
  }

/** Scope is unknown without the lists. */
export function createTriageWorker(parts: ResumeParts) {
  const { connect, logger, feed } = parts
  const isReady = () => feed.askedQuestions().content !== null && feed.declarations().content !== null
  return jobs.createWorker({ connect, logger, isReady, resume: (job) => resumeTriage(parts, job) })
}

/** With the user's present permissions and scope; the rest stays as it is, and so does a job that is a day old. */
async function resumeTriage(parts: ResumeParts, job: jobs.Job): Promise<'finished' | 'stopped'> {
  const user = await parts.users.find(job.userId)
  const isTooOld = parts.now() - job.createdAt.getTime() > UNDOABLE_MS
  if (user === null || !mayWorkOnLeads(user) || isTooOld) return 'stopped'
  const viewer = allow(makeViewer(user), 'leads:triage')
  const tables = await leadTables(parts, viewer)
  const schoolOf = ({ kind, id }: LeadRef) => schoolInReach(tables[kind], viewer, id)
  const { done, cursor } = job
  const logged = loggedOf(cursor)
  try {
    if (job.kind === 'undo') {
      if (logged)
        await restoreLogged(parts, viewer, { logged, job, done, isInReach: (lead) => schoolOf(lead) !== null })
      return 'finished'
    }
    if (job.payload === null) return 'stopped'
    const { fields } = job.payload
    const leads = leadsOf(job.payload)
    const assignee = await parts.users.find(fields.assigneeId ?? viewer.id)
    if (assignee === null || !mayWorkOnLeads(assignee)) return 'stopped'
    const { schools } = assignee
    const isInReach = (lead: LeadToChange) => {
      const school = schoolOf(lead)
      return school !== null && (schools === 'all' || schools.includes(school))
    }
    const start = cursor && { at: new Date(cursor.at), revision: cursor.revision ?? 0 }
    const change = { job, leads, fields, start, done, isInReach }
    await jobs.partByPart(changeWork(parts, viewer, change, { changed: [], conflicts: [], logged }))
    return 'finished'
  } finally {
    // The schools are not stored: announce all in scope.
    for (const kind of LEAD_KINDS) {
      const schools = tables[kind].schoolIds.filter((school) => maySee(viewer, school))
      parts.announcer.triage(kind, viewer.id, schools)
    }
  }
}

function payloadOf(leads: readonly LeadToChange[], fields: TriageFields): ChangePayload {
  const idsOf = (kind: LeadKind) => leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
  const ids = { 'asked-question': idsOf('asked-question'), 'declaration-of-interest': idsOf('declaration-of-interest') }
  const seen = leads.filter((lead) => lead.updatedAt !== undefined)
  return { fields, ids, seen }
}

function leadsOf({ ids, seen }: ChangePayload): LeadToChange[] {
  const moments = new Map(seen.map((lead) => [leadKey(lead), lead]))
  const leadOf = (lead: LeadRef): LeadToChange => moments.get(leadKey(lead)) ?? lead
  return LEAD_KINDS.flatMap((kind) => (ids[kind] ?? []).map((id) => leadOf({ kind, id })))
}
