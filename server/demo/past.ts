import 'server-only'
import { getTableColumns, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { type Db, inParts } from '@/server/db/database'
import * as schema from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { Services } from '@/server/services'
import { detailsOf } from '@/server/triage/write-triage'
import type { DemoService } from '@/server/upstream/demo-service'
import { createWorkingHours, type DemoLead, type Life, livesOf, type Scene } from './facts'
import { type DemoBase, firstStart, hasPast } from './first-start'
import texts from './texts.json'

type Parts = DemoBase &
  Pick<Services, 'users' | 'work' | 'seal' | 'scopes'> & {
    demo: Pick<DemoService, 'schools' | 'data'> | null
  }

const DAY_MS = 86_400_000

/** Writes what colleagues did with the demo's leads, where nothing has been done yet. */
export async function ensureDemoPast(parts: Parts): Promise<void> {
  const { env, demo } = parts
  if (demo === null || !hasPast(env)) return
  const db = await parts.connect()
  if ((await db.$count(schema.triage)) > 0) return
  const now = await firstStart(parts)
  const leads = newestLeads(await demo.data(), now)
  const scene = await prepareScene(parts, db, { now, schools: demo.schools })
  const lives = livesOf(scene, leads)
  const attempts = lives.flatMap(({ attempt }) => attempt ?? []).map((one, place) => ({ id: place + 1, ...one }))
  const { notes, mention } = notesOf(scene, parts, lives)
  const exports = exportsOf(scene, parts, lives)
  await db.transaction(async (tx) => {
    await insertRows(
      tx,
      schema.triage,
      Array.from(lives, ({ triage }) => triage),
    )
    await insertRows(tx, schema.attempts, attempts)
    await insertRows(tx, schema.notes, notes)
    await insertRows(tx, schema.mentions, mention)
    await insertRows(tx, schema.savedViews, viewsOf(scene, parts))
    await insertRows(tx, schema.exports, exports)
    await insertRows(tx, schema.activity, logOf({ lives, attempts, notes, exports }))
    await tx.execute(sql`select setval(pg_get_serial_sequence('attempts', 'id'), ${attempts.length + 1})`)
    // So that what comes now is new to the demo's accounts.
    const lastSeenAt = new Date(scene.hours.starts.find((start) => start < now - DAY_MS / 3) ?? now)
    const visits = scene.accounts.flatMap((userId) => LEAD_LISTS.map((list) => ({ userId, list, lastSeenAt })))
    await tx.insert(schema.listVisits).values(visits).onConflictDoNothing()
  })
}

type Given = { now: number; schools: readonly string[] }

async function prepareScene({ users, work }: Parts, db: Db, { now, schools }: Given) {
  const [workers, since] = [inventStaff(schools), new Date(now - 1_000 * DAY_MS)]
  const stored = { role: 'staff' as const, demo: true, activatedAt: since, createdAt: since }
  await insertRows(
    db,
    schema.users,
    Array.from(workers, (worker) => ({ ...worker, ...stored })),
  )
  await insertRows(db, schema.settings, settingsOf(schools, now))
  work.invalidate()
  const accounts = await users.list()
  const guest = accounts.find(({ email }) => email === 'staff@demo.test')?.id ?? ''
  const rules = {
    'asked-question': await work.rules('asked-question'),
    'declaration-of-interest': await work.rules('declaration-of-interest'),
  }
  return {
    now,
    schools,
    workers,
    accounts: accounts.map(({ id }) => id),
    guest: { id: guest, schools: schools.slice(0, 2) },
    rules,
    hours: createWorkingHours(work.isHoliday, now - 1_500 * DAY_MS, now),
  }
}

const MAX_LEADS = 20_000

function newestLeads(data: Awaited<ReturnType<DemoService['data']>>, now: number): DemoLead[] {
  const leads = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].map((lead): DemoLead => {
      const [{ id, highSchoolId: school }, createdAt] = [lead, Date.parse(lead.createdAt)]
      const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : NO_YEAR
      return { kind, id, school, createdAt, year, byPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  const past = leads.filter(({ createdAt }) => createdAt <= now)
  return past.sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_LEADS)
}

const WORKERS = ['Karin Ek', 'Jonas Sandberg', 'Fatima Haddad', 'Erik Nyström', 'Maria Hellström', 'Ali Rezai']

/** Every school has two of the six. */
function inventStaff(schools: readonly string[]) {
  const round = Math.min(WORKERS.length, schools.length)
  return WORKERS.map((name, worker) => {
    const address = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(' ', '.')
    const own = schools.filter((_, school) => (school - worker + WORKERS.length * round) % round < 2)
    return { id: `demo-${address}`, name, email: `${address}@demo.test`, schools: own }
  })
}

/** Of older leads nobody asks who answers them. */
const WORK_DAYS = 60

function settingsOf(schools: readonly string[], now: number) {
  const values = {
    work: { from: addDays(stockholmDay(now), -WORK_DAYS) },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((id) => [id, `antagning@${id.slice(0, 40)}.example`])),
  }
  return Object.entries(values).map(([name, value]) => ({ name: `work.${name}`, value, updatedAt: new Date(now) }))
}

const NOTED_EVERY = 8

/** One in eight of what was worked on lately; the first at the guest's schools mentions the guest. */
function notesOf({ guest }: Scene, { seal }: Pick<Parts, 'seal'>, lives: readonly Life[]) {
  const noted = lives.filter((_, place) => place % NOTED_EVERY === 1).slice(0, 3 * texts.notes.length)
  const forGuest = noted.find(({ lead }) => guest.schools.includes(lead.school))
  const notes = noted.map(({ lead, triage }, place) => {
    const id = `demo-note-${place + 1}`
    const text = lead === forGuest?.lead ? texts.mention : (texts.notes[place % texts.notes.length] ?? '')
    const sealedText = seal.encrypt(text, placeOf.note(id))
    return { id, kind: lead.kind, leadId: lead.id, authorId: triage.updatedBy, sealedText, createdAt: triage.updatedAt }
  })
  const its = notes.filter(({ leadId }) => leadId === forGuest?.lead.id)
  const mention = its.map(({ id, kind, leadId, createdAt }) => ({
    noteId: id,
    userId: guest.id,
    kind,
    leadId,
    at: createdAt,
  }))
  return { notes, mention }
}

function viewsOf({ now, workers: [owner] }: Scene, { seal }: Pick<Parts, 'seal'>) {
  return texts.views.map(({ name, query, list }, place) => {
    const id = `demo-view-${place + 1}`
    const sealedView = seal.encrypt(JSON.stringify({ name, query }), placeOf.savedView(id))
    const of = { ownerId: owner?.id ?? '', list: list as LeadList, reach: 'all' as const, shared: true }
    return { id, ...of, sealedView, createdAt: new Date(now - 30 * DAY_MS) }
  })
}

const EXPORTED = 40

function exportsOf(
  { now, guest, workers: [other] }: Scene,
  { seal, scopes }: Pick<Parts, 'seal' | 'scopes'>,
  lives: readonly Life[],
) {
  return texts.exports.map(({ by, daysAgo, purpose, ...given }, place) => {
    const [id, at] = [`demo-export-${place + 1}`, now - daysAgo * DAY_MS]
    const [list, format] = [given.list as LeadList, given.format as 'xlsx' | 'csv']
    const user = by === 'guest' ? guest : (other ?? guest)
    const isIn = ({ kind, createdAt, school }: DemoLead) =>
      kind === LISTS[list].kind && createdAt < at && user.schools.includes(school)
    const leadIds = lives.flatMap(({ lead }) => (isIn(lead) ? lead.id : [])).slice(0, EXPORTED)
    const matching = { list, school: [...user.schools] }
    const sealedReason = seal.encrypt(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id))
    const scope = scopes.of({ list, matching, format })
    const [count, times] = [leadIds.length, { at: new Date(at), endedAt: new Date(at + 2_000) }]
    const ended = { state: 'finished' as const, written: count, ...times }
    return {
      id,
      userId: user.id,
      list,
      format,
      columns: texts.columns[list],
      count,
      scope,
      leadIds,
      ...ended,
      sealedReason,
    }
  })
}

