import { asc, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { isEarlier, isFollowUp, isSnoozed, needsAnswer } from '@/lib/leads/work-rules'
import { DAY_MS } from '@/lib/time/durations'
import { toStockholmClock } from '@/lib/time/stockholm'
import { inventData } from '@/reference-service/invented/data'
import { ensureDemoUsers } from '@/server/access/first-users'
import { createUsers } from '@/server/access/users'
import { activity, attempts, notes, triage, users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { ensureFirstStart } from '@/server/feed/demo-service'
import { createTriageBoard } from '@/server/leads/triage-board'
import { createWorkSettingsCache } from '@/server/leads/work'
import { testServices } from '@/server/testing/services'
import { ensureDemoPast } from './demo-past'

const TUESDAY = Date.parse('2026-11-24T09:30:00Z')
const env = { hasDemoPast: true }
const time = { ms: TUESDAY }
const now = () => time.ms
const { db, close } = await openPgliteInMemory()
const connect = async () => db
const accounts = createUsers({ connect, now, isDemo: true })
const stored = testServices({ connect, now, onUnreachable: failWhenUnreachable, cacheTtlMs: () => 0 })
const work = createWorkSettingsCache(stored)
const seal = createSeal([new Uint8Array(32).fill(7)])

/** Starts the demo and returns its leads. */
async function start() {
  const data = inventData({ tier: 'S', seed: 7, now: await ensureFirstStart({ connect, now, env }) })
  const schools = data.highSchools.map(({ id }) => id)
  await ensureDemoUsers(accounts, schools.slice(0, 2))
  const demo = { schools, data: async () => data }
  await ensureDemoPast(testServices({ connect, now, users: accounts, work, seal, env, demo }))
  work.invalidate()
  return {
    'asked-question': leadTableOf('asked-question', data.askedQuestions),
    'declaration-of-interest': leadTableOf('declaration-of-interest', data.declarationsOfInterest),
  }
}
let tables: Awaited<ReturnType<typeof start>>
beforeAll(async () => void (tables = await start()))
afterAll(close)

const findArrival = (kind: LeadKind, id: string) => tables[kind].createdAt[tables[kind].findRow(id)] ?? Infinity

test('it is a calm day: a few wait, three are late, four are put aside, one is back', async () => {
  const table = tables['asked-question']
  const rules = await work.getRules('asked-question')
  const board = createTriageBoard(stored)
  const entries = await board.getEntries('asked-question')
  const leads = Array.from({ length: table.size }, (_, row) => ({
    entry: entries.get(table.id[row] ?? ''),
    createdAt: table.createdAt[row] ?? 0,
    year: table.year[row] ?? 0,
  }))
  const waiting = leads.filter(
    ({ entry, createdAt, year }) => needsAnswer(entry, rules) && !isEarlier(rules, createdAt, year),
  )
  expect(waiting.length).toBeLessThan(20)
  expect(waiting.filter(({ createdAt }) => createdAt < rules.lateBefore)).toHaveLength(3)
  expect(leads.filter(({ entry }) => isFollowUp(entry, rules))).toHaveLength(1)
  expect(leads.filter(({ entry }) => isSnoozed(entry, rules))).toHaveLength(4)
})

test('everything happened after its lead findArrival and before now, on working days', async () => {
  const decided = await db.select().from(triage)
  expect(decided.length).toBeGreaterThan(300)
  expect(await db.$count(attempts)).toBeGreaterThan(100)
  for (const { kind, leadId, updatedAt } of decided) {
    const clock = new Date(toStockholmClock(updatedAt.getTime()))
    expect(updatedAt.getTime()).toBeGreaterThan(findArrival(kind, leadId))
    expect(updatedAt.getTime()).toBeLessThan(TUESDAY)
    expect([1, 2, 3, 4, 5]).toContain(clock.getUTCDay())
  }
})

test('it is by people who cannot sign in, has notes and a mention of the staff account', async () => {
  const invented = await db.select().from(users).where(like(users.id, 'demo-%'))
  expect(invented.filter((one) => one.passwordHash !== null || !one.demo)).toEqual([])
  const by = await db.selectDistinct({ by: triage.updatedBy }).from(triage)
  expect(by.filter((one) => !one.by?.startsWith('demo-'))).toEqual([])
  expect(await db.$count(notes)).toBeGreaterThan(20)
  const [staff] = await db.select().from(users).where(like(users.email, 'staff@%'))
  const mentioned = (await db.select().from(notes)).flatMap(({ unseenBy }) => unseenBy)
  expect(mentioned).toEqual([staff?.id])
})

test('it is in the log, in the order of time, and names nobody', async () => {
  const log = await db.select().from(activity).orderBy(asc(activity.id))
  const moments = log.map(({ loggedAt }) => loggedAt.getTime())
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  expect(log.filter(({ action }) => action === 'triage-changed')).toHaveLength(await db.$count(triage))
  for (const table of ['triage', 'attempts', 'activity', 'notes', 'saved_views', 'settings']) {
    const rows = await db.select({ row: sql<string>`row_to_json(t)::text` }).from(sql`${sql.identifier(table)} t`)
    const text = rows.map(({ row }) => row).join('\n')
    for (const word of ['Lindqvist', 'Karin Ek', 'uppringda']) expect(text.includes(word), word).toBe(false)
  }
})

test('at a later start the leads are those of the first, and nothing is written again', async () => {
  const before = [await db.select().from(triage), await db.select().from(activity)]
  time.ms += 3 * DAY_MS
  const later = await start()
  expect(later['asked-question'].createdAt).toEqual(tables['asked-question'].createdAt)
  expect([await db.select().from(triage), await db.select().from(activity)]).toEqual(before)
})
