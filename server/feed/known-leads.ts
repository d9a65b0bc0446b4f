import { and, asc, eq, gt } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Connect, Db } from '@/server/base/database'
import { withTimeout } from '@/server/base/deadline'
import { type KnownLead, knownLeads } from '@/server/base/schema'
import { type Pausable, runInSlices } from './pausable'

export type KnownLeads = ReturnType<typeof createKnownLeads>

/** `goneAt` is null while another instance has the lead already. */
type AbsentLead = { seenAt: number; goneAt: number | null }

/** `absent` has the known leads that are not in this instance's list; `lastRead` is the id of the last row read. */
type KnownState = { isRestored: boolean; lastRead: number; absent: Map<string, AbsentLead>; unsaved: KnownLead[] }

type Options = {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
}

/** The list does not wait longer for a slow database. */
const MAX_WAIT_MS = 2_000

/**
 * Remembers when each lead was first seen, across restarts and for all instances; those of the very first list at their
 * own dates. The table is a log: of an id's entries, the first says when the lead was seen and the last whether it is gone.
 */
export function createKnownLeads(options: Options) {
  const { connect, now, onUnreachable } = options
  const byKind: Record<LeadKind, KnownState> = {
    'asked-question': createKnownState(),
    'declaration-of-interest': createKnownState(),
  }

  async function tryInTime<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await withTimeout(work, MAX_WAIT_MS)
    } catch (error) {
      onUnreachable(error)
      return null
    }
  }

  return {
    /** Returns the table with its column `seenAt`. `before` is the table that users see now. */
    stampSeenAt: async <T extends LeadTable>(table: T, before: LeadTable | null): Promise<T> => {
      const { kind } = table
      const state = byKind[kind]
      const newEntries = await tryInTime(readLog(connect, kind, state.lastRead))
      const nowMs = now()
      if (newEntries === null && !state.isRestored)
        return { ...table, seenAt: table.createdAt.map((moment) => Math.min(moment, nowMs)) }
      const seenAt = await runInSlices(assignSeenAt(state, table, before, newEntries, nowMs))
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
      for (const { seenAt, goneAt } of byKind[kind].absent.values()) {
        if (goneAt === null || goneAt <= since || seenAt >= seenBefore) continue
        gone.count++
        gone.firstAt = Math.min(gone.firstAt ?? goneAt, goneAt)
      }
      return gone
    },
  }
}

const createKnownState = (): KnownState => ({ isRestored: false, lastRead: 0, absent: new Map(), unsaved: [] })

type LogEntries = { leads: readonly KnownLead[]; lastRead: number }

const LEADS_PER_PAUSE = 1_024