type Logged = {
  lives: readonly Life[]
  attempts: readonly (NonNullable<Life['attempt']> & { id: number })[]
  notes: ReturnType<typeof notesOf>['notes']
  exports: ReturnType<typeof exportsOf>
}

/** As it would have been written then, in the order of time. */
function logOf({ lives, attempts, notes, exports }: Logged) {
  const entry = (at: Date, userId: string | null, action: ActivityAction, details: object, lead?: LeadRef) => {
    return { at, userId, action, leadKind: lead?.kind ?? null, leadId: lead?.id ?? null, details }
  }
  return [
    ...lives.map(({ lead, triage }) =>
      entry(triage.updatedAt, triage.updatedBy, 'triage-changed', detailsOf(null, triage), lead),
    ),
    ...attempts.map(({ id, at, userId, channel, outcome, kind, leadId }) =>
      entry(at, userId, 'attempt-logged', { attempt: id, channel, outcome }, { kind, id: leadId }),
    ),
    ...notes.map(({ id, createdAt, authorId, kind, leadId }) =>
      entry(createdAt, authorId, 'note-added', { note: id }, { kind, id: leadId }),
    ),
    ...exports.flatMap(({ id, at, endedAt, userId, count, list, format, columns }) => [
      entry(at, userId, 'export-started', { export: id, count, list, format, columns }),
      entry(endedAt, userId, 'export-ended', { export: id, state: 'finished', written: count }),
    ]),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
}

const ROWS_AT_ONCE = 2_000

/** Rows with the same columns, as one JSON parameter: much faster than a list of values. Those that are there stay. */
async function insertRows(db: Db, table: PgTable, rows: readonly object[]): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in (rows[0] ?? {}))
  const listed = (part: (key: string, column: PgColumn) => string) =>
    sql.raw(columns.map(([key, column]) => part(key, column)).join(', '))
  for (const some of inParts(rows, ROWS_AT_ONCE))
    await db.execute(sql`
      insert into ${table} (${listed((_, { name }) => name)}) overriding system value
      select ${listed((key) => `"${key}"`)} from json_to_recordset(${JSON.stringify(some)}::json)
        as given(${listed((key, column) => `"${key}" ${column.getSQLType()}`)}) on conflict do nothing`)
}
