import { inArray, sql } from 'drizzle-orm'
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
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { executeCommand } from '@/server/access/command'
import { ADMISSION_CYCLE, readSetting, writeSetting } from '@/server/access/settings'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { type ActivityDetails, settings as settingsTable } from '@/server/base/schema'
import type { BaseServices, Services } from '@/server/base/services'

const SETTING_NAMES = ['work', 'goals', 'replyTo', 'mailWay'] as const
const toStoredName = (name: (typeof SETTING_NAMES)[number]) => `work.${name}`
const ONLY_KEY = ''
const MINUTE_MS = 60_000

/** Caches settings and the rules made from them. During a database outage they are those last read, or the defaults. */
export function createWorkSettingsCache({ connect, now, onUnreachable, cacheTtlMs: ttlMs }: BaseServices) {
  let last = { ...defaultWorkSettings, cycle: defaultAdmissionCycle }
  const read = async () => {
    const db = await connect()
    const names = [...SETTING_NAMES.map(toStoredName), ADMISSION_CYCLE]
    const rows = await db.select().from(settingsTable).where(inArray(settingsTable.name, names))
    const values = new Map(rows.map(({ name, value }) => [name, value]))
    const chosen = SETTING_NAMES.flatMap((name) => {
      const stored = workSettingsSchema.shape[name].safeParse(values.get(toStoredName(name)))
      return stored.success ? [[name, stored.data]] : []
    })
    const cycle = admissionCycleSchema.catch(defaultAdmissionCycle).parse(values.get(ADMISSION_CYCLE))
    const settings = { ...defaultWorkSettings, ...Object.fromEntries(chosen), cycle }
    // The object stays the same while nothing changes, so that the rules can be reused.
    if (JSON.stringify(settings) !== JSON.stringify(last)) last = settings
    return last
  }
  const cache = createInvalidatedCache({ read, ttlMs, now, maxEntries: 1 })
  const getSettings = () =>
    cache.get(ONLY_KEY).catch((error: unknown) => {
      onUnreachable(error)
      return last
    })
  const cachedRules = new Map<LeadKind, { settings: typeof last; minute: number; rules: WorkRules }>()
  return {
    getSettings,
    getRules: async (kind: LeadKind) => {
      const settings = await getSettings()
      const { work, goals, cycle } = settings
      const minute = Math.floor(now() / MINUTE_MS)
      const cached = cachedRules.get(kind)
      if (cached?.settings === settings && cached.minute === minute) return cached.rules
      const cohort = findDefaultCohort(stockholmDay(now()), cycle)
      const open = work && { openYear: cohort, openFrom: dayText(findAdmissionYear(cohort, cycle).firstDay) }
      const chosen = { firstDay: work?.from ?? null, cohort, openYear: null, ...open, goals }
      const made = createWorkRules(kind, now(), chosen)
      const rules = cached?.rules.key === made.key ? cached.rules : made
      cachedRules.set(kind, { settings, minute, rules })
      return rules
    },
    invalidate: () => cache.invalidate(ONLY_KEY),
  }
}

/** Refreshes browsers at midnight and at seven. It is polled, because a timer is wrong after the machine slept. */
export function createWorkChangeCheck(
  { getRules }: Pick<ReturnType<typeof createWorkSettingsCache>, 'getRules'>,
  announcer: { announceWorkLocally: () => void },
) {
  let last: string | null = null
  return async () => {
    const rules = await Promise.all(LEAD_KINDS.map(getRules))
    const keys = JSON.stringify(rules.map(({ key }) => key))
    if (last !== null && last !== keys) announcer.announceWorkLocally()
    last = keys
  }
}

/** Returns the settings of work; those of single schools only to administrators. */
export async function getWorkSettings({ work }: Services, viewer: Allowed<'interest:read'>) {
  const { cycle: _, ...settings } = await work.getSettings()
  return may(viewer, 'admin') ? settings : { ...settings, replyTo: {}, mailWay: {} }
}

/** Throws InvalidInputError for a first day in the future, because no lead would be work until then. */
export async function changeWorkSettings(services: Services, viewer: Viewer, change: WorkSettingsChange) {
  const firstDay = change.work?.from ?? null
  if (firstDay !== null && firstDay > stockholmDay(services.now()))
    throw new InvalidInputError('work.from', 'in-future')
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.settings'))`)
    const store = async (name: (typeof SETTING_NAMES)[number], value: unknown, logged: ActivityDetails[]) => {
      const setting = toStoredName(name)
      await writeSetting(tx, setting, value, services.now())
      await log(...logged.map((details) => ({ action: 'settings-changed', details: { setting, ...details } }) as const))
    }
    if (change.work !== undefined) await store('work', change.work, [{ from: firstDay }])
    if (change.goals !== undefined) await store('goals', change.goals, [change.goals])
    for (const name of ['replyTo', 'mailWay'] as const) {
      if (change[name] === undefined) continue
      const schema = workSettingsSchema.shape[name]
      const before = schema.safeParse(await readSetting(tx, toStoredName(name))).data ?? {}
      // Only the given schools change, and null removes one.
      const entries = Object.entries({ ...before, ...change[name] }).filter(([, value]) => value !== null)
      const after = schema.safeParse(Object.fromEntries(entries))
      if (!after.success) throw new InvalidInputError(name)
      // The Reply-To of each school is logged before and after, so that a detour is visible.
      const replyTo = name === 'replyTo' ? Object.entries(change.replyTo ?? {}) : []
      const detours = replyTo.flatMap(([school, to]) => {
        const from = before[school] ?? null
        return from === to ? [] : [{ schools: [school], from, to }]
      })
      await store(name, after.data, detours.length === 0 ? [{}] : detours)
    }
  })
  await services.announcer.announceWork()
  const { cycle: _, ...settings } = await services.work.getSettings()
  return settings
}
