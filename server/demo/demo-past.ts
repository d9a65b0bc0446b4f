import 'server-only'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import type { Connect } from '@/server/db/database'
import { inParts } from '@/server/db/in-parts'
import { listVisits } from '@/server/db/schema'
import type { Announcer } from '@/server/events/announcer'
import type { Scopes } from '@/server/export/export-scopes'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { Seal } from '@/server/seal'
import type { Services } from '@/server/services'
import type { Work } from '@/server/settings/work'
import type { Users } from '@/server/users/users'
import { ensureColleagues, inventStaff } from './colleagues'
import { demoSettings, ensureDemoTemplates, writeDemoSettings } from './demo-settings'
import { type DeskParts, deskPast, type Lived } from './desk-past'
import { lifeOf } from './lead-lives'
import { oldestOf, planRoles } from './lead-roles'
import { clearPast, type Kept, numberEntries, writeDesk, writeEntries, writeLives } from './write-past'
import { createWorkingHours, type WorkingHours } from './working-hours'

export type DemoPastParts = {
  connect: Connect
  now: () => number
  users: Pick<Users, 'findByEmail'>
  work: Work
  announcer: Pick<Announcer, 'triage' | 'work'>
  seal: Seal
  scopes: Scopes
  logger: Pick<Logger, 'info' | 'warn'>
  retentionMonths: number
  /** All schools of the demo, those of the staff account first. */
  schools: readonly string[]
  /** The lists as they are; null before they were first read. */
  tables: () => Tables | null
  /** Whether the server is about to end: then the next start writes what is left. */
  isEnding: () => boolean
}
type Tables = Record<LeadKind, LeadTable>

/** PGlite writes in this very process, and nobody else has a turn meanwhile: so many rows take it some tens of milliseconds. */
const ROWS_AT_ONCE = 400
const LOOKED_EVERY_MS = 25
/** If it takes longer, triage is shown without the past, and with it a moment later. */
const LONGEST_HELD_MS = 5_000
/** The guests looked at the lists twenty minutes before the end of a working day. */
const LAST_LOOK_MS = 7.66 * 3_600_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

export type DemoPast = ReturnType<typeof createDemoPast>

/**
 * What invented colleagues have done with the demo's leads. The leads are invented anew at every start, with the same ids at
 * other moments, and so is the past; only what people did by hand stays as it is.
 */
export function createDemoPast(parts: DemoPastParts) {
  const { connect, now, logger, schools, tables, isEnding } = parts
  const staff = inventStaff(schools)
  let kept: Kept | null = null
  const write = async (onShown = () => {}) => {
    const known = tables()
    if (known === null || kept === null) throw new Error('the past was not prepared')
    await writePast({ ...parts, staff, kept, known, onShown })
  }
  return {
    /** Before the first request: colleagues and templates; what the start before has invented goes. */
    async prepare(): Promise<void> {
      const db = await connect()
      await ensureColleagues(db, staff, now())
      kept = await clearPast(db)
      await ensureDemoTemplates(db, now())
    },
    write,
    /** Writes the past once the lists are there; then `done`, whatever came of it. Resolves when there is what screens show. */
    start(done: () => void): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const run = async () => {
        while (tables() === null) await wait(LOOKED_EVERY_MS, undefined, { ref: false })
        await write(resolve)
      }
      run()
        .catch((err: unknown) => isEnding() || logger.warn({ err }, 'the past of the demo could not be written'))
        .finally(() => (resolve(), isEnding() || done()))
      return Promise.race([promise, wait(LONGEST_HELD_MS, undefined, { ref: false })])
    },
  }
}

/** Null where nothing is invented: several instances would each invent leads, and a past, of their own. */
export function demoPastOf(parts: Services): DemoPast | null {
  const { env, demo, feed, lifecycle } = parts
  if (demo === null || !env.demoPast || env.redisUrl !== null) return null
  const tables = () => {
    const [questions, declarations] = [feed.askedQuestions().content, feed.declarations().content]
    if (questions === null || declarations === null) return null
    return { 'asked-question': questions.table, 'declaration-of-interest': declarations.table }
  }
  const { retentionMonths } = env
  const isEnding = () => lifecycle.phase() === 'draining'
  return createDemoPast({ ...parts, retentionMonths, schools: demo.schools, tables, isEnding })
}

