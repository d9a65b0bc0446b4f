import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { withTimeout } from '@/server/base/deadline'
import type { KnownLead } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'
import { type LogEntries, readLog, writeLog } from './known-leads-log'
import { type Pausable, runInSlices } from './pausable'

export type KnownLeads = ReturnType<typeof createKnownLeads>

/** A known lead that is not in this instance's list. `goneAt` (ms) is null while another instance has the lead. */
type AbsentLead = { seenAt: number; goneAt: number | null }

/** After a restart the state is restored once the log has been read, of which `lastRowId` is the last row read. */
type KnownState = { isRestored: boolean; lastRowId: number; absent: Map<string, AbsentLead>; unsaved: KnownLead[] }

/** After this time a list is shown even if the database has not answered. */
const MAX_DATABASE_WAIT_MS = 2_000

/** Remembers when each lead was first seen, across restarts and for all instances. */
export function createKnownLeads(base: Pick<BaseServices, 'connect' | 'now' | 'onUnreachable'>) {
  const { connect, now, onUnreachable } = base
  const stateByKind: Record<LeadKind, KnownState> = {
    'asked-question': createKnownState(),
    'declaration-of-interest': createKnownState(),
  }

  async function tryInTime<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await withTimeout(work, MAX_DATABASE_WAIT_MS)
    } catch (error) {
      onUnreachable(error)
      return null
    }
  }

  return {
    /** Returns the table with its column `seenAt`. `before` is the table that users see now. */
    stampSeenAt: async <T extends LeadTable>(table: T, before: LeadTable | null): Promise<T> => {
      const { kind } = table
      const state = stateByKind[kind]
      const log = await tryInTime(readLog(connect, kind, state.lastRowId))
      const nowMs = now()
      if (log === null && !state.isRestored)
        return { ...table, seenAt: table.createdAt.map((moment) => Math.min(moment, nowMs)) }
      const seenAt = await runInSlices(assignSeenAt(state, table, before, log, nowMs))
      const unsaved = state.unsaved.splice(0)
      const writing = writeLog(connect, kind, unsaved).catch((error: unknown) => {
        state.unsaved = unsaved.concat(state.unsaved)
        throw error
      })
      await tryInTime(writing)
      return { ...table, seenAt }
    },
    /** Counts the leads that went after `since` (ms) and were seen before `seenBefore`; the first went at `firstAt`. */
    countGoneSince: (kind: LeadKind, since: number, seenBefore = Infinity) => {
      const gone = { count: 0, firstAt: null as number | null }
      for (const { seenAt, goneAt } of stateByKind[kind].absent.values()) {
        if (goneAt === null || goneAt <= since || seenAt >= seenBefore) continue
        gone.count++
        gone.firstAt = Math.min(gone.firstAt ?? goneAt, goneAt)
      }
      return gone
    },
  }
}

const createKnownState = (): KnownState => ({ isRestored: false, lastRowId: 0, absent: new Map(), unsaved: [] })

const LEADS_PER_PAUSE = 1_024

/**
 * Finds when each lead of the table was first seen, and notes in `state` which leads came and went. After a restart
 * there is no list to compare with, so the log tells which leads were there.
 */
function* assignSeenAt(
  state: KnownState,
  table: LeadTable,
  before: LeadTable | null,
  log: LogEntries | null,
  now: number,
): Pausable<Float64Array> {
  const { isRestored, absent, unsaved } = state
  const previous = isRestored ? before : null
  // A lead of the previous list keeps its moment. NaN stands for a moment that is not known yet.
  const seenAt = new Float64Array(table.size).fill(Number.NaN)
  const isStillThere = new Uint8Array(previous?.size ?? 0)
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    const previousRow = previous?.findRow(table.id[row] ?? '') ?? -1
    if (previousRow === -1) continue
    isStillThere[previousRow] = 1
    seenAt[row] = previous?.seenAt[previousRow] ?? now
  }
  // Of a lead that several instances saw, the earliest moment counts.
  for (const [index, [id, moment, goneAt]] of (log?.leads ?? []).entries()) {
    if (index % LEADS_PER_PAUSE === 0) yield
    const row = table.findRow(id)
    const ownMoment = seenAt[row] ?? Number.NaN
    if (Number.isNaN(ownMoment)) absent.set(id, { seenAt: Math.min(absent.get(id)?.seenAt ?? moment, moment), goneAt })
    else seenAt[row] = Math.min(ownMoment, moment)
  }
  state.lastRowId = log?.lastRowId ?? state.lastRowId
  // The other leads have arrived: now, unless the log knows them. Those of the very first list came at their own dates.
  const isFirstList = !isRestored && state.lastRowId === 0
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    if (!Number.isNaN(seenAt[row])) continue
    const id = table.id[row] ?? ''
    const knownLead = absent.get(id)
    const moment = knownLead?.seenAt ?? (isFirstList ? Math.min(table.createdAt[row] ?? now, now) : now)
    seenAt[row] = moment
    absent.delete(id)
    const isLogged = knownLead?.goneAt === null
    if (!isLogged) unsaved.push([id, moment, null])
  }
  // Leads that were there before and are not in the table have gone, unless the log says so already.
  const addGone = (id: string, moment: number) => {
    absent.set(id, { seenAt: moment, goneAt: now })
    unsaved.push([id, moment, now])
  }
  if (!isRestored) for (const [id, lead] of absent) if (lead.goneAt === null) addGone(id, lead.seenAt)
  for (const [previousRow, isThere] of isStillThere.entries()) {
    if (isThere === 1) continue
    const id = previous?.id[previousRow] ?? ''
    const knownLead = absent.get(id)
    if (knownLead === undefined || knownLead.goneAt === null)
      addGone(id, knownLead?.seenAt ?? previous?.seenAt[previousRow] ?? now)
  }
  state.isRestored = true
  return seenAt
}
