import 'server-only'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Connect, Db } from '@/server/base/database'
import { type KnownLead, knownLeads } from '@/server/base/schema'
import { withTimeout } from '@/server/base/deadline'
import { type Pausable, runInSlices } from './pausable'

export type KnownLeads = ReturnType<typeof createKnownLeads>

/** `goneAt` is null where another instance has the lead already. */
type Absent = { seenAt: number; goneAt: number | null }

/** `absent`: what is known and not in this instance's list. `lastRead`: the id of a row of the table. */
type KnownState = { isRestored: boolean; lastRead: number; absent: Map<string, Absent>; unsaved: KnownLead[] }

type Options = {
  connect: Connect
  now: () => number
  yieldTurn: () => Promise<void>
  onUnreachable: (error: unknown) => void
}

/** A list is shown although the database is slow. */
const MAX_WAIT_MS = 2_000

/**
 * When each lead was first seen, by its id, over restarts and by all instances alike. The table is a log: the last row
 * about an id says whether it is gone, the first when it was seen. What the very first list has was seen when it came.
 */
export function createKnownLeads(options: Options) {
  const { connect, now, yieldTurn, onUnreachable } = options
  const byKind: Record<LeadKind, KnownState> = { 'asked-question': createKnownState(), 'declaration-of-interest': createKnownState() }

  async function tryInTime<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await withTimeout(work, MAX_WAIT_MS)
    } catch (error) {
      onUnreachable(error)
      return null
    }
  }

  return {
    /** The table with its moments. `before` is the one that is shown. */
    stampSeenAt: async <T extends LeadTable>(table: T, before: LeadTable | null): Promise<T> => {
      const { kind } = table
      const known = byKind[kind]
      const news = await tryInTime(readLog(connect, kind, known.lastRead))
      const at = now()
      if (news === null && !known.isRestored)
        return { ...table, seenAt: table.createdAt.map((moment) => Math.min(moment, at)) }
      const seenAt = await runInSlices(assignSeenAt(known, table, before, news, at), yieldTurn)
      const unsaved = known.unsaved.splice(0)
      if (unsaved.length === 0) return { ...table, seenAt }
      await tryInTime(
        writeLog(connect, kind, unsaved).catch((error: unknown) => {
          known.unsaved = unsaved.concat(known.unsaved)
          throw error
        }),
      )
      return { ...table, seenAt }
    },
    /** How many leads have gone since a moment (ms) that were seen before another, and when the first of them did. */
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

type Log = { leads: readonly (readonly KnownLead[])[]; lastRead: number }

const LEADS_PER_PAUSE = 1_024

/** After a restart every row of the list arrives, and what is not among them is gone. */
function* assignSeenAt(
  known: KnownState,
  table: LeadTable,
  before: LeadTable | null,
  news: Log | null,
  now: number,
): Pausable<Float64Array> {
  const { isRestored, absent, unsaved } = known
  const isFirst = !isRestored && known.lastRead === 0 && news?.lastRead === 0
  const previous = isRestored ? before : null
  const isStillThere = new Uint8Array(previous?.size ?? 0)
  // A lead that has arrived has no number until it is known whether another instance saw it.
  const seenAt = new Float64Array(table.size).fill(Number.NaN)
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    const rowBefore = previous?.findRow(table.id[row] ?? '') ?? -1
    if (rowBefore === -1) continue
    isStillThere[rowBefore] = 1
    seenAt[row] = previous?.seenAt[rowBefore] ?? now
  }
  if (news !== null) {
    let count = 0
    for (const [id, moment, goneAt] of news.leads.flat()) {
      if (count++ % LEADS_PER_PAUSE === 0) yield
      const row = table.findRow(id)
      const seen = seenAt[row] ?? Number.NaN
      // Of two instances that saw a lead at once the first is right.
      if (Number.isNaN(seen)) absent.set(id, { seenAt: Math.min(absent.get(id)?.seenAt ?? moment, moment), goneAt })
      else seenAt[row] = Math.min(seen, moment)
    }
    known.lastRead = news.lastRead
  }
  for (let row = 0; row < table.size; row++) {
    if (row % LEADS_PER_PAUSE === 0) yield
    if (!Number.isNaN(seenAt[row])) continue
    const id = table.id[row] ?? ''
    const one = absent.get(id)
    const moment = one?.seenAt ?? (isFirst ? Math.min(table.createdAt[row] ?? now, now) : now)
    seenAt[row] = moment
    absent.delete(id)
    if (one?.goneAt !== null) unsaved.push([id, moment, null])
  }
  const addGone = (id: string, moment: number) => {
    absent.set(id, { seenAt: moment, goneAt: now })
    unsaved.push([id, moment, now])
  }
  if (!isRestored) for (const [id, one] of absent) if (one.goneAt === null) addGone(id, one.seenAt)
  for (let row = isStillThere.indexOf(0); row !== -1; row = isStillThere.indexOf(0, row + 1)) {
    const id = previous?.id[row] ?? ''
    const one = absent.get(id)
    if (one === undefined || one.goneAt === null) addGone(id, one?.seenAt ?? previous?.seenAt[row] ?? now)
  }
  known.isRestored = true
  return seenAt
}

const ROWS_AT_ONCE = 100
const LEADS_OF_ROW = 500

async function readLog(connect: Connect, kind: LeadKind, after: number): Promise<Log> {
  const db = await connect()
  const leads: KnownLead[][] = []
  for (let lastRead = after; ;) {
    const isNext = and(eq(knownLeads.kind, kind), gt(knownLeads.id, lastRead))
    const rows = await db.select().from(knownLeads).where(isNext).orderBy(asc(knownLeads.id)).limit(ROWS_AT_ONCE)
    leads.push(...rows.map((row) => row.leads))
    lastRead = rows.at(-1)?.id ?? lastRead
    if (rows.length < ROWS_AT_ONCE) return { leads, lastRead }
  }
}

/** Whole or not at all: what is missing from the first list would count as new after a restart. */
async function writeLog(connect: Connect, kind: LeadKind, all: readonly KnownLead[]): Promise<void> {
  const db = await connect()
  await db.transaction(async (tx) => {
    for (let from = 0; from < all.length; from += LEADS_OF_ROW)
      await tx.insert(knownLeads).values({ kind, leads: all.slice(from, from + LEADS_OF_ROW) })
  })
}

/** What went before `before` (ms) is forgotten, and each lead is kept in one row. */
export async function forgetGoneLeads(tx: Db, kind: LeadKind, before: number): Promise<void> {
  const rows = await tx.select().from(knownLeads).where(eq(knownLeads.kind, kind)).orderBy(asc(knownLeads.id))
  const last = new Map<string, KnownLead>()
  for (const { leads } of rows)
    for (const [id, moment, goneAt] of leads) {
      const seenAt = Math.min(last.get(id)?.[1] ?? moment, moment)
      // In the place of its last row.
      last.delete(id)
      last.set(id, [id, seenAt, goneAt])
    }
  const remembered = [...last.values()].filter(([, , goneAt]) => goneAt === null || goneAt >= before)
  const count = rows.reduce((sum, { leads }) => sum + leads.length, 0)
  if (remembered.length === count && rows.length <= 2 * Math.ceil(count / LEADS_OF_ROW)) return
  // Filled from the end: what an instance that goes by the ids has not read yet must stay ahead of it.
  for (const { id } of rows.toReversed()) {
    const leads = remembered.splice(-LEADS_OF_ROW)
    if (leads.length > 0) await tx.update(knownLeads).set({ leads }).where(eq(knownLeads.id, id))
    else await tx.delete(knownLeads).where(eq(knownLeads.id, id))
  }
}
