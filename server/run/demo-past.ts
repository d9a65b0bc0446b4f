import 'server-only'
import { createHash } from 'node:crypto'
import { getTableColumns, type InferInsertModel, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  type AttemptChannel,
  type AttemptOutcome,
  type LeadKind,
  leadListSchema,
  type LeadStatus,
} from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { isEarlier, type WorkRules } from '@/lib/leads/work-rules'
import { addDays, stockholmClock, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'
import { addWorkingDays, isWorkingDay } from '@/lib/time/working-days'
import { type Db, toChunks } from '@/server/base/database'
import * as schema from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { type DemoService, ensureFirstStart } from '@/server/feed/demo-service'
import { firstVisit } from '@/server/leads/visits'
import { describeChange } from '@/server/leads/write-triage'
import texts from './demo-texts.json'

type Attempt = { channel: AttemptChannel; outcome: AttemptOutcome }
/** What was done with a lead. It is put aside for `snoozeDays`. */
type PastDecision = { status: LeadStatus; attempt?: Attempt; assignee?: 'guest' | 'own'; snoozeDays?: number }

const TALKED: Attempt = { channel: 'phone', outcome: 'talked' }
const MAILED: Attempt = { channel: 'email', outcome: 'sent' }
const TAKEN: PastDecision = { status: 'in-progress', assignee: 'guest' }
const BEGUN: PastDecision = { status: 'in-progress', assignee: 'own', attempt: MAILED }
const UNREACHED: PastDecision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'no-answer' } }
const CALL_AGAIN: PastDecision = { ...BEGUN, attempt: { channel: 'phone', outcome: 'call-again' } }
const NOT_WORKED_ON = null