type Writing = DemoPastParts & { staff: DeskParts['staff']; kept: Kept; known: Tables; onShown: () => void }

/** First what lists and counts show, then the log, the newest of each first. */
async function writePast(parts: Writing): Promise<void> {
  const { connect, now, logger, announcer, schools, known, kept, isEnding } = parts
  const startedAt = now()
  const db = await connect()
  const { lived, desk } = await invent(parts, startedAt)
  const lives = lived.flatMap(({ life }) => (life.length > 0 ? [life] : []))
  const entries = [...lives.flat(), ...desk.entries]
  const since = monthsBefore(startedAt, parts.retentionMonths).getTime() + 2 * DAY_MS
  numberEntries(entries, kept)
  await writeDesk(db, desk)
  for (const some of inParts(lives, ROWS_AT_ONCE)) {
    if (isEnding()) return
    await writeLives(db, some)
    await setImmediate()
  }
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) announcer.triage(kind, '', schools)
  await announcer.work()
  parts.onShown()
  const shownMs = now() - startedAt
  const logged = entries.filter(({ at }) => at >= since).sort((a, b) => b.at - a.at)
  for (const some of inParts(logged, ROWS_AT_ONCE)) {
    if (isEnding()) return
    await writeEntries(db, some)
    await setImmediate()
  }
  const size = known['asked-question'].size
  const ms = now() - startedAt
  logger.info({ leads: lived.length, entries: logged.length, size, shownMs, ms }, 'the demo has a past')
}

/** Everything that is to be written; the same for the same leads, day and settings. */
async function invent(parts: Writing, now: number) {
  const { work, staff, schools, known: tables, kept, seal, scopes } = parts
  const today = stockholmDay(now)
  await writeSettings(parts, today)
  const rules = {
    'asked-question': await work.rules('asked-question'),
    'declaration-of-interest': await work.rules('declaration-of-interest'),
  }
  const isTouched = (kind: LeadKind, id: string) => kept.leads.has(`${kind} ${id}`)
  const leads = planRoles({ tables, rules, now, isTouched })
  const [guest, admin] = [await accountOf(parts, 'staff'), await accountOf(parts, 'admin')]
  // As far back as leads and whatever else happens; a moment of long before is as good as its beginning.
  const oldest = Math.max(now - 10 * YEAR_MS, Math.min(now - YEAR_MS, leads.at(-1)?.createdAt ?? now))
  const hours = createWorkingHours(work.isHoliday, oldest, now)
  await visitYesterday(parts, hours, [guest, admin], now)
  const given = { hours, staff, schools, now, today, guest: { id: guest, schools: schools.slice(0, 2) } }
  const lived: Lived[] = []
  for (const some of inParts(leads, ROWS_AT_ONCE)) {
    lived.push(...some.map((lead) => ({ lead, life: lifeOf(given, lead) })))
    await setImmediate()
  }
  return { lived, desk: deskPast({ ...given, seal, scopes, admin }, lived) }
}

/** The settings that nobody has changed; where there are more leads than the past is written for, work begins with those it is. */
async function writeSettings({ connect, now, work, staff, schools, known }: Writing, today: string): Promise<void> {
  const oldest = oldestOf(known)
  const notBefore = oldest > -Infinity ? addDays(stockholmDay(oldest), 1) : null
  const { cycle } = await work.settings()
  const settings = demoSettings({ staff, schools, today, cycle, isHoliday: work.isHoliday, notBefore })
  await writeDemoSettings(await connect(), settings, now())
  work.outdate()
}

async function accountOf({ users }: Writing, name: string): Promise<string> {
  const person = await users.findByEmail(`${name}@demo.test`)
  if (person === null) throw new Error(`the demo has no account of its ${name}`)
  return person.id
}

/** On the last day that is over, so that what came since is new to the demo's accounts at their first look. */
async function visitYesterday({ connect }: Writing, hours: WorkingHours, people: string[], now: number): Promise<void> {
  const ends = hours.startsBefore(now, 2).map((start) => start + LAST_LOOK_MS)
  const lastSeenAt = new Date(ends.find((end) => end < now) ?? now)
  const lists = ['asked-questions', 'declarations-of-interest'] as const
  const rows = people.flatMap((userId) => lists.map((list) => ({ userId, list, lastSeenAt })))
  await (await connect()).insert(listVisits).values(rows).onConflictDoNothing()
}
