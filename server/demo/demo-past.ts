import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import type { Connect } from '@/server/db/database'
import { inParts } from '@/server/db/in-parts'
import { listVisits } from '@/server/db/schema'
import type { Announcer } from '@/server/events/announcer'
import type { Scopes } from '@/server/export/export-scopes'
import type { Env } from '@/server/env'
import type { Feed } from '@/server/feed/feed'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { Lifecycle } from '@/server/operations/lifecycle'
import type { Seal } from '@/server/seal'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { DemoService } from '@/server/upstream/demo-service'
import type { Users } from '@/server/users/users'
import { ensureColleagues, inventStaff } from './colleagues'
import { demoSettings, ensureDemoTemplates, writeDemoSettings } from './demo-settings'
import { deskPast, type Guests } from './desk-past'
import { entriesOf, type Life, lifeOf } from './lead-lives'
import { oldestOf, type Planned, planRoles } from './lead-roles'
import { clearPast, type Kept, numberEntries, writeAttempts, writeDesk, writeEntries, writeLives } from './write-past'
import { createWorkingHours } from './working-hours'

export type DemoPastParts = {
  connect: Connect
  now: () => number
  users: Pick<Users, 'findByEmail'>
  work: Work
  triage: Pick<TriageBoard, 'current' | 'outdate'>
  announcer: Pick<Announcer, 'triage' | 'work'>
  seal: Seal
  scopes: Scopes
  logger: Pick<Logger, 'info' | 'warn'>
  retentionMonths: number
  /** All schools of the demo, those of the staff account first. */
  schools: readonly string[]
  /** The lists as they are; null before they were first read. */
  tables: () => Record<LeadKind, LeadTable> | null
  /** Whether the server is about to end: then the next start writes what is left. */
  isEnding: () => boolean
  /** Between two parts of the work others have their turn. */
  pause?: () => Promise<void>
}

/** PGlite writes in this very process: so many rows take it about ten milliseconds. */
const ROWS_AT_ONCE = 120
const LIVES_AT_ONCE = 250
const PAUSE_MS = 25
const LOOKED_EVERY_MS = 500
/** Those who came first have their pages by then. */
const QUIET_MS = 2_000
/** The guests looked at the lists twenty minutes before the end of a working day. */
const LAST_LOOK_MS = 7.66 * 3_600_000

export type DemoPast = ReturnType<typeof createDemoPast>

/**
 * What invented colleagues have done with the demo's leads. The leads are invented anew at every start, with the same ids at
 * other moments, and so is the past; only what people did by hand stays as it is.
 */
export function createDemoPast(parts: DemoPastParts) {
  const { connect, now, work, logger, schools, tables, isEnding } = parts
  const staff = inventStaff(schools)
  let kept: Kept = []
  const settingsFrom = async (notBefore: string | null) => {
    const today = stockholmDay(now())
    const { cycle } = await work.settings()
    await writeDemoSettings(
      await connect(),
      demoSettings({ staff, schools, today, cycle, isHoliday: work.isHoliday, notBefore }),
      now(),
    )
    work.outdate()
  }
  const write = async () => {
    const known = tables()
    if (known === null) throw new Error('the lists of the demo are not there')
    const oldest = oldestOf(known)
    if (oldest > -Infinity) await settingsFrom(addDays(stockholmDay(oldest), 1))
    await writePast({ ...parts, staff, kept, known })
  }
  return {
    /** Before the first request: colleagues, settings, templates; what the start before has invented goes. */
    async prepare(): Promise<void> {
      const db = await connect()
      await ensureColleagues(db, staff, now())
      kept = await clearPast(db)
      await ensureDemoTemplates(db, now())
      await settingsFrom(null)
    },
    write,
    /** Writes the past once the lists are there and shown; then `done`, whatever came of it. */
    start(done: () => void): void {
      const run = async () => {
        while (tables() === null) await wait(LOOKED_EVERY_MS, undefined, { ref: false })
        await wait(QUIET_MS, undefined, { ref: false })
        await write()
      }
      run()
        .catch((err: unknown) => isEnding() || logger.warn({ err }, 'the past of the demo could not be written'))
        .finally(() => isEnding() || done())
    },
  }
}

type ServiceParts = Omit<DemoPastParts, 'schools' | 'tables' | 'retentionMonths' | 'isEnding' | 'pause'> & {
  env: Pick<Env, 'demoPast' | 'redisUrl' | 'retentionMonths'>
  demo: Pick<DemoService, 'schools'> | null
  feed: Pick<Feed, 'askedQuestions' | 'declarations'>
  lifecycle: Pick<Lifecycle, 'phase'>
}

/** Null where nothing is invented: several instances would each invent leads, and a past, of their own. */
export function demoPastOf(parts: ServiceParts): DemoPast | null {
  const { env, demo, feed, lifecycle } = parts
  if (demo === null || !env.demoPast || env.redisUrl !== null) return null
  const { retentionMonths } = env
  const tables = () => {
    const [questions, declarations] = [feed.askedQuestions().content, feed.declarations().content]
    if (questions === null || declarations === null) return null
    return { 'asked-question': questions.table, 'declaration-of-interest': declarations.table }
  }
  return createDemoPast({
    ...parts,
    retentionMonths,
    schools: demo.schools,
    tables,
    isEnding: () => lifecycle.phase() === 'draining',
  })
}

