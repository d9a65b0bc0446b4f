import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import { admissionCycleSchema, type AdmissionCycle, defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import type { LeadKind } from '@/lib/contract/lead'
import { latestReturn } from '@/lib/contract/leave'
import {
  usualWorkSettings,
  type WorkSettings,
  type WorkSettingsChange,
  workSettingsSchema,
} from '@/lib/contract/work-settings'
import { defaultCohort, periodOf } from '@/lib/interest/cohort'
import { type WorkRules, workRules } from '@/lib/leads/work-rules'
import { stockholmDay } from '@/lib/time/stockholm'
import { isSwedishHoliday } from '@/lib/time/swedish-holidays'
import type { IsHoliday } from '@/lib/time/working-days'
import { command } from '@/server/access/command'
import type { Session } from '@/server/access/session-cookie'
import { requireProof } from '@/server/access/step-up'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { settings as table } from '@/server/db/schema'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import { InvalidInputError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { ADMISSION_CYCLE, type ChangeParts, deleteSetting, writeSetting, readSetting } from './settings'

/** What administrators set for the work, in memory, since every list asks for it. */
export type Work = {
  settings: () => Promise<WorkSettings & { cycle: AdmissionCycle }>
  /** What counts as work on one list now. */
  rules: (kind: LeadKind) => Promise<WorkRules>
  isHoliday: IsHoliday
  /** A setting has changed: read anew. */
  outdate: () => void
}

type WorkOptions = {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
  /** Without it, or while it is 0, every reader looks. */
  holdsMs?: HoldsMs
}

type Known = WorkSettings & { cycle: AdmissionCycle }
const NAMES = ['work', 'goals', 'calendar', 'standing', 'leave', 'replyTo'] as const
const ALL = 'all'
const MINUTE_MS = 60_000

/** While the database cannot be reached: as last read, and at first as nobody has set anything. */
export function createWork({ connect, now, onUnreachable, holdsMs = () => 0 }: WorkOptions): Work {
  let last: Known = { ...usualWorkSettings, cycle: defaultAdmissionCycle }
  const read = async () => {
    const found = await readWorkSettings(connect)
    // The same object for as long as it says the same, so that rules need not be made anew.
    if (JSON.stringify(found) !== JSON.stringify(last)) last = found
    return last
  }
  const known = createToldCache({ read, holdsMs, now, most: 1 })
  const settings = async (): Promise<Known> => {
    try {
      return await known.get(ALL)
    } catch (error) {
      onUnreachable(error)
      return last
    }
  }
  const made = new Map<LeadKind, { of: Known; minute: number; rules: WorkRules }>()
  return {
    settings,
    rules: async (kind) => {
      const current = await settings()
      const minute = Math.floor(now() / MINUTE_MS)
      const before = made.get(kind)
      if (before?.of === current && before.minute === minute) return before.rules
      const { work, goals, cycle } = current
      const today = stockholmDay(now())
      const cohort = defaultCohort(today, cycle)
      const open = work && { openYear: cohort, openFrom: periodOf('admission-year', { cohort, cycle, today }).from }
      const fresh = workRules(kind, now(), {
        from: work?.from ?? null,
        openYear: null,
        ...open,
        goals,
        isHoliday: isSwedishHoliday,
      })
      const rules = before?.rules.key === fresh.key ? before.rules : fresh
      made.set(kind, { of: current, minute, rules })
      return rules
    },
    isHoliday: isSwedishHoliday,
    outdate: () => known.forget(ALL),
  }
}

async function readWorkSettings(connect: Connect): Promise<Known> {
  const db = await connect()
  const rows = await db
    .select({ name: table.name, value: table.value })
    .from(table)
    .where(inArray(table.name, [...NAMES.map(settingName), ADMISSION_CYCLE]))
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const read = <Name extends (typeof NAMES)[number]>(name: Name): WorkSettings[Name] => {
    const stored = workSettingsSchema.shape[name].safeParse(values.get(settingName(name)))
    return (stored.success ? stored.data : usualWorkSettings[name]) as WorkSettings[Name]
  }
  const cycle = admissionCycleSchema.safeParse(values.get(ADMISSION_CYCLE))
  return {
    work: read('work'),
    goals: read('goals'),
    calendar: read('calendar'),
    standing: read('standing'),
    leave: read('leave'),
    replyTo: read('replyTo'),
    cycle: cycle.success ? cycle.data : defaultAdmissionCycle,
  }
}

function settingName(name: (typeof NAMES)[number]): string {
  return `work.${name}`
}

/** `GET /api/settings`: people and addresses are told to administrators alone. */
export async function getWorkSettings(
  { work }: { work: Pick<Work, 'settings'> },
  viewer: Allowed<'interest:read'>,
): Promise<WorkSettings> {
  const { cycle: _, ...settings } = await work.settings()
  return may(viewer, 'admin') ? settings : { ...settings, standing: {}, leave: {}, replyTo: {} }
}

/** The same, after a proof if it sets where answers go: that address receives what people answer. */
export async function saveWorkSettings(
  parts: Parameters<typeof changeWorkSettings>[0] & Parameters<typeof requireProof>[0],
  viewer: Viewer,
  change: WorkSettingsChange,
  { session }: { session: Session },
): Promise<WorkSettings> {
  if (change.replyTo) await requireProof(parts, session)
  return changeWorkSettings(parts, viewer, change)
}

/** Sets what is given and leaves the rest; the log says which, of addresses the old and the new, of dates and people nothing. InvalidInputError for a first day to come. */
export async function changeWorkSettings(
  parts: ChangeParts & { work: Work; announcer: Pick<Announcer, 'work'> },
  viewer: Viewer,
  change: WorkSettingsChange,
): Promise<WorkSettings> {
  // What nobody has sent yet would be work on no screen.
  if (change.work?.from != null && change.work.from > stockholmDay(parts.now()))
    throw new InvalidInputError('work.from', 'in-future')
  const ownReturn = change.leave?.[viewer.id] ?? null
  if (ownReturn !== null && ownReturn > latestReturn(stockholmDay(parts.now()))) throw new InvalidInputError('leave')
  const given = NAMES.filter((name) => change[name] !== undefined)
  await command(parts, viewer, 'admin', async (tx, log) => {
    await lockSettings(tx)
    for (const name of given) {
      const stored = await readSetting(tx, settingName(name))
      const value = changedValue(name, change, stored)
      if (value === null) await deleteSetting(tx, settingName(name))
      else await writeSetting(tx, settingName(name), value, parts.now())
      const details = { setting: settingName(name), ...toldOf(name, change) }
      for (const more of name === 'replyTo' ? redirected(change, stored) : [{}])
        await log({ action: 'settings-changed', details: { ...details, ...more } })
    }
  })
  await parts.announcer.work()
  const { cycle: _, ...settings } = await parts.work.settings()
  return settings
}

/**
 * What stands there afterwards: of what is said by school or person, only those that are named are other than before.
 * InvalidInputError where that is more than can be read again.
 */
function changedValue(name: (typeof NAMES)[number], change: WorkSettingsChange, before: unknown): unknown {
  if (name !== 'standing' && name !== 'leave' && name !== 'replyTo') return change[name]
  const schema = workSettingsSchema.shape[name]
  const stored = schema.safeParse(before)
  const entries = Object.entries({ ...(stored.success ? stored.data : {}), ...change[name] })
  const changed = Object.fromEntries(entries.filter(([, value]) => value !== null && value.length > 0))
  if (!schema.safeParse(changed).success) throw new InvalidInputError(name)
  return changed
}

/** Where the answers to our mail went before, and go from now on: of each school, so that a detour is seen. */
function redirected({ replyTo = {} }: WorkSettingsChange, before: unknown) {
  const { data: stored = {} } = workSettingsSchema.shape.replyTo.safeParse(before)
  const others = Object.entries(replyTo).filter(([school, to]) => to !== (stored[school] ?? null))
  return others.length === 0
    ? [{}]
    : others.map(([school, to]) => ({ schools: [school], from: stored[school] ?? null, to }))
}

/** Within a command: of two who change a part of the same setting, the second reads what the first wrote. */
export async function lockSettings(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.settings'))`)
}

function toldOf(name: (typeof NAMES)[number], { work, goals }: WorkSettingsChange) {
  if (name === 'work') return { from: work?.from ?? null }
  if (name === 'goals' && goals) return goals
  return {}
}
