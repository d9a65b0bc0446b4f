import 'server-only'
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { SchoolScope } from '@/lib/contract/user'
import { admissionYear, defaultCohort } from '@/lib/interest/cohort'
import { addDays, dayText, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'
import type { Db } from '@/server/db/database'
import { replyTemplates, settings, users } from '@/server/db/schema'
import type { Services } from '@/server/services'
import texts from './texts.json'

export const INVENTED = 'demo-'

type Parts = Pick<Services, 'users' | 'work'>
/** `schools`: the staff account's first. */
type Given = { now: number; schools: readonly string[] }
export type Scene = Awaited<ReturnType<typeof readScene>>

const CALENDAR_MS = 4 * 366 * 86_400_000
const LAST_LOOK_MS = 7.66 * 3_600_000

export async function prepareScene({ db, ...parts }: Parts & { db: Db }, { from, ...given }: Given & { from: string }) {
  const staff = inventStaff(given.schools)
  await ensureColleagues(db, staff, given.now)
  await ensureTemplates(db, given.now)
  await writeSettings(db, await settingsOf(given, parts.work, from), given.now)
  parts.work.invalidate()
  return readScene(parts, given)
}

export async function readScene({ users: accounts, work }: Parts, { now, schools }: Given) {
  const [today, awaySince] = [stockholmDay(now), Date.parse(addDays(stockholmDay(now), -5))]
  const ids = new Map((await accounts.list()).map(({ email, id }) => [email, id]))
  const hours = createWorkingHours(work.isHoliday, now - CALENDAR_MS, now)
  const [asked, declared] = [await work.rules('asked-question'), await work.rules('declaration-of-interest')]
  return {
    ...inventStaff(schools),
    schools,
    now,
    today,
    hours,
    lastLookAt: hours.starts.map((start) => start + LAST_LOOK_MS).find((end) => end < now) ?? now,
    isThere: (id: string, at: number) => id !== AWAY || at < awaySince,
    guest: { id: ids.get('staff@demo.test') ?? '', schools: schools.slice(0, 2) },
    admin: ids.get('admin@demo.test') ?? '',
    rules: { 'asked-question': asked, 'declaration-of-interest': declared },
  }
}

const WORKERS = ['Karin Ek', 'Jonas Sandberg', 'Fatima Haddad', 'Erik Nyström', 'Maria Hellström', 'Ali Rezai']
const AWAY = colleague('Erik Nyström', []).id

/** Every school has two of the six; the head answers for all. */
function inventStaff(schools: readonly string[]) {
  const round = Math.min(WORKERS.length, schools.length)
  const isAt = (worker: number, school: number) => (school - worker + WORKERS.length * round) % round < 2
  const schoolsOf = (worker: number) => schools.filter((_, school) => isAt(worker, school))
  const workers = WORKERS.map((name, worker) => colleague(name, schoolsOf(worker)))
  return { workers, head: colleague('Lena Forsgren', 'all') }
}

function colleague(name: string, schools: SchoolScope) {
  const address = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(' ', '.')
  return { id: INVENTED + address, name, email: `${address}@demo.test`, role: 'staff' as const, schools }
}

type Staff = ReturnType<typeof inventStaff>

async function ensureColleagues(db: Db, { workers, head }: Staff, now: number): Promise<void> {
  const since = new Date(now - 3 * 365 * 86_400_000)
  const rows = [...workers, head].map((user) => ({ ...user, demo: true, activatedAt: since, createdAt: since }))
  const documented = { role: sql`excluded.role`, schools: sql`excluded.schools`, disabled: false }
  await db.insert(users).values(rows).onConflictDoUpdate({ target: users.id, set: documented })
}

async function ensureTemplates(db: Db, now: number): Promise<void> {
  const rows = texts.templates.map(({ language, ...one }, place) => {
    const id = `${INVENTED}template-${place + 1}`
    return { ...one, id, language: language as 'sv' | 'en', updatedAt: new Date(now) }
  })
  await db.insert(replyTemplates).values(rows).onConflictDoNothing()
}

const MIN_DAYS = 60

async function settingsOf({ schools, now }: Given, work: Parts['work'], from: string) {
  const today = stockholmDay(now)
  const { cycle } = await work.settings()
  const year = dayText(admissionYear(defaultCohort(today, cycle), cycle).from)
  const [firstDay = today] = [year, addDays(today, -MIN_DAYS)].toSorted()
  return {
    work: { from: from > firstDay ? from : firstDay },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((id) => [id, `antagning@${id.slice(0, 40)}.example`])),
  }
}

/** Settings with its timestamp were written here; any other is an administrator's and stays. */
const WRITTEN = 'demo-past'

async function writeSettings(db: Db, given: object, now: number): Promise<void> {
  const updatedAt = new Date(now)
  const rows = Object.entries(given).map(([name, value]) => ({ name: `work.${name}`, value, updatedAt }))
  const setWhere = sql`${settings.updatedAt} = (select updated_at from settings as ours where name = ${WRITTEN})`
  const set = { value: sql`excluded.value`, updatedAt }
  const all = db.insert(settings).values([...rows, { name: WRITTEN, value: {}, updatedAt }])
  await all.onConflictDoUpdate({ target: settings.name, set, setWhere })
}

const MINUTE_MS = 60_000
const OPENS_MS = 8 * 3_600_000
const DAY = 8 * 60

/** Maps times (ms) to minutes of work since the first, and back. */
export function createWorkingHours(isHoliday: IsHoliday, from: number, to: number) {
  const starts: number[] = []
  const before: number[] = []
  const first = stockholmEpochDay(from)
  for (let day = first; day <= stockholmEpochDay(to); day++) {
    before.push(starts.length)
    if (isWorkingDay(dayText(day), isHoliday)) starts.push(stockholmDayStart(dayText(day)) + OPENS_MS)
  }
  return {
    worked(moment: number): number {
      const days = before[stockholmEpochDay(moment) - first] ?? 0
      return days * DAY + Math.min(DAY, Math.max(0, (moment - (starts[days] ?? to)) / MINUTE_MS))
    },
    momentOf: (minutes: number) => Math.floor((starts[Math.floor(minutes / DAY)] ?? to) + (minutes % DAY) * MINUTE_MS),
    isOpen: (moment: number) => starts.some((start) => moment >= start && moment < start + DAY * MINUTE_MS),
    starts: starts.filter((start) => start <= to).toReversed(),
  }
}

/** Up to sixteen numbers in [0, 1), the same for the same word. */
export function randomOf(word: string): () => number {
  const numbers = new Uint32Array(new Uint8Array(createHash('sha512').update(word).digest()).buffer)
  let place = 0
  return () => (numbers[place++] ?? 0) / 2 ** 32
}