/** The decisions about leads by their index in a group, newest first. All other leads get one from `inventDecision`. */
const PAST_DECISIONS: readonly [group: string, indexes: readonly number[], decision: PastDecision | null][] = [
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

/** Fills an empty demo with the decisions, notes and views of invented colleagues. */
export async function ensureDemoPast(services: Services): Promise<void> {
  const { env, demo, users, work, seal } = services
  if (demo === null || !env.hasDemoPast) return
  const db = await services.connect()
  if ((await db.$count(schema.triage)) > 0) return
  const now = await ensureFirstStart(services)
  const daysAgo = (days: number) => new Date(now - days * DAY_MS)
  const { schools } = demo

  const workers = WORKERS.map((name, worker) => {
    const first = name.split(' ')[0]?.toLowerCase()
    // Every school has two of the six.
    const own = schools.filter((_, school) => school % 3 === worker % 3)
    const account = { role: 'staff', demo: true, activatedAt: daysAgo(1_000), createdAt: daysAgo(1_000) } as const
    return { id: `demo-${first}`, name, email: `${first}@demo.test`, schools: own, ...account }
  })
  await insertRows(db, schema.users, workers)

  const values = {
    // Older leads count as work that is over.
    work: { from: addDays(stockholmDay(now), -60) },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((id) => [id, `antagning@${id.slice(0, 40)}.example`])),
  }
  const settings = Object.entries(values).map(([name, value]) => ({
    name: `work.${name}`,
    value,
    updatedAt: daysAgo(0),
  }))
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
  const decisions = inventDecisions({ now, schools, workers, guest, rules }, leads)
  const attempts = decisions.flatMap(({ attempt }) => attempt ?? [])

  // One in eight of the latest decisions gets a note; the first note at the guest's schools mentions the guest.
  const noted = decisions.filter((_, index) => index % 8 === 1).slice(0, 3 * texts.notes.length)
  const forGuest = noted.find(({ school }) => guest.schools.includes(school))
  const notes = noted.map((decision, index) => {
    const id = `demo-note-${index + 1}`
    const isMention = decision === forGuest
    const text = isMention ? texts.mention : (texts.notes[index % texts.notes.length] ?? '')
    const { kind, leadId, updatedBy: authorId, updatedAt: createdAt } = decision.triage
    const sealedText = seal.encrypt(text, sealContext.note(id))
    return { id, kind, leadId, authorId, sealedText, createdAt, unseenBy: isMention ? [guestId] : [] }
  })

  const ownerId = workers[0]?.id ?? ''
  const views = texts.views.map(({ name, query, list }, index) => {
    const id = `demo-view-${index + 1}`
    const sealedView = seal.encrypt(JSON.stringify({ name, query }), sealContext.savedView(id))
    const shared = { ownerId, reach: 'all', shared: true } as const
    return { id, list: leadListSchema.parse(list), sealedView, createdAt: daysAgo(30), ...shared }
  })

  const noteEntries = notes.map(({ id, kind: leadKind, leadId, authorId: userId, createdAt: at }) => {
    return { at, userId, action: 'note-added', leadKind, leadId, details: { note: id } }
  })
  // The activity log is inserted in order of time, as if it had been written then.
  const entries = [...decisions.flatMap((decision) => decision.entries), ...noteEntries]
  const log = entries.sort((a, b) => a.at.getTime() - b.at.getTime())

  // Leads that come from now on are new to the demo's accounts.
  const seenAt = daysAgo(1).getTime()
  const visits = accounts.flatMap(({ id }) => LEAD_LISTS.map((list) => firstVisit(id, list, seenAt)))
  await db.transaction(async (tx) => {
    const triage = decisions.map((decision) => decision.triage)
    await insertRows(tx, schema.triage, triage)
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
}

/** Invents what was done with each lead by now. Leads that still wait are left out. */
function inventDecisions({ now, schools, workers, guest, rules }: DemoContext, leads: readonly Lead[]) {
  const today = stockholmDay(now)
  const findGroup = ({ kind, createdAt, year }: Lead): string => {
    const { lateBefore, toDueDay } = rules[kind]
    if (isEarlier(rules[kind], createdAt, year)) return 'earlier'
    if (kind === 'declaration-of-interest')
      return createdAt < stockholmDayStart(addDays(today, -3)) ? 'declared long ago' : 'declared'
    if (createdAt < lateBefore) return 'late'
    return (toDueDay(createdAt) ?? today) <= today ? 'due' : 'open'
  }
  // A lead is answered between eight and four, on the working day of arrival or the next. Some schools are slower.
  const inventAnswerTime = ({ createdAt, school }: Lead, random: () => number): Date => {
    const arrivalDay = stockholmDay(createdAt)
    const isInTime = isWorkingDay(arrivalDay) && stockholmClock(createdAt) % DAY_MS < 15 * HOUR_MS
    const first = isInTime ? arrivalDay : addWorkingDays(arrivalDay, 1)
    const isSlow = random() < 0.1 + (schools.indexOf(school) % 4) / 5
    const start = stockholmDayStart(isSlow ? addWorkingDays(first, 1) : first)
    const earliest = Math.max(start + 8 * HOUR_MS, createdAt + HOUR_MS / 12)
    return new Date(Math.floor(earliest + random() * (start + 16 * HOUR_MS - earliest)))
  }
  const groupSizes = new Map<string, number>()
  return leads.flatMap((lead, index) => {
    const { kind, id: leadId, school } = lead
    const group = findGroup(lead)
    const indexInGroup = groupSizes.get(group) ?? 0
    groupSizes.set(group, indexInGroup + 1)
    const numbers = Array.from(createHash('sha256').update(leadKey(lead)).digest(), (byte) => byte / 256)
    const random = () => numbers.pop() ?? 0
    const listed = PAST_DECISIONS.find(([name, indexes]) => name === group && indexes.includes(indexInGroup))
    const decision = listed ? listed[2] : inventDecision(lead, random)
    const at = inventAnswerTime(lead, random)
    if (decision === NOT_WORKED_ON || at.getTime() >= now) return []
    const colleagues = workers.filter((worker) => worker.schools.includes(school))
    const userId = colleagues[Math.floor(random() * colleagues.length)]?.id ?? null
    const { status, attempt, assignee, snoozeDays } = decision
    const isGuests = assignee === 'guest' && guest.schools.includes(school)
    const assigneeId = assignee === undefined ? null : isGuests ? guest.id : userId
    const snoozeUntil = snoozeDays === undefined ? null : addDays(rules[kind].backOn, snoozeDays)
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

type Rows<Table extends PgTable> = readonly InferInsertModel<Table, { dbColumnNames: false; override: true }>[]

/** Inserts rows by one JSON parameter, which is much faster than a list of values. Rows that exist are kept. */
async function insertRows<Table extends PgTable>(db: Db, table: Table, rows: Rows<Table>): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => rows.some((row) => key in row))
  const listColumns = (format: (key: string, column: PgColumn) => string) =>
    sql.raw(columns.map(([key, column]) => format(key, column)).join(', '))
  for (const chunk of toChunks(rows, 2_000))
    await db.execute(sql`
      insert into ${table} (${listColumns((_, { name }) => name)}) overriding system value
      select ${listColumns((key) => `"${key}"`)} from json_to_recordset(${JSON.stringify(chunk)}::json)
        as given(${listColumns((key, column) => `"${key}" ${column.getSQLType()}`)}) on conflict do nothing`)
}
