import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { UndoAnswer } from '@/lib/contract/triage'
import type { Allowed } from '@/server/access/viewer'
import { ConflictError, InvalidInputError } from '@/server/errors'
import { leadTables, schoolInReach } from '@/server/leads/select-leads'
import { type AttemptParts, takeBackAttempt } from './attempts'
import { undoLogged } from './triage-jobs'
import { UNDOABLE_MS, undoToken } from './undo-token'
import type { LoggedBatch } from './write-triage'

type Parts = AttemptParts

/**
 * Undoes a batch of one's own changes, for every lead within reach that nobody has changed since.
 * InvalidInputError for what names no batch of this person, ConflictError after a day.
 */
export async function undoTriage(
  parts: Parts,
  viewer: Allowed<'leads:triage'>,
  { undo }: { undo: string },
): Promise<UndoAnswer> {
  const named = undoToken.read(parts.seal, viewer.id, undo)
  if (named === null) throw new InvalidInputError('undo')
  const { logged, attempt } = named
  const takenBack = attempt && (await takeBackAttempt(parts, viewer, attempt))
  if (logged === null) return takenBack ?? { restored: 0, conflicts: 0 }
  // The lead counts once, whatever was done with it.
  return undoBatch(parts, viewer, logged)
}

async function undoBatch(parts: Parts, viewer: Allowed<'leads:triage'>, logged: LoggedBatch): Promise<UndoAnswer> {
  const isPast = logged.at.getTime() < parts.now() - UNDOABLE_MS
  const tables = await leadTables(parts, viewer)
  const schoolOf = ({ kind, id }: LeadRef) => schoolInReach(tables[kind], viewer, id)
  const { restored, conflicts } = isPast
    ? NOTHING
    : await undoLogged(parts, viewer, logged, (lead) => schoolOf(lead) !== null)
  if (restored.length + conflicts === 0) throw new ConflictError('This was too long ago to be undone')
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) parts.announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

const NOTHING = { restored: [], conflicts: 0 }
