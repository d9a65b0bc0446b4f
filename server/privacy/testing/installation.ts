import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { HOUR_MS } from '@/lib/time/durations'
import { requirePermission } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, attempts, exports, knownLeads, notes, savedViews, settings, triage } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createKnownLeads } from '@/server/feed/known-leads'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { commitTriageChange } from '@/server/leads/write-triage'
import { testServices } from '@/server/testing/services'
import { approvePurge, readHold } from '../purge-holds'
import { runRetention } from '../retention'

/** A Monday, eight in Stockholm. */
export const START = Date.UTC(2026, 10, 16, 7)
const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** Opens an installation on an emptied database. Its service lists these declarations, and the test runs retention. */
export async function openInstallation(connect: Connect, firstIds: readonly string[]) {
  const db = await connect()
  for (const rows of [knownLeads, notes, attempts, triage, savedViews, activity, exports, settings])
    await db.delete(rows)
  const desk = await openTestDesk({ db, close: async () => {} })
  const { parts, time } = desk
  time.ms = START
  const author = await desk.addPerson(randomUUID(), 'admin', 'all')
  const toTable = (ids: readonly string[]): LeadTable => {
    const leads = ids.map((id) => declaration(id))
    return leadTableOf(kind, leads)
  }
  const createKnown = () => createKnownLeads({ connect, now: parts.now, onUnreachable: failWhenUnreachable })
  let answer: LeadTable | null = toTable(firstIds)
  let table: LeadTable | null = null
  let known = createKnown()
  const problem = { kind: 'unavailable', since: START, detail: 'status 503' } as const
  const services = testServices({
    ...parts,
    knownLeads: { countGoneSince: (...args: Parameters<typeof known.countGoneSince>) => known.countGoneSince(...args) },
    feed: {
      askedQuestions: () => ({ content: null, problem: null }),
      declarations: () => ({ content: table && { table }, problem: answer === null ? problem : null }),
    },
    protections: { getList: async () => ({ protections: [], fingerprint: '' }) },
    env: { retentionMonths: 24 },
    logger: { info: () => {}, warn: () => {} },
  })
  const run = async () => {
    if (answer !== null && answer.id !== table?.id) table = await known.stampSeenAt(answer, table)
    await runRetention(services)
  }
  return {
    db,
    author: author.id,
    restart: () => {
      known = createKnown()
      table = null
    },
    /** Lets time pass. The service lists `ids` from now on, or fails if they are null. */
    passTime: async (ms: number, ids?: readonly string[] | null) => {
      if (ids !== undefined) answer = ids && toTable(ids)
      await run()
      // There are as few runs as leave an absence unbroken, because each takes some milliseconds.
      for (const end = time.ms + ms; time.ms < end;) {
        time.ms = Math.min(end, time.ms + HOUR_MS)
        await run()
      }
    },
    /** Lets time pass in which the installation is switched off. */
    sleep: (ms: number) => (time.ms += ms),
    approvePurge: () => approvePurge(services, requirePermission(author, 'admin'), { list }),
    annotate: async (id: string) => {
      await commitTriageChange(services, author, [{ kind, id }], { status: 'handled' })
      const note = { id: randomUUID(), kind, leadId: id, authorId: author.id, sealedText: 'x' } as const
      await db.insert(notes).values({ ...note, createdAt: new Date(time.ms) })
    },
    isKept: async (id: string) => {
      const isDecided = (await db.$count(triage, eq(triage.leadId, id))) > 0
      const isNoted = (await db.$count(notes, eq(notes.leadId, id))) > 0
      expect([isNoted, (await parts.triage.getEntries(kind)).has(id)]).toEqual([isDecided, isDecided])
      return isDecided
    },
    readHold: () => readHold(db, list),
  }
}