type Writing = DemoPastParts & {
  staff: ReturnType<typeof inventStaff>
  kept: Kept
  known: Record<LeadKind, LeadTable>
}

async function writePast(parts: Writing): Promise<void> {
  const { connect, now, logger, triage, announcer, schools, known, kept, isEnding } = parts
  const pause = parts.pause ?? (() => wait(PAUSE_MS, undefined, { ref: false }))
  const startedAt = now()
  const db = await connect()
  const { leads, lives, desk } = await invent(parts, startedAt, pause)
  const since = monthsBefore(startedAt, parts.retentionMonths).getTime() + 2 * 86_400_000
  const attempts = lives.flatMap(({ kind, id, attempts: of }) => of.map((one) => ({ ...one, kind, id })))
  await pause()
  const logged = [
    ...attempts.flatMap((attempt) => (attempt.at < since ? [] : [{ at: attempt.at, attempt }])),
    ...[...lives.flatMap(entriesOf), ...desk.entries].flatMap((entry) =>
      entry.at < since ? [] : [{ at: entry.at, entry }],
    ),
  ]
  await pause()
  const numbered = numberEntries(logged, kept)
  const old = attempts.flatMap((one) => (one.at < since ? [{ ...one, number: null }] : []))
  const withNumber = numbered.flatMap((one) => ('attempt' in one ? [{ ...one.attempt, number: one.number }] : []))
  const entries = numbered.flatMap((one) => ('entry' in one ? [{ ...one.entry, number: one.number }] : []))
  const steps = [
    ...partsOf(lives, (some) => writeLives(db, some)),
    // The newest first: they are what everybody looks at.
    ...partsOf([...withNumber.toReversed(), ...old], (some) => writeAttempts(db, some)),
    () => writeDesk(db, desk),
    ...partsOf(entries.toReversed(), (some) => writeEntries(db, some)),
  ]
  for (const step of steps) {
    if (isEnding()) return
    await step()
    await pause()
  }
  triage.outdate()
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) announcer.triage(kind, '', schools)
  await announcer.work()
  const ms = now() - startedAt
  logger.info(
    { leads: leads.length, entries: numbered.length, size: known['asked-question'].size, ms },
    'the demo has a past',
  )
}

function partsOf<T>(all: readonly T[], write: (some: T[]) => Promise<void>): (() => Promise<void>)[] {
  return Array.from(inParts(all, ROWS_AT_ONCE), (some) => () => write(some))
}

type Invented = { leads: Planned[]; lives: Life[]; desk: ReturnType<typeof deskPast> }

/** Everything that is to be written; the same for the same leads, day and settings. */
async function invent(parts: Writing, now: number, pause: () => Promise<void>): Promise<Invented> {
  const { connect, work, staff, schools, known: tables, seal, scopes } = parts
  const today = stockholmDay(now)
  const hours = createWorkingHours(work.isHoliday)
  const guests = await guestsOf(parts)
  const [questions, declarations] = await Promise.all([
    parts.triage.current('asked-question'),
    parts.triage.current('declaration-of-interest'),
  ])
  const rules = {
    'asked-question': await work.rules('asked-question'),
    'declaration-of-interest': await work.rules('declaration-of-interest'),
  }
  const isTouched = (kind: LeadKind, id: string) => (kind === 'asked-question' ? questions : declarations).has(id)
  const leads = planRoles({ tables, rules, now, isTouched }).sort((a, b) => b.createdAt - a.createdAt)
  const guest = { id: guests.staff, schools: schools.slice(0, 2) }
  const lives: Life[] = []
  for (const some of inParts(leads, LIVES_AT_ONCE)) {
    await pause()
    lives.push(...some.map((lead) => lifeOf({ hours, staff, schools, now, today, guest }, lead)))
  }
  const desk = deskPast({ seal, scopes, hours, staff, guests, schools, now, today }, leads, lives)
  // The last day that is over.
  const ends = hours.daysBefore(now, 2).map((day) => (hours.startOf(day) ?? now) + LAST_LOOK_MS)
  await visitYesterday(connect, guests, ends.find((end) => end < now) ?? now)
  return { leads, lives, desk }
}

async function guestsOf({ users }: Pick<DemoPastParts, 'users'>): Promise<Guests> {
  const idOf = async (name: string) => {
    const person = await users.findByEmail(`${name}@demo.test`)
    if (person === null) throw new Error(`the demo has no account of its ${name}`)
    return person.id
  }
  return { staff: await idOf('staff'), admin: await idOf('admin') }
}

/** So that what came since is new to the demo's accounts at their first look. */
async function visitYesterday(connect: Connect, guests: Guests, at: number): Promise<void> {
  const lists = ['asked-questions', 'declarations-of-interest'] as const
  const rows = Object.values(guests).flatMap((userId) =>
    lists.map((list) => ({ userId, list, lastSeenAt: new Date(at) })),
  )
  await (await connect()).insert(listVisits).values(rows).onConflictDoNothing()
}
