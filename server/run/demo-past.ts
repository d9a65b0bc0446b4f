import 'server-only'
import { createHash } from 'node:crypto'
import { getTableColumns, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, stockholmClock, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay, addWorkingDays } from '@/lib/time/working-days'
import { type Db, toChunks } from '@/server/base/database'
import * as schema from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { firstVisit } from '@/server/leads/visits'
import { describeChange } from '@/server/leads/write-triage'
import { type DemoService, ensureFirstStart } from '@/server/feed/demo-service'
import texts from './demo-texts.json'

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
/** Of a lead that was worked on. `days`: for how many it is put aside. */
type PastDecision = { status: LeadStatus; attempt?: Attempt; assignee?: 'guest' | 'own'; snoozeDays?: number }

const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const TAKEN: PastDecision = { status: 'in-progress', assignee: 'guest' }
const BEGUN: PastDecision = { status: 'in-progress', assignee: 'own', attempt: MAILED }
const UNREACHED: PastDecision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'no-answer' } }
const CALL_AGAIN: PastDecision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'call-again' } }
const NOT_WORKED_ON = null

/** By the leads' places in their group, the newest first. All others are answered when their school gets to it. */
const PAST_DECISIONS: readonly [group: string, places: readonly number[], fact: PastDecision | typeof NOT_WORKED_ON][] =
  [
    ['late', [1], NOT_WORKED_ON],
    ['late', [3], TAKEN],
    ['late', [4], { ...BEGUN, snoozeDays: 0 }],
    ['late', [6], UNREACHED],
    ['late', [8], { ...CALL_AGAIN, snoozeDays: 1 }],
    ['late', [9], BEGUN],
    ['late', [11], { ...CALL_AGAIN, snoozeDays: 3 }],
    ['late', [17], { ...CALL_AGAIN, snoozeDays: 7 }],
    ['late', [26], { ...CALL_AGAIN, snoozeDays: 14 }],
    ['due', [0, 2, 4], NOT_WORKED_ON],
    ['due', [1, 3], TAKEN],
    ['open', [1, 4, 7, 10, 13], TAKEN],
    ['declared', [2, 10, 18, 26, 34], TAKEN],
    ['declared long ago', [1, 6, 11, 16, 21, 26, 31, 36], BEGUN],
  ]

