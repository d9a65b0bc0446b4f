import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { requirePermission } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, attempts, exports, knownLeads, notes, savedViews, settings, triage } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createKnownLeads } from '@/server/feed/known-leads'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { commitTriageChange } from '@/server/leads/write-triage'
import { testServices } from '@/server/testing/services'
import { agreeToPurge, readHold } from '../purge-holds'
import { runRetention } from '../retention'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
/** A Monday, eight in Stockholm. */
export const START = Date.UTC(2026, 10, 16, 7)
const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** A list as the service sends it, and what Intag knows of its leads. */
function openList(connect: Connect, now: () => number, ids: readonly string[]) {
  const tableOf = (some: readonly string[]) => {
    const leads = some.map((id) => declaration(id))
    return leadTableOf(kind, leads)
  }
  const start = () => createKnownLeads({ connect, now, onUnreachable: failWhenUnreachable })
  type Table = ReturnType<typeof tableOf>
  let sent: Table | null = tableOf(ids)
  let shown: Table | null = null
  let known = start()
  return {
    answers: (next: readonly string[] | null) => (sent = next && tableOf(next)),
    restart: () => ([known, shown] = [start(), null]),
    fetch: async () => {
      if (sent !== null && sent.id !== shown?.id) shown = await known.stampSeenAt(sent, shown)
    },
    now: () => shown,
    isFailing: () => sent === null,
    countGoneSince: (...given: Parameters<typeof known.countGoneSince>) => known.countGoneSince(...given),
  }
}

/** An installation whose retention the test runs, on an emptied database. `answers(null)`: the service fails. */
export async function openInstallation(connect: Connect, ids: readonly string[]) {
  const db = await connect()
  const left = [knownLeads, notes, attempts, triage, savedViews, activity, exports, settings]
  for (const table of left) await db.delete(table)
  const { parts, time, person } = await openTestDesk({ db, close: async () => {} })
  time.ms = START
  const author = await person(randomUUID(), 'admin', 'all')
  const fetched = openList(connect, parts.now, ids)
  const failed = { kind: 'unavailable', since: START, detail: 'status 503' } as const
  const stateOf = (table: LeadTable | null, isFailing = false) => {
    return { content: table && { table }, problem: isFailing ? failed : null }
  }
  const services = testServices({
    ...parts,
    known: fetched,
    feed: { askedQuestions: () => stateOf(null), declarations: () => stateOf(fetched.now(), fetched.isFailing()) },
    protections: { getList: async () => ({ protections: [], fingerprint: '' }) },
    env: { retentionMonths: 24 },
    logger: { info: () => {}, warn: () => {} },
  })
  const run = async () => {
    await fetched.fetch()
    await runRetention(services)
  }
  return {
    db,
    author: author.id,
    answers: fetched.answers,
    restart: fetched.restart,
    /** Lets time pass with as few runs as leave an absence unbroken, because each costs the test some milliseconds. */
    pass: async (ms: number) => {
      await run()
      for (const end = time.ms + ms; time.ms < end;) {
        time.ms = Math.min(end, time.ms + HOUR)
        await run()
      }
    },
    agree: () => agreeToPurge(services, requirePermission(author, 'admin'), { list }),
    /** Lets time pass in which the installation is switched off. */
    sleep: (ms: number) => (time.ms += ms),
    annotate: async (id: string) => {
      await commitTriageChange(services, author, [{ kind, id }], { status: 'handled' })
      const note = { id: randomUUID(), kind, leadId: id, authorId: author.id, sealedText: 'x' } as const
      await db.insert(notes).values({ ...note, createdAt: new Date(time.ms) })
    },
    isKept: async (id: string) => {
      const [isDecided, isNoted] = [
        (await db.$count(triage, eq(triage.leadId, id))) > 0,
        (await db.$count(notes, eq(notes.leadId, id))) > 0,
      ]
      expect([isNoted, (await parts.triage.getEntries(kind)).has(id)]).toEqual([isDecided, isDecided])
      return isDecided
    },
    hold: () => readHold(db, list),
  }
}