/** Dates a table's leads, and notes which came and went. After a restart all come, and known ones that do not went. */
function* assignSeenAt(
  state: KnownState,
  table: LeadTable,
  before: LeadTable | null,
  newEntries: LogEntries | null,
  now: number,
): Pausable<Float64Array> {
  const { isRestored, absent, unsaved } = state
  const isFirstList = !isRestored && state.lastRead === 0 && newEntries?.lastRead === 0
  const previous = isRestored ? before : null
  const isStillThere = new Uint8Array(previous?.size ?? 0)
  // Leads that were in the list before keep their moments; the others are NaN until the log has been read.
  const seenAt = new Float64Array(table.size).fill(Number.NaN)
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    const rowBefore = previous?.findRow(table.id[row] ?? '') ?? -1
    if (rowBefore === -1) continue
    isStillThere[rowBefore] = 1
    seenAt[row] = previous?.seenAt[rowBefore] ?? now
  }
  // The log shows what other instances saw, of leads in the list and of those that are not.
  if (newEntries !== null) {
    let count = 0
    for (const [id, moment, goneAt] of newEntries.leads) {
      if (count++ % LEADS_PER_PAUSE === 0) yield
      const row = table.findRow(id)
      const seen = seenAt[row] ?? Number.NaN
      // If two instances saw a lead, the earlier moment counts.
      if (Number.isNaN(seen)) absent.set(id, { seenAt: Math.min(absent.get(id)?.seenAt ?? moment, moment), goneAt })
      else seenAt[row] = Math.min(seen, moment)
    }
    state.lastRead = newEntries.lastRead
  }
  // Leads that are NaN still have arrived.
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    if (!Number.isNaN(seenAt[row])) continue
    const id = table.id[row] ?? ''
    const absentLead = absent.get(id)
    const moment = absentLead?.seenAt ?? (isFirstList ? Math.min(table.createdAt[row] ?? now, now) : now)
    seenAt[row] = moment
    absent.delete(id)
    const isLogged = absentLead !== undefined && absentLead.goneAt === null
    if (!isLogged) unsaved.push([id, moment, null])
  }
  // Leads that were in the list before, or by the log before a restart, and are not there now have gone.
  const addGone = (id: string, moment: number) => {
    absent.set(id, { seenAt: moment, goneAt: now })
    unsaved.push([id, moment, now])
  }
  if (!isRestored) for (const [id, { seenAt: moment, goneAt }] of absent) if (goneAt === null) addGone(id, moment)
  for (const [row, flag] of isStillThere.entries()) {
    if (flag === 1) continue
    const id = previous?.id[row] ?? ''
    const known = absent.get(id)
    if (known === undefined || known.goneAt === null) addGone(id, known?.seenAt ?? previous?.seenAt[row] ?? now)
  }
  state.isRestored = true
  return seenAt
}

const ROWS_AT_ONCE = 100
const LEADS_PER_ROW = 500

async function readLog(connect: Connect, kind: LeadKind, after: number): Promise<LogEntries> {
  const db = await connect()
  const leads: KnownLead[] = []
  for (let lastRead = after; ;) {
    const condition = and(eq(knownLeads.kind, kind), gt(knownLeads.id, lastRead))
    const rows = await db.select().from(knownLeads).where(condition).orderBy(asc(knownLeads.id)).limit(ROWS_AT_ONCE)
    for (const row of rows) leads.push(...row.leads)
    lastRead = rows.at(-1)?.id ?? lastRead
    if (rows.length < ROWS_AT_ONCE) return { leads, lastRead }
  }
}

/** Writes all or none, because entries that were missing would count as new after a restart. */
async function writeLog(connect: Connect, kind: LeadKind, entries: readonly KnownLead[]): Promise<void> {
  if (entries.length === 0) return
  const db = await connect()
  await db.transaction(async (tx) => {
    for (let first = 0; first < entries.length; first += LEADS_PER_ROW)
      await tx.insert(knownLeads).values({ kind, leads: entries.slice(first, first + LEADS_PER_ROW) })
  })
}

/** Deletes the leads that were gone before `before` (ms), and keeps one entry for each of the others. */
export async function forgetGoneLeads(tx: Db, kind: LeadKind, before: number): Promise<void> {
  const rows = await tx.select().from(knownLeads).where(eq(knownLeads.kind, kind)).orderBy(asc(knownLeads.id))
  const entries = rows.flatMap(({ leads }) => leads)
  const last = new Map<string, KnownLead>()
  for (const [id, moment, goneAt] of entries) {
    const seenAt = Math.min(last.get(id)?.[1] ?? moment, moment)
    // It moves to the place of its last entry, so that no instance misses a change.
    last.delete(id)
    last.set(id, [id, seenAt, goneAt])
  }
  const remembered = [...last.values()].filter(([, , goneAt]) => goneAt === null || goneAt >= before)
  const isCompact = rows.length <= 2 * Math.ceil(entries.length / LEADS_PER_ROW)
  if (remembered.length === entries.length && isCompact) return
  // Rows are filled from the end, because instances read on from the last id they have seen.
  for (const { id } of rows.toReversed()) {
    const leads = remembered.splice(-LEADS_PER_ROW)
    if (leads.length > 0) await tx.update(knownLeads).set({ leads }).where(eq(knownLeads.id, id))
    else await tx.delete(knownLeads).where(eq(knownLeads.id, id))
  }
}