const WORKERS = ['Karin Ek', 'Jonas Sandberg', 'Fatima Haddad', 'Erik Nyström', 'Maria Hellström', 'Ali Rezai']

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Writes what colleagues did with the demo's leads, where nothing has been done yet. */
export async function ensureDemoPast(services: Services): Promise<void> {
  const { env, demo, users, work, seal } = services
  if (demo === null || !env.hasDemoPast) return
  const db = await services.connect()
  if ((await db.$count(schema.triage)) > 0) return
  const now = await ensureFirstStart(services)
  const ago = (days: number) => new Date(now - days * DAY_MS)
  const { schools } = demo
  const workers = WORKERS.map((name, worker) => {
    const first = name.split(' ')[0]?.toLowerCase()
    // Every school has two of the six.
    const own = schools.filter((_, school) => school % 3 === worker % 3)
    const account = { role: 'staff', demo: true, activatedAt: ago(1_000), createdAt: ago(1_000) }
    return { id: `demo-${first}`, name, email: `${first}@demo.test`, schools: own, ...account }
  })
  await insertRows(db, schema.users, workers)
  const values = {
    // Older leads count as work that is over.
    work: { from: addDays(stockholmDay(now), -60) },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((id) => [id, `antagning@${id.slice(0, 40)}.example`])),
  }
  const settings = Object.entries(values).map(([name, value]) => ({ name: `work.${name}`, value, updatedAt: ago(0) }))
  await insertRows(db, schema.settings, settings)
  work.invalidate()
  const accounts = await users.list()
  const guestId = accounts.find(({ email }) => email === 'staff@demo.test')?.id ?? ''
  const guest = { id: guestId, schools: schools.slice(0, 2) }
  const rules = {
    'asked-question': await work.getRules('asked-question'),
    'declaration-of-interest': await work.getRules('declaration-of-interest'),
  }
  const leads = listNewestLeads(await demo.data(), now)
  const lives = inventDecisions({ now, schools, workers, guest, rules, isHoliday: work.isHoliday }, leads)
  const decided = lives.map(({ triage }) => triage)
  const attempts = lives.flatMap(({ attempt }) => attempt ?? [])
  // One in eight of what was worked on lately; the first at the guest's schools mentions the guest.
  const noted = lives.filter((_, place) => place % 8 === 1).slice(0, 3 * texts.notes.length)
  const forGuest = noted.find(({ school }) => guest.schools.includes(school))
  const notes = noted.map((life, place) => {
    const id = `demo-note-${place + 1}`
    const isMention = life === forGuest
    const text = isMention ? texts.mention : (texts.notes[place % texts.notes.length] ?? '')
    const { kind, leadId, updatedBy: authorId, updatedAt: createdAt } = life.triage
    const sealedText = seal.encrypt(text, sealContext.note(id))
    return { id, kind, leadId, authorId, sealedText, createdAt, unseenBy: isMention ? [guestId] : [] }
  })
  const views = texts.views.map(({ name, query, list }, place) => {
    const id = `demo-view-${place + 1}`
    const sealedView = seal.encrypt(JSON.stringify({ name, query }), sealContext.savedView(id))
    return { id, ownerId: workers[0]?.id, list, reach: 'all', shared: true, sealedView, createdAt: ago(30) }
  })
  const noteEntries = notes.map(({ id, kind: leadKind, leadId, authorId: userId, createdAt: at }) => {
    return { at, userId, action: 'note-added', leadKind, leadId, details: { note: id } }
  })
  // As it would have been written then, in the order of time.
  const entries = [...lives.flatMap((life) => life.entries), ...noteEntries]
  const log = entries.sort((a, b) => a.at.getTime() - b.at.getTime())
  // Leads that come from now on are new to the demo's accounts.
  const seenAt = ago(1).getTime()
  const visits = accounts.flatMap(({ id }) => LEAD_LISTS.map((list) => firstVisit(id, list, seenAt)))
  await db.transaction(async (tx) => {
    await insertRows(tx, schema.triage, decided)
    await insertRows(tx, schema.attempts, attempts)
    await insertRows(tx, schema.notes, notes)
    await insertRows(tx, schema.savedViews, views)
    await insertRows(tx, schema.activity, log)
    await insertRows(tx, schema.preferences, visits)
    await tx.execute(sql`select setval(pg_get_serial_sequence('attempts', 'id'), max(id)) from attempts`)
  })
}

type Account = { id: string; schools: readonly string[] }
type DemoContext = {
  now: number
  schools: readonly string[]
  workers: readonly Account[]
  guest: Account
  rules: Record<LeadKind, WorkRules>
  isHoliday: IsHoliday
}

