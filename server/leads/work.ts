import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import {
  type AdmissionCycle,
  admissionCycleSchema,
  defaultAdmissionCycle,
  defaultWorkSettings,
  type WorkSettings,
  type WorkSettingsChange,
  workSettingsSchema,
} from '@/lib/contract/settings'
import { findAdmissionYear, findDefaultCohort } from '@/lib/interest/cohort'
import { createWorkRules, type WorkRules } from '@/lib/leads/work-rules'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { executeCommand } from '@/server/access/command'
import { ADMISSION_CYCLE, readSetting, writeSetting } from '@/server/access/settings'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import type { Announcer } from '@/server/base/announcer'
import { InvalidInputError } from '@/server/base/errors'
import { createInvalidatedCache, type TtlMs } from '@/server/base/invalidated-cache'
import { type ActivityDetails, settings as settingsTable } from '@/server/base/schema'
import type { BaseServices, Services } from '@/server/base/services'

export type WorkSettingsCache = ReturnType<typeof createWorkSettingsCache>

type StoredWork = WorkSettings & { cycle: AdmissionCycle }
const SETTING_NAMES = ['work', 'goals', 'replyTo', 'mailWay'] as const
const settingName = (name: (typeof SETTING_NAMES)[number]) => `work.${name}`
const ALL = 'all'
const MINUTE_MS = 60_000

type CacheOptions = Pick<BaseServices, 'connect' | 'now' | 'onUnreachable'> & { ttlMs?: TtlMs }

/** Caches settings and the rules made from them. During a database outage they are those last read, or the defaults. */
export function createWorkSettingsCache(options: CacheOptions) {
  const { connect, now, onUnreachable, ttlMs = () => 0 } = options
  let last: StoredWork = { ...defaultWorkSettings, cycle: defaultAdmissionCycle }
  const read = async () => {
    const db = await connect()
    const isWorkSetting = inArray(settingsTable.name, [...SETTING_NAMES.map(settingName), ADMISSION_CYCLE])
    const rows = await db.select().from(settingsTable).where(isWorkSetting)
    const values = new Map(rows.map(({ name, value }) => [name, value]))
    const chosen = SETTING_NAMES.flatMap((name) => {
      const stored = workSettingsSchema.shape[name].safeParse(values.get(settingName(name)))
      return stored.success ? [[name, stored.data]] : []
    })
    const cycle = admissionCycleSchema.catch(defaultAdmissionCycle).parse(values.get(ADMISSION_CYCLE))
    const found = { ...defaultWorkSettings, ...Object.fromEntries(chosen), cycle }
    // The object stays the same while nothing changes, so that the rules can be reused.
    if (JSON.stringify(found) !== JSON.stringify(last)) last = found
    return last
  }
  const cached = createInvalidatedCache({ read, ttlMs, now, maxEntries: 1 })
  const getSettings = (): Promise<StoredWork> =>
    cached.get(ALL).catch((error: unknown) => {
      onUnreachable(error)
      return last
    })
  const rulesByKind = new Map<LeadKind, { settings: StoredWork; minute: number; rules: WorkRules }>()
  return {
    getSettings,
    getRules: async (kind: LeadKind): Promise<WorkRules> => {
      const current = await getSettings()
      const { work, goals, cycle } = current
      const minute = Math.floor(now() / MINUTE_MS)
      const before = rulesByKind.get(kind)
      if (before?.settings === current && before.minute === minute) return before.rules
      const cohort = findDefaultCohort(stockholmDay(now()), cycle)
      const open = work && { openYear: cohort, openFrom: dayText(findAdmissionYear(cohort, cycle).firstDay) }
      const chosen = { firstDay: work?.from ?? null, cohort, openYear: null, ...open, goals }
      const fresh = createWorkRules(kind, now(), chosen)
      const rules = before?.rules.key === fresh.key ? before.rules : fresh
      rulesByKind.set(kind, { settings: current, minute, rules })
      return rules
    },
    invalidate: () => cached.invalidate(ALL),
  }
}

/** Refreshes browsers at midnight and at seven. It is polled, because a timer is wrong after the machine slept. */
export function createWorkChangeCheck(work: WorkSettingsCache, announcer: Pick<Announcer, 'announceWorkLocally'>) {
  let last: string | null = null
  return async (): Promise<void> => {
    const rules = await Promise.all(LEAD_KINDS.map((kind) => work.getRules(kind)))
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

/** Logs old and new Reply-To addresses. Throws InvalidInputError for a first day in the future. */
export async function changeWorkSettings(services: Services, viewer: Viewer, change: WorkSettingsChange) {
  const today = stockholmDay(services.now())
  // Otherwise no lead would be work until then.
  if (change.work?.from != null && change.work.from > today) throw new InvalidInputError('work.from', 'in-future')
  await executeCommand(services, viewer, 'admin', async (tx, log) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.settings'))`)
    for (const name of SETTING_NAMES.filter((one) => change[one] !== undefined)) {
      const setting = settingName(name)
      const stored = await readSetting(tx, setting)
      const logEntry = (details: ActivityDetails) =>
        log({ action: 'settings-changed', details: { setting, ...details } })
      if (name === 'work' || name === 'goals') {
        await writeSetting(tx, setting, change[name], services.now())
        await logEntry(name === 'work' ? { from: change.work?.from ?? null } : { ...change.goals })
        continue
      }
      const schema = workSettingsSchema.shape[name]
      const before = schema.safeParse(stored).data ?? {}
      // Settings of schools are merged: only the given schools change, and null removes one.
      const entries = Object.entries({ ...before, ...change[name] }).filter(([, value]) => value !== null)
      const after = schema.safeParse(Object.fromEntries(entries))
      if (!after.success) throw new InvalidInputError(name)
      await writeSetting(tx, setting, after.data, services.now())
      // The Reply-To of each school is logged before and after, so that a detour is visible.
      const detours = Object.entries(change.replyTo ?? {}).filter(([school, to]) => to !== (before[school] ?? null))
      if (name !== 'replyTo' || detours.length === 0) await logEntry({})
      else for (const [school, to] of detours) await logEntry({ schools: [school], from: before[school] ?? null, to })
    }
  })
  await services.announcer.announceWork()
  const { cycle: _, ...settings } = await services.work.getSettings()
  return settings
}
