import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { CommandParts } from '@/server/access/command'
import { allow, type Allowed, makeViewer, maySee } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { type LeadParts, leadTable, schoolInReach } from '@/server/leads/select-leads'
import type { Logger } from '@/server/logger'
import { mayWorkOnLeads } from '@/server/users/people'
import type { Users } from '@/server/users/users'
import { BatchTakenOverError, endBatch, loggedOf, type StoredBatch, takeOver, turnOf } from './batches'
import { assigneeOf } from './change-triage'
import { continueChange } from './triage-batch'
import { restoreBatch } from './restore-batch'
import { UNDOABLE_MS } from './undo-token'

type Parts = CommandParts &
  LeadParts & {
    users: Pick<Users, 'find'>
    announcer: Pick<Announcer, 'triage'>
    now: () => number
    logger: Pick<Logger, 'info'>
  }

/**
 * Ends what another process, or this one before its last start, began and left: a change goes on, an undoing too. It is the
 * person's still, with what they may and see now; what they may no longer is left as it is, and so is what is a day old.
 */
export function createUnfinishedBatches(parts: Parts) {
  const { connect, logger, feed } = parts
  return {
    /** One round. */
    run: async (): Promise<void> => {
      // Without the lists nobody knows which leads are within reach.
      if (feed.askedQuestions().content === null || feed.declarations().content === null) return
      for (;;) {
        const batch = await takeOver(connect)
        if (batch === null) return
        logger.info({ batch: batch.number, state: batch.state, done: batch.done }, 'an abandoned batch is continued')
        const state = await endOne(parts, batch)
        logger.info({ batch: batch.number, state }, 'an abandoned batch has ended')
      }
    },
  }
}

type Ending = 'finished' | 'taken-back' | 'stopped' | 'taken over'

async function endOne(parts: Parts, batch: StoredBatch): Promise<Ending> {
  const stop = async (): Promise<Ending> => {
    await endBatch(parts.connect, batch, 'stopped')
    return 'stopped'
  }
  const user = await parts.users.find(batch.userId)
  const isTooOld = parts.now() - batch.createdAt.getTime() > UNDOABLE_MS
  if (user === null || !mayWorkOnLeads(user) || isTooOld) return stop()
  const viewer = allow(makeViewer(user), 'leads:triage')
  try {
    await turnOf(parts.connect, batch)
    return await (batch.state === 'undoing' ? endUndoing : endChange)(parts, viewer, batch)
  } catch (error) {
    if (error instanceof BatchTakenOverError) return 'taken over'
    // Whom the leads were to be given to works on none any more.
    if (error instanceof InvalidInputError) return stop()
    throw error
  } finally {
    await announce(parts, viewer)
  }
}

async function endChange(parts: Parts, viewer: Allowed<'leads:triage'>, batch: StoredBatch): Promise<Ending> {
  const { assigneeId } = batch.fields ?? {}
  const assignee = await assigneeOf(parts, viewer, assigneeId === null ? 'none' : assigneeId)
  const schools = assignee?.schools ?? 'all'
  const schoolOf = await schoolsOfLeads(parts, viewer)
  await continueChange(parts, viewer, batch, (lead) => {
    const school = schoolOf(lead)
    return school !== null && (schools === 'all' || schools.includes(school))
  })
  return 'finished'
}

async function endUndoing(parts: Parts, viewer: Allowed<'leads:triage'>, batch: StoredBatch): Promise<Ending> {
  const logged = loggedOf(batch)
  if (logged !== null) {
    const schoolOf = await schoolsOfLeads(parts, viewer)
    const isInReach = (lead: LeadRef) => schoolOf(lead) !== null
    const first = batch.undoneLog === null ? logged.first : batch.undoneLog + 1
    await restoreBatch(parts, viewer, { ...logged, first, since: new Date(0), isInReach, held: batch })
  }
  await endBatch(parts.connect, batch, 'taken-back')
  return 'taken-back'
}

async function schoolsOfLeads(parts: Parts, viewer: Allowed<'leads:triage'>) {
  const tables = {
    'asked-question': await leadTable(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadTable(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }: LeadRef) => schoolInReach(tables[kind], viewer, id)
}

/** Whoever began it told nobody, and which schools that would have been is not kept: all within reach. */
async function announce(parts: Parts, viewer: Allowed<'leads:triage'>): Promise<void> {
  for (const kind of LEAD_KINDS) {
    const { schoolIds } = await leadTable(parts, viewer, kind)
    parts.announcer.triage(
      kind,
      viewer.id,
      schoolIds.filter((school) => maySee(viewer, school)),
    )
  }
}
