import type { PgInsertValue, PgTable } from 'drizzle-orm/pg-core'
import { leadListSchema } from '@/lib/contract/lead'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { DAY_MS } from '@/lib/time/durations'
import { addDays, toStockholmDay } from '@/lib/time/stockholm'
import { toChunks } from '@/server/base/chunks'
import type { Db } from '@/server/base/database'
import * as schema from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { ensureFirstStart } from '@/server/feed/demo-service'
import { describeChange } from '@/server/leads/triage-rows'
import { createFirstVisit } from '@/server/leads/visits'
import { inventDecisions, listNewestLeads } from './demo-decisions'
import texts from './demo-texts.json'

const WORKERS = ['Karin Ek', 'Jonas Sandberg', 'Fatima Haddad', 'Erik Nyström', 'Maria Hellström', 'Ali Rezai']

/** Fills an empty demo with the decisions, notes and views of invented colleagues. */
export async function ensureDemoPast(services: Services) {
  const { env, demo, users, work, seal } = services
  if (demo === null || !env.hasDemoPast) return
  const db = await services.connect()
  if ((await db.$count(schema.triage)) > 0) return
  const now = await ensureFirstStart(services)
  const daysAgo = (days: number) => new Date(now - days * DAY_MS)
  const { schools } = demo

  const workers = WORKERS.map((name, workerIndex) => {
    const firstName = name.split(' ')[0]?.toLowerCase()
    // Every school has two of the six.
    const ownSchools = schools.filter((_, schoolIndex) => schoolIndex % 3 === workerIndex % 3)
    const account = { role: 'staff', demo: true, activatedAt: daysAgo(1_000), createdAt: daysAgo(1_000) } as const
    return { id: `demo-${firstName}`, name, email: `${firstName}@demo.test`, schools: ownSchools, ...account }
  })
  const updatedAt = daysAgo(0)
  const replyTo = Object.fromEntries(schools.slice(0, 5).map((id) => [id, `antagning@${id.slice(0, 40)}.example`]))
  await insertRows(db, schema.users, workers)
  await insertRows(db, schema.settings, [
    // Leads of more than sixty days ago are from before the work began.
    { name: 'work.work', value: { from: addDays(toStockholmDay(now), -60) }, updatedAt },
    { name: 'work.goals', value: { 'asked-question': 2, 'declaration-of-interest': null }, updatedAt },
    { name: 'work.replyTo', value: replyTo, updatedAt },
  ])
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

  // One in eight of the latest decisions has a note. The first at one of the guest's schools mentions the guest.
  const notedDecisions = decisions.filter((_, index) => index % 8 === 1).slice(0, 3 * texts.notes.length)
  const mentioningDecision = notedDecisions.find(({ school }) => guest.schools.includes(school))
  const notes = notedDecisions.map((decision, index) => {
    const id = `demo-note-${index + 1}`
    const isMention = decision === mentioningDecision
    const text = isMention ? texts.mention : (texts.notes[index % texts.notes.length] ?? '')
    const { kind, leadId, updatedBy: authorId, updatedAt: createdAt } = decision.triage
    const sealedText = seal.encrypt(text, sealContext.note(id))
    return { id, kind, leadId, authorId, sealedText, createdAt, unseenBy: isMention ? [guestId] : [] }
  })
  const views = texts.views.map(({ name, query, list }, index) => {
    const id = `demo-view-${index + 1}`
    const sealedView = seal.encrypt(JSON.stringify({ name, query }), sealContext.savedView(id))
    const commonFields = { ownerId: workers[0]?.id ?? '', reach: 'all', shared: true } as const
    return { id, list: leadListSchema.parse(list), sealedView, createdAt: daysAgo(30), ...commonFields }
  })
  // Leads that come from now on are new to the demo's accounts.
  const visits = accounts.flatMap(({ id }) =>
    LEAD_LISTS.map((list) => createFirstVisit(id, list, daysAgo(1).getTime())),
  )

  await db.transaction(async (tx) => {
    const triage = decisions.map((decision) => decision.triage)
    const unsavedAttempts = decisions.flatMap(({ attempt }) => attempt ?? [])
    await insertRows(tx, schema.triage, triage)
    const attempts = await insertRows(tx, schema.attempts, unsavedAttempts)
    await insertRows(tx, schema.notes, notes)
    await insertRows(tx, schema.savedViews, views)
    await insertRows(tx, schema.activity, createLogEntries(decisions, attempts, notes))
    await insertRows(tx, schema.preferences, visits)
  })
}

type Decisions = ReturnType<typeof inventDecisions>
type Attempts = (typeof schema.attempts.$inferSelect)[]
type Notes = (typeof schema.notes.$inferInsert)[]

/** Creates the entries of the activity log in order of time, as if written then. */
function createLogEntries(decisions: Decisions, attempts: Attempts, notes: Notes) {
  const entries = [
    ...decisions.map(({ triage }) => {
      const { kind: leadKind, leadId, updatedAt: loggedAt, updatedBy: userId } = triage
      return { loggedAt, userId, leadKind, leadId, action: 'triage-changed', details: describeChange(null, triage) }
    }),
    ...attempts.map(({ id: attempt, madeAt: loggedAt, userId, kind: leadKind, leadId, channel, outcome }) => {
      return { loggedAt, userId, leadKind, leadId, action: 'attempt-logged', details: { attempt, channel, outcome } }
    }),
    ...notes.map(({ id: note, kind: leadKind, leadId, authorId: userId, createdAt: loggedAt }) => {
      return { loggedAt, userId, leadKind, leadId, action: 'note-added', details: { note } }
    }),
  ]
  return entries.sort((a, b) => a.loggedAt.getTime() - b.loggedAt.getTime())
}

/** Inserts rows a thousand at a time, and returns them as they are stored. Those of a start that broke off stay. */
async function insertRows<Table extends PgTable>(db: Db, table: Table, rows: readonly PgInsertValue<Table>[]) {
  const stored: Table['$inferSelect'][] = []
  for (const chunk of toChunks(rows, 1_000))
    stored.push(...(await db.insert(table).values(chunk).onConflictDoNothing().returning()))
  return stored
}
