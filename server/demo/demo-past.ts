import 'server-only'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import type { Db } from '@/server/db/database'
import { inParts } from '@/server/db/in-parts'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { Services } from '@/server/services'
import { ensureColleagues, inventStaff, type Staff } from './colleagues'
import { demoSettings, ensureDemoTemplates, writeDemoSettings } from './demo-settings'
import { type Lived, writeDesk } from './desk-past'
import { lifeOf, type Scene } from './lead-lives'
import { oldestOf, planRoles, type Tables } from './lead-roles'
import { clearPast, type Kept, numberEntries, writeEntries, writeLives } from './write-past'
import { createWorkingHours } from './working-hours'

export type DemoPastParts = Pick<Services, 'connect' | 'now' | 'users' | 'work' | 'announcer' | 'seal' | 'scopes'> & {
  logger: Pick<Logger, 'info' | 'warn'>
  retentionMonths: number
  /** All schools of the demo, those of the staff account first. */
  schools: readonly string[]
  /** The lists as they are; null before they were first read. */
  tables: () => Tables | null
  /** Whether the server is about to end: then the next start writes what is left. */
  isEnding: () => boolean
}

/** PGlite writes in this very process, and nobody else has a turn meanwhile: so many rows take it some tens of milliseconds. */
const ROWS_AT_ONCE = 400
const LOOKED_EVERY_MS = 25
/** If it takes longer, triage is shown without the past, and with it a moment later. */
const LONGEST_HELD_MS = 5_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

export type DemoPast = ReturnType<typeof createDemoPast>

/**
 * What invented colleagues have done with the demo's leads. The leads are invented anew at every start, with the same ids at
 * other moments, and so is the past; only what people did by hand stays as it is.
 */
export function createDemoPast(parts: DemoPastParts) {
  const { connect, now, logger, tables, isEnding } = parts
  const staff = inventStaff(parts.schools)
  let kept: Kept = { leads: new Set(), log: [], attempt: 0 }
  return {
    /** Before the first request: colleagues and templates; what the start before has invented goes. */
    async prepare(): Promise<void> {
      const db = await connect()
      await ensureColleagues(db, staff, now())
      kept = await clearPast(db)
      await ensureDemoTemplates(db, now())
    },
    /** Writes the past once the lists are there; then `done`, whatever came of it. Resolves when there is what screens show. */
    start(done: () => void): Promise<void> {
      return new Promise((resolve) => {
        const run = async () => {
          let known = tables()
          for (; known === null; known = tables()) await wait(LOOKED_EVERY_MS, undefined, { ref: false })
          void wait(LONGEST_HELD_MS, undefined, { ref: false }).then(resolve)
          await writePast({ ...parts, staff, kept, known, onShown: resolve })
        }
        run()
          .catch((err: unknown) => isEnding() || logger.warn({ err }, 'the past of the demo could not be written'))
          .finally(() => (resolve(), isEnding() || done()))
      })
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

type Writing = DemoPastParts & { staff: Staff; kept: Kept; known: Tables; onShown: () => void }

/** First what lists and counts show, then the log, the newest of each first. */
async function writePast(parts: Writing): Promise<void> {
  const { connect, now, logger, announcer, schools, known, kept, isEnding, onShown, seal, scopes } = parts
  const startedAt = now()
  const db = await connect()
  const { scene, lived } = await invent(parts, startedAt)
  const entries = await writeDesk({ db, seal, scopes, scene }, lived)
  for (const { life } of lived) entries.push(...life)
  await setImmediate()
  numberEntries(entries, kept)
  const inTurns = async <T>(all: readonly T[], write: (db: Db, some: T[]) => Promise<void>) => {
    for (const some of inParts(all, ROWS_AT_ONCE)) {
      if (isEnding()) throw new Error('the next start writes what is left')
      await write(db, some)
      await setImmediate()
    }
  }
  await inTurns(lived, writeLives)
  for (const kind of LEAD_KINDS) announcer.triage(kind, '', schools)
  await announcer.work()
  onShown()
  await setImmediate()
  const shownMs = now() - startedAt
  const since = monthsBefore(startedAt, parts.retentionMonths).getTime() + 2 * DAY_MS
  const logged = entries.filter(({ at }) => at >= since).sort((a, b) => b.at - a.at)
  await inTurns(logged, writeEntries)
  const [size, ms] = [known['asked-question'].size, now() - startedAt]
  logger.info({ leads: lived.length, entries: logged.length, size, shownMs, ms }, 'the demo has a past')
}

/** Everything that was done; the same for the same leads, day and settings. */
async function invent(parts: Writing, now: number): Promise<{ scene: Scene; lived: Lived[] }> {
  const { work, staff, schools, known: tables, kept } = parts
  const today = stockholmDay(now)
  await writeSettings(parts, today)
  const [asked, declared] = [await work.rules('asked-question'), await work.rules('declaration-of-interest')]
  const rules = { 'asked-question': asked, 'declaration-of-interest': declared }
  const leads = planRoles({ tables, rules, now, touched: kept.leads })
  await setImmediate()
  // At least as far back as what else there is; what came long ago was answered later.
  const oldest = Math.min(now - YEAR_MS, Math.max(now - 10 * YEAR_MS, leads.at(-1)?.createdAt ?? now))
  const scene: Scene = {
    staff,
    schools,
    now,
    today,
    hours: createWorkingHours(work.isHoliday, oldest, now),
    guest: { id: await accountOf(parts, 'staff'), schools: schools.slice(0, 2) },
    admin: await accountOf(parts, 'admin'),
  }
  const lived: Lived[] = []
  for (const some of inParts(leads, ROWS_AT_ONCE)) {
    lived.push(...some.map((lead) => ({ lead, life: lifeOf(scene, lead) })))
    await setImmediate()
  }
  return { scene, lived }
}

async function accountOf({ users }: Writing, name: string): Promise<string> {
  const person = await users.findByEmail(`${name}@demo.test`)
  if (person === null) throw new Error(`the demo has no account of its ${name}`)
  return person.id
}

/** Where there are more leads than the past is written for, work begins with those it is. */
async function writeSettings({ connect, now, work, staff, schools, known }: Writing, today: string): Promise<void> {
  const oldest = oldestOf(known)
  const notBefore = oldest > -Infinity ? addDays(stockholmDay(oldest), 1) : null
  const { cycle } = await work.settings()
  const settings = demoSettings({ staff, schools, today, cycle, isHoliday: work.isHoliday, notBefore })
  await writeDemoSettings(await connect(), settings, now())
  work.outdate()
}
