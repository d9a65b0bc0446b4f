import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import {
  admissionCycleSchema,
  defaultAdmissionCycle,
  defaultWorkSettings,
  type WorkSettingsChange,
  workSettingsSchema,
} from '@/lib/contract/settings'
import { findAdmissionYear, findDefaultCohort } from '@/lib/interest/cohort'
import { createWorkRules, type WorkRules } from '@/lib/leads/work-rules'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import { executeCommand } from '@/server/access/command'
import { ADMISSION_CYCLE, readSetting, writeSetting } from '@/server/access/settings'
import type { Admin } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { type ActivityDetails, settings as settingsTable } from '@/server/base/schema'
import type { BaseServices, Services } from '@/server/base/services'

const SETTING_NAMES = ['work', 'goals', 'replyTo', 'mailWay'] as const
type SettingName = (typeof SETTING_NAMES)[number]
const toStoredName = (name: SettingName) => `work.${name}`

/** A setting that is missing, or that another release stored in another form, has its default. */
const storedSettingsSchema = z.object({
  work: workSettingsSchema.shape.work.catch(defaultWorkSettings.work),
  goals: workSettingsSchema.shape.goals.catch(defaultWorkSettings.goals),
  replyTo: workSettingsSchema.shape.replyTo.catch(defaultWorkSettings.replyTo),
  mailWay: workSettingsSchema.shape.mailWay.catch(defaultWorkSettings.mailWay),
  cycle: admissionCycleSchema.catch(defaultAdmissionCycle),
})

const ONLY_KEY = ''

/** Caches settings and the rules made from them. During a database outage they are those last read, or the defaults. */
export function createWorkSettingsCache({ connect, now, onUnreachable, cacheTtlMs: ttlMs }: BaseServices) {
  let lastSettings = { ...defaultWorkSettings, cycle: defaultAdmissionCycle }
  const read = async () => {
    const db = await connect()
    const storedNames = [...SETTING_NAMES.map(toStoredName), ADMISSION_CYCLE]
    const rows = await db.select().from(settingsTable).where(inArray(settingsTable.name, storedNames))
    const storedValues = new Map(rows.map(({ name, value }) => [name, value]))
    const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, storedValues.get(toStoredName(name))]))
    const settings = storedSettingsSchema.parse({ ...values, cycle: storedValues.get(ADMISSION_CYCLE) })
    // The object stays the same while nothing changes, so that the rules can be reused.
    if (JSON.stringify(settings) !== JSON.stringify(lastSettings)) lastSettings = settings
    return lastSettings
  }
  const cache = createInvalidatedCache({ read, ttlMs, now, maxEntries: 1 })
  const getSettings = () =>
    cache.get(ONLY_KEY).catch((error: unknown) => {
      onUnreachable(error)
      return lastSettings
    })
  const cachedRules = new Map<LeadKind, { settings: typeof lastSettings; minute: number; rules: WorkRules }>()
  return {
    getSettings,
    /** The rules are made each minute, as they follow the clock, but stay the same object until their key changes. */
    getRules: async (kind: LeadKind) => {
      const settings = await getSettings()
      const { work, goals, cycle } = settings
      const minute = Math.floor(now() / MINUTE_MS)
      const cached = cachedRules.get(kind)
      if (cached?.settings === settings && cached.minute === minute) return cached.rules
      const cohort = findDefaultCohort(toStockholmDay(now()), cycle)
      const newRules = createWorkRules(kind, now(), {
        firstDay: work?.from ?? null,
        cohort,
        openYear: work && cohort,
        openFrom: work && formatIsoDay(findAdmissionYear(cohort, cycle).firstDay),
        goals,
      })
      const rules = cached?.rules.key === newRules.key ? cached.rules : newRules
      cachedRules.set(kind, { settings, minute, rules })
      return rules
    },
    invalidate: () => cache.invalidate(ONLY_KEY),
  }
}

type WorkSettingsCache = ReturnType<typeof createWorkSettingsCache>

/** The check announces new rules, as at midnight and seven. It is polled: a timer is wrong after the machine slept. */
export function createWorkChangeCheck({ getRules }: WorkSettingsCache, announce: () => void) {
  let lastKeys: string | null = null
  return async () => {
    const rules = await Promise.all(LEAD_KINDS.map(getRules))
    const keys = JSON.stringify(rules.map(({ key }) => key))
    if (lastKeys !== null && lastKeys !== keys) announce()
    lastKeys = keys
  }
}

export async function getWorkSettings({ work }: Services, _viewer: Admin) {
  const { cycle: _, ...settings } = await work.getSettings()
  return settings
}

/** Throws InvalidInputError for a first day in the future, because no lead would be work until then. */
export async function changeWorkSettings(services: Services, viewer: Admin, change: WorkSettingsChange) {
  const firstDay = change.work?.from ?? null
  if (firstDay !== null && firstDay > toStockholmDay(services.now()))
    throw new InvalidInputError('work.from', 'in-future')
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    // Changes take turns, because `replyTo` and `mailWay` are read, merged and written for all schools at once.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.settings'))`)
    const storeSetting = async (name: SettingName, value: unknown, loggedDetails: ActivityDetails[]) => {
      const setting = toStoredName(name)
      await writeSetting(tx, setting, value, services.now())
      const entries = loggedDetails.map((details) => ({ setting, ...details }))
      await log(...entries.map((details) => ({ action: 'settings-changed', details }) as const))
    }
    if (change.work !== undefined) await storeSetting('work', change.work, [{ from: firstDay }])
    if (change.goals !== undefined) await storeSetting('goals', change.goals, [change.goals])
    for (const name of ['replyTo', 'mailWay'] as const) {
      const changedSchools = change[name]
      if (changedSchools === undefined) continue
      const schema = workSettingsSchema.shape[name]
      const before = schema.safeParse(await readSetting(tx, toStoredName(name))).data ?? {}
      // Other schools keep their value, and null removes a school.
      const merged = Object.entries({ ...before, ...changedSchools }).filter(([, value]) => value !== null)
      const after = schema.safeParse(Object.fromEntries(merged))
      if (!after.success) throw new InvalidInputError(name)
      const changes = Object.entries(changedSchools).flatMap(([school, to]) => {
        const from = before[school] ?? null
        return from === to ? [] : [{ schools: [school], from, to }]
      })
      // Each school's Reply-To is logged before and after, so that answers led to another address can be traced.
      await storeSetting(name, after.data, name === 'replyTo' && changes.length > 0 ? changes : [{}])
    }
  })
  await services.announcer.announceWork()
  return getWorkSettings(services, viewer)
}
