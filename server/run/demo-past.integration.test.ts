import { asc, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { isFollowUp, isSnoozed, needsAnswer } from '@/lib/leads/work-rules'
import { DAY_MS } from '@/lib/time/durations'
import { toStockholmDay } from '@/lib/time/stockholm'
import { isWorkingDay } from '@/lib/time/working-days'
import { inventData } from '@/reference-service/invented/data'
import { ensureDemoUsers } from '@/server/access/first-users'
import { createUsers } from '@/server/access/users'
import { activity, attempts, notes, triage, users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { ensureFirstStart } from '@/server/feed/demo-service'
import { createTriageBoard } from '@/server/leads/triage-board'
import { createWorkSettingsCache } from '@/server/leads/work-settings'
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

/** Starts the demo and returns its leads. With a failure it breaks off before the past is written. */
async function start(failure?: Error) {
  const data = inventData({ tier: 'S', seed: 7, now: await ensureFirstStart({ connect, now, env }) })
  const schools = data.highSchools.map(({ id }) => id)
  await ensureDemoUsers(accounts, schools.slice(0, 2))
  const demo = { schools, data: async () => (failure ? Promise.reject(failure) : data) }
  await ensureDemoPast(testServices({ connect, now, users: accounts, work, seal, env, demo }))
  work.invalidate()
  return {
    'asked-question': leadTableOf('asked-question', data.askedQuestions),
    'declaration-of-interest': leadTableOf('declaration-of-interest', data.declarationsOfInterest),
  }
}
let tables: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  await start(new Error('the first start is killed')).catch(() => {})
  tables = await start()
})
afterAll(close)

test('it is a calm day: a few wait, three are late, four are put aside, one is back', async () => {
  const { id, createdAt: arrivals } = tables['asked-question']
  const rules = await work.getRules('asked-question')
  const entries = await createTriageBoard(stored).getEntries('asked-question')
  const leads = Array.from(arrivals, (createdAt, row) => ({ createdAt, entry: entries.get(id[row] ?? '') }))
  const waiting = leads.filter(({ entry, createdAt }) => needsAnswer(entry, rules) && createdAt >= rules.workSince)
  expect(waiting.length).toBeLessThan(20)
  expect(waiting.filter(({ createdAt }) => createdAt < rules.lateBefore)).toHaveLength(3)
  expect(leads.filter(({ entry }) => isFollowUp(entry, rules))).toHaveLength(1)
  expect(leads.filter(({ entry }) => isSnoozed(entry, rules))).toHaveLength(4)
})

test('everything happened after its lead arrived and before now, on working days', async () => {
  const decided = await db.select().from(triage)
  expect(decided.length).toBeGreaterThan(300)
  expect(await db.$count(attempts)).toBeGreaterThan(100)
  for (const { kind, leadId, updatedAt } of decided) {
    const { createdAt, findRow } = tables[kind]
    expect(updatedAt.getTime()).toBeGreaterThan(createdAt[findRow(leadId)] ?? Infinity)
    expect(updatedAt.getTime()).toBeLessThan(TUESDAY)
    expect(isWorkingDay(toStockholmDay(updatedAt.getTime()))).toBe(true)
  }
})

test('it is by people who cannot sign in, and mentions the staff account once', async () => {
  const invented = await db.select().from(users).where(like(users.id, 'demo-%'))
  expect(invented.filter((one) => one.passwordHash !== null || !one.demo)).toEqual([])
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
