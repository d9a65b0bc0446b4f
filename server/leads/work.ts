import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import {
  admissionCycleSchema,
  type AdmissionCycle,
  defaultAdmissionCycle,
  usualWorkSettings,
  type WorkSettings,
  type WorkSettingsChange,
  workSettingsSchema,
} from '@/lib/contract/settings'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { admissionYear, defaultCohort } from '@/lib/interest/cohort'
import { type WorkRules, workRules } from '@/lib/leads/work-rules'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { isSwedishHoliday } from '@/lib/time/swedish-holidays'
import { command } from '@/server/access/command'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/base/database'
import { settings as table } from '@/server/base/schema'
import { createInvalidatedCache, type TtlMs } from '@/server/base/invalidated-cache'
import type { Services } from '@/server/base/services'
import { InvalidInputError } from '@/server/base/errors'
import type { Announcer } from '@/server/base/announcer'
import { ADMISSION_CYCLE, readSetting, writeSetting } from '@/server/access/settings'

export type Work = ReturnType<typeof createWork>

type WorkOptions = {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
  ttlMs?: TtlMs
}

type StoredWork = WorkSettings & { cycle: AdmissionCycle }
const NAMES = ['work', 'goals', 'replyTo', 'mailWay'] as const
type Name = (typeof NAMES)[number]
const settingName = (name: Name) => `work.${name}`
const ALL = 'all'
const MINUTE_MS = 60_000

/** During a database outage: as last read, at first the defaults. */
export function createWork({ connect, now, onUnreachable, ttlMs = () => 0 }: WorkOptions) {
  let last: StoredWork = { ...usualWorkSettings, cycle: defaultAdmissionCycle }
  const read = async () => {
    const found = await readWorkSettings(connect)
    // The same object for as long as nothing changes, so that the rules can be reused.
    if (JSON.stringify(found) !== JSON.stringify(last)) last = found
    return last
  }
  const cached = createInvalidatedCache({ read, ttlMs, now, maxEntries: 1 })
  const settings = (): Promise<StoredWork> =>
    cached.get(ALL).catch((error: unknown) => {
      onUnreachable(error)
      return last
    })
  const made = new Map<LeadKind, { of: StoredWork; minute: number; rules: WorkRules }>()
  return {
    settings,
    rules: async (kind: LeadKind): Promise<WorkRules> => {
      const current = await settings()
      const minute = Math.floor(now() / MINUTE_MS)
      const before = made.get(kind)
      if (before?.of === current && before.minute === minute) return before.rules
      const fresh = rulesNow(kind, current, now())
      const rules = before?.rules.key === fresh.key ? before.rules : fresh
      made.set(kind, { of: current, minute, rules })
      return rules
    },
    isHoliday: isSwedishHoliday,
    invalidate: () => cached.invalidate(ALL),
  }
}

function rulesNow(kind: LeadKind, { work, goals, cycle }: StoredWork, now: number): WorkRules {
  const today = stockholmDay(now)
  const cohort = defaultCohort(today, cycle)
  const open = work && { openYear: cohort, openFrom: dayText(admissionYear(cohort, cycle).from) }
  const from = work?.from ?? null
  return workRules(kind, now, { from, cohort, openYear: null, ...open, goals, isHoliday: isSwedishHoliday })
}

/** Refreshes browsers at midnight and at seven. Polled, without a timer: machines sleep, and clocks are set. */
export function createWorkClock({ work, announcer }: ClockParts) {
  let last: string | null = null
  return async (): Promise<void> => {
    const rules = await Promise.all(LEAD_KINDS.map((kind) => work.rules(kind)))
    const now = JSON.stringify(rules.map(({ key }) => key))
    if (last !== null && last !== now) announcer.workLocally()
    last = now
  }
}

type Announces<Event extends keyof Announcer> = Pick<Announcer, Event>
type ClockParts = { work: Pick<Work, 'rules'>; announcer: Announces<'workLocally'> }

async function readWorkSettings(connect: Connect): Promise<StoredWork> {
  const db = await connect()
  const isOne = inArray(table.name, [...NAMES.map(settingName), ADMISSION_CYCLE])
  const rows = await db.select().from(table).where(isOne)
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const chosen = NAMES.flatMap((name) => {
    const stored = workSettingsSchema.shape[name].safeParse(values.get(settingName(name)))
    return stored.success ? [[name, stored.data]] : []
  })
  const cycle = admissionCycleSchema.catch(defaultAdmissionCycle).parse(values.get(ADMISSION_CYCLE))
  return { ...usualWorkSettings, ...Object.fromEntries(chosen), cycle }
}

/** Only administrators get what is set by school. */
export async function getWorkSettings({ work }: Services, viewer: Allowed<'interest:read'>) {
  const { cycle: _, ...settings } = await work.settings()
  return may(viewer, 'admin') ? settings : { ...settings, replyTo: {}, mailWay: {} }
}

/** Logs old and new addresses. InvalidInputError for a first day in the future. */
export async function changeWorkSettings(
  services: Services,
  viewer: Viewer,
  change: WorkSettingsChange,
): Promise<WorkSettings> {
  const today = stockholmDay(services.now())
  // Otherwise no lead would be work until then.
  if (change.work?.from != null && change.work.from > today) throw new InvalidInputError('work.from', 'in-future')
  await command(services, viewer, 'admin', async (tx, log) => {
    await lockSettings(tx)
    for (const name of NAMES.filter((one) => change[one] !== undefined)) {
      const before = await writeChange(tx, name, change, services.now())
      const details = { setting: settingName(name), ...loggedOf(name, change) }
      for (const more of name === 'replyTo' ? replyToChanges(change, before) : [{}])
        await log({ action: 'settings-changed', details: { ...details, ...more } })
    }
  })
  await services.announcer.work()
  const { cycle: _, ...settings } = await services.work.settings()
  return settings
}

/** Within a command: serialises changes of the same setting. */
async function lockSettings(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.settings'))`)
}

async function writeChange(tx: Db, name: Name, change: WorkSettingsChange, now: number): Promise<unknown> {
  const before = await readSetting(tx, settingName(name))
  await writeSetting(tx, settingName(name), changedValue(name, change, before), now)
  return before
}

/** Maps change entry by entry. InvalidInputError if the result would not be readable. */
function changedValue(name: Name, change: WorkSettingsChange, before: unknown): unknown {
  if (name === 'work' || name === 'goals') return change[name]
  const schema = workSettingsSchema.shape[name]
  const entries = Object.entries({ ...schema.safeParse(before).data, ...change[name] })
  const changed = Object.fromEntries(entries.filter(([, value]) => value !== null))
  if (!schema.safeParse(changed).success) throw new InvalidInputError(name)
  return changed
}

/** The Reply-To of each school before and after, so that a detour is visible. */
function replyToChanges({ replyTo = {} }: WorkSettingsChange, before: unknown) {
  const { data: stored = {} } = workSettingsSchema.shape.replyTo.safeParse(before)
  const others = Object.entries(replyTo).filter(([school, to]) => to !== (stored[school] ?? null))
  if (others.length === 0) return [{}]
  return others.map(([school, to]) => ({ schools: [school], from: stored[school] ?? null, to }))
}

function loggedOf(name: Name, { work, goals }: WorkSettingsChange) {
  if (name === 'work') return { from: work?.from ?? null }
  return name === 'goals' && goals ? goals : {}
}
