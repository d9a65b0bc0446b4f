import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { LeadTable } from '@/lib/leads/lead-table'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, makeViewer } from '@/server/access/viewer'
import { createActivity } from '@/server/access/activity'
import type { Connect } from '@/server/base/database'
import {
  activity,
  attempts,
  exports,
  knownLeads,
  notes,
  savedViews,
  settings,
  triage,
  users,
} from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createKnownLeads } from '@/server/feed/known-leads'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { agreeToPurge, readHold } from '../purge-holds'
import { runRetention } from '../retention'
import { createSeal } from '@/server/base/seal'
import { createTriageBoard } from '@/server/leads/triage-board'
import { changeTriage } from '@/server/leads/write-triage'
import { testServices } from '@/server/testing/services'

const MINUTE = 60_000
export const START = Date.UTC(2026, 10, 16, 7)
const kind = 'declaration-of-interest'
const list = 'declarations-of-interest'

/** Empties what installations and other suites leave behind, and answers a member of the staff. */
export async function beginAnew(connect: Connect): Promise<string> {
  const db = await connect()
  const left = [knownLeads, notes, attempts, triage, savedViews, activity, exports, settings]
  for (const table of left) await db.delete(table)
  const id = randomUUID()
  const row = { name: 'A', role: 'staff', schools: 'all', createdAt: new Date() } as const
  await db.insert(users).values({ ...row, id, email: `${id}@skola.example` })
  return id
}

/** A list as the service sends it, and what Intag knows of its leads. */
function openList(connect: Connect, now: () => number, ids: readonly string[]) {
  const tableOf = (some: readonly string[]) =>
    builtTableOf(
      kind,
      some.map((id) => declaration(id)),
    )
  const start = () => createKnownLeads({ connect, now, yieldTurn: async () => {}, onUnreachable: failWhenUnreachable })
  type Table = ReturnType<typeof tableOf>
  let sent: Table | null = tableOf(ids)
  let shown: Table | null = null
  let known = start()
  return {
    answers: (next: readonly string[] | null) => (sent = next && tableOf(next)),
    restart: () => ([known, shown] = [start(), null]),
    fetch: async () => {
      if (sent !== null && sent.id !== shown?.id) shown = await known.mark(sent, shown)
    },
    now: () => sent && shown,
    goneSince: (...given: Parameters<typeof known.goneSince>) => known.goneSince(...given),
  }
}

/** An installation whose retention the test runs. `answers(null)`: the service fails. */
export async function openInstallation(connect: Connect, author: string, ids: readonly string[]) {
  const db = await connect()
  const board = createTriageBoard({ connect, onUnreachable: failWhenUnreachable })
  const person = { id: author, name: 'A', email: 'a@skola.example', schools: 'all' } as const
  let now = START
  const desk = { connect, activity: createActivity({ connect, now: () => now }), now: () => now }
  const fetched = openList(connect, desk.now, ids)
  const stateOf = (table: LeadTable | null) => ({ content: table && { table }, problem: null })
  const services = testServices({
    ...desk,
    known: fetched,
    triage: board,
    feed: { askedQuestions: () => stateOf(null), declarations: () => stateOf(fetched.now()) },
    seal: createSeal(new Uint8Array(32).fill(7)),
    protections: { current: async () => ({ all: [], fingerprint: '' }) },
    announcer: { protections: async () => {} },
    env: { retentionMonths: 24 },
    logger: { info: () => {}, warn: () => {} },
  })
  const run = async () => {
    await fetched.fetch()
    await runRetention(services)
  }
  return {
    answers: fetched.answers,
    restart: fetched.restart,
    /** Runs now and then as seldom as is still unbroken; a run costs the test some milliseconds. */
    pass: async (ms: number) => {
      await run()
      for (const end = now + ms; now < end;) {
        now = Math.min(end, now + 60 * MINUTE)
        await run()
      }
    },
    agree: () => agreeToPurge(services, allow(makeViewer({ ...person, role: 'admin' }), 'admin'), { list }),
    /** Time in which the installation is switched off. */
    sleep: (ms: number) => (now += ms),
    annotate: async (id: string) => {
      await changeTriage(services, makeViewer({ ...person, role: 'staff' }), [{ kind, id }], { status: 'handled' })
      const note = { id: randomUUID(), kind, leadId: id, authorId: author, sealedText: 'x' } as const
      await db.insert(notes).values({ ...note, createdAt: new Date(now) })
    },
    isKept: async (id: string) => {
      const rows = await db.select().from(triage).where(eq(triage.leadId, id))
      const noted = await db.select().from(notes).where(eq(notes.leadId, id))
      const remembered = (await board.current(kind)).has(id)
      expect([noted.length > 0, remembered]).toEqual([rows.length > 0, rows.length > 0])
      return rows.length > 0
    },
    hold: () => readHold(db, list),
  }
}
