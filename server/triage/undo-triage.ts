import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { UndoAnswer } from '@/lib/contract/triage'
import type { Allowed, Viewer } from '@/server/access/viewer'
import { ConflictError, InvalidInputError } from '@/server/errors'
import { type LeadParts, leadTable, schoolInReach } from '@/server/leads/select-leads'
import { type AttemptParts, takeBackAttempt } from './attempts'
import { beginBatch, endBatch } from './batches'
import { FIRST_PART } from './part-size'
import { restoreBatch } from './restore-batch'
import { type LoggedBatch, UNDOABLE_MS, undoToken } from './undo-token'

type Parts = AttemptParts

/**
 * Undoes a batch of one's own changes, for every lead within reach that nobody has changed since.
 * InvalidInputError for what names no batch of this person, ConflictError after a day.
 */
export async function undoTriage(parts: Parts, viewer: Allowed<'leads:triage'>, undo: string): Promise<UndoAnswer> {
  const named = undoToken.read(parts.seal, viewer.id, undo)
  if (named === null) throw new InvalidInputError('undo')
  const { logged, attempt } = named
  const takenBack = attempt && (await takeBackAttempt(parts, viewer, attempt))
  if (logged === null) return takenBack ?? { restored: 0, conflicts: 0 }
  // The lead counts once, whatever was done with it.
  return undoBatch(parts, viewer, logged)
}

async function undoBatch(parts: Parts, viewer: Allowed<'leads:triage'>, logged: LoggedBatch): Promise<UndoAnswer> {
  const schoolOf = await reach(parts, viewer)
  const since = new Date(parts.now() - UNDOABLE_MS)
  // What takes more than a part is kept, so that it ends without us, too.
  const isLong = logged.last - logged.first >= FIRST_PART && logged.at >= since
  const held = isLong ? await beginBatch(parts.connect, viewer.id, { undo: logged }) : null
  const isInReach = (lead: LeadRef) => schoolOf(lead) !== null
  const { restored, conflicts } = await restoreBatch(parts, viewer, { ...logged, since, isInReach, held })
  if (held) await endBatch(parts.connect, held, 'taken-back')
  if (restored.length + conflicts === 0) throw new ConflictError('This was too long ago to be undone')
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) parts.announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

/** The school of a lead that is there and within the viewer's reach, else null. */
async function reach(parts: LeadParts, viewer: Viewer): Promise<(lead: LeadRef) => string | null> {
  const tables = {
    'asked-question': await leadTable(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadTable(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }) => schoolInReach(tables[kind], viewer, id)
}