/** What was done with each lead by now; nothing with those that still wait. */
function inventDecisions({ now, schools, workers, guest, rules, isHoliday }: DemoContext, leads: readonly Lead[]) {
  const today = stockholmDay(now)
  const findGroup = ({ kind, createdAt, year }: Lead): string => {
    const { lateBefore, toDueDay: dueOf } = rules[kind]
    if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
    if (kind === 'declaration-of-interest')
      return createdAt < stockholmDayStart(addDays(today, -3)) ? 'declared long ago' : 'declared'
    if (createdAt < lateBefore) return 'late'
    return (dueOf(createdAt) ?? today) <= today ? 'due' : 'open'
  }
  /** From eight to four, on the working day it came or the next; one school is slower than the other. */
  const answeredAt = ({ createdAt, school }: Lead, random: () => number): Date => {
    const came = stockholmDay(createdAt)
    const isInTime = isWorkingDay(came, isHoliday) && stockholmClock(createdAt) % DAY_MS < 15 * HOUR_MS
    const first = isInTime ? came : addWorkingDays(came, 1, isHoliday)
    const isSlow = random() < 0.1 + (schools.indexOf(school) % 4) / 5
    const start = stockholmDayStart(isSlow ? addWorkingDays(first, 1, isHoliday) : first)
    const opens = Math.max(start + 8 * HOUR_MS, createdAt + HOUR_MS / 12)
    return new Date(Math.floor(opens + random() * (start + 16 * HOUR_MS - opens)))
  }
  const places = new Map<string, number>()
  return leads.flatMap((lead, index) => {
    const { kind, id: leadId, school } = lead
    const group = findGroup(lead)
    const place = places.get(group) ?? 0
    places.set(group, place + 1)
    const numbers = Array.from(createHash('sha256').update(leadKey(lead)).digest(), (byte) => byte / 256)
    const random = () => numbers.pop() ?? 0
    const listed = PAST_DECISIONS.find(([named, among]) => named === group && among.includes(place))
    const fact = listed ? listed[2] : inventDecision(lead, random)
    const at = answeredAt(lead, random)
    if (fact === NOT_WORKED_ON || at.getTime() >= now) return []
    const there = workers.filter((worker) => worker.schools.includes(school))
    const userId = there[Math.floor(random() * there.length)]?.id ?? null
    const { status, attempt, assignee, snoozeDays: days } = fact
    const isGuests = assignee === 'guest' && guest.schools.includes(school)
    const assigneeId = assignee === undefined ? null : isGuests ? guest.id : userId
    const snoozeUntil = days === undefined ? null : addDays(rules[kind].backOn, days)
    const triage = { kind, leadId, status, assigneeId, snoozeUntil, updatedAt: at, updatedBy: userId, statusAt: at }
    const entry = { at, userId, leadKind: kind, leadId }
    const entries = [
      { ...entry, action: 'triage-changed', details: describeChange(null, triage) },
      ...(attempt ? [{ ...entry, action: 'attempt-logged', details: { attempt: index + 1, ...attempt } }] : []),
    ]
    return { school, triage, entries, attempt: attempt && { id: index + 1, kind, leadId, userId, at, ...attempt } }
  })
}

/** Declarations are often handled silently, and some need no answer. */
function inventDecision({ kind, byPhone }: Lead, random: () => number): PastDecision {
  const [isQuestion, chance] = [kind === 'asked-question', random()]
  const assignee = random() < 0.6 ? { assignee: 'own' as const } : {}
  if (chance < 0.05) return { status: 'dismissed', ...assignee }
  if (!isQuestion && chance > 0.55) return { status: 'handled', ...assignee }
  return { status: 'handled', attempt: isQuestion && byPhone ? TALKED : MAILED, ...assignee }
}

type Lead = ReturnType<typeof listNewestLeads>[number]

function listNewestLeads(data: Awaited<ReturnType<DemoService['data']>>, now: number) {
  const leads = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].map((lead) => {
      const { id, highSchoolId: school } = lead
      const createdAt = Date.parse(lead.createdAt)
      const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : NO_YEAR
      return { kind, id, school, createdAt, year, byPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  const past = leads.filter(({ createdAt }) => createdAt <= now)
  return past.sort((a, b) => b.createdAt - a.createdAt).slice(0, 20_000)
}

/** As one JSON parameter: much faster than a list of values. Rows that are there stay. */
async function insertRows(db: Db, table: PgTable, rows: readonly object[]): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in (rows[0] ?? {}))
  const listed = (part: (key: string, column: PgColumn) => string) =>
    sql.raw(columns.map(([key, column]) => part(key, column)).join(', '))
  for (const some of toChunks(rows, 2_000))
    await db.execute(sql`
      insert into ${table} (${listed((_, { name }) => name)}) overriding system value
      select ${listed((key) => `"${key}"`)} from json_to_recordset(${JSON.stringify(some)}::json)
        as given(${listed((key, column) => `"${key}" ${column.getSQLType()}`)}) on conflict do nothing`)
}
