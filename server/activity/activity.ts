import 'server-only'
import { and, eq, gte, sql } from 'drizzle-orm'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/database'
import { activity, type ActivityDetails } from '@/server/db/schema'
import type { Logger } from '@/server/logger'
import { createLruCache } from '@/server/lru-cache'
import { callerAddress } from './request-context'

export type Activity = ReturnType<typeof createActivity>

export function createActivity({ connect, now }: { connect: Connect; now: () => number }) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]): Promise<void> => {
    if (entries.length === 0) return
    await tx.insert(activity).values(entries.flatMap((entry) => rowsOf(entry, new Date(now()))))
  }
  return {
    recordIn,
    async record(...entries: ActivityEntry[]): Promise<void> {
      if (entries.length > 0) await recordIn(await connect(), ...entries)
    },
  }
}

export type ActivityEntry = {
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Only ids, counts and settings: never a name, number or text of a lead. Long lists continue in further rows. */
  details?: ActivityDetails
  address?: string | null
  at?: Date
}

function rowsOf({ userId, action, lead, details, address = callerAddress(), at }: ActivityEntry, now: Date) {
  const [leadKind, leadId] = [lead?.kind ?? null, lead?.id ?? null]
  const row = { at: at ?? now, userId, action, leadKind, leadId, address }
  return (details ? inParts(details) : [null]).map((part) => ({ ...row, details: part }))
}

/** Characters of an entry's details as JSON, so that few requests cannot fill the log. */
const MAX_LENGTH = 500
const MAX_TEXT_LENGTH = 240
const MAX_MEMBER_LENGTH = 100

/** Long lists continue in further rows, each with all other details; long texts are cut. */
function inParts(details: ActivityDetails): ActivityDetails[] {
  if (sizeOf(details) <= MAX_LENGTH) return [details]
  const texts = Object.values(details).filter((value) => typeof value === 'string').length
  const rest = Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => {
      if (Array.isArray(value)) return []
      return [[name, typeof value === 'string' ? shortenTo(value, MAX_TEXT_LENGTH / texts) : value]]
    }),
  )
  const parts: ActivityDetails[] = []
  let part: Record<string, string[]> = {}
  const lists = Object.entries(details).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((member) => ({ name, member: shortenTo(member, MAX_MEMBER_LENGTH) })) : [],
  )
  for (const { name, member } of lists) {
    const grown = { ...part, [name]: [...(part[name] ?? []), member] }
    const isFull = sizeOf({ ...rest, ...grown }) > MAX_LENGTH
    if (isFull) parts.push({ ...rest, ...part })
    part = isFull ? { [name]: [member] } : grown
  }
  return [...parts, { ...rest, ...part }]
}

function shortenTo(text: string, max: number): string {
  let kept = text
  // A character takes up to six in JSON.
  while (sizeOf(kept) > max) kept = kept.slice(0, -Math.ceil((sizeOf(kept) - max) / 6))
  return kept === text ? text : `${kept}…`.toWellFormed()
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}

const HOUR_MS = 3_600_000
const MAX_CACHED = 5_000

type RefusalParts = {
  connect: Connect
  activity: Pick<Activity, 'recordIn'>
  now: () => number
  logger: Pick<Logger, 'warn'>
}

/** Logs a refusal once per user, method, route and hour, across instances. `route` is a pattern. */
export function createRefusals({ connect, activity: log, now, logger }: RefusalParts) {
  const logged = createLruCache<true>(MAX_CACHED)
  return (userId: string, method: string, route: string): void => {
    const at = now()
    const hour = at - (at % HOUR_MS)
    const key = `${userId} ${method} ${route} ${hour}`
    if (logged.get(key)) return
    logged.set(key, true)
    const details = { method, route }
    const isSame = sql`${activity.details} = ${JSON.stringify(details)}::jsonb`
    const isRefusal = and(eq(activity.userId, userId), eq(activity.action, 'refused'), isSame)
    const enter = async () =>
      (await connect()).transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.refused'), hashtext(${userId}))`)
        const entered = await tx.$count(activity, and(isRefusal, gte(activity.at, new Date(hour))))
        if (entered === 0) await log.recordIn(tx, { userId, action: 'refused', details, at: new Date(at) })
      })
    enter().catch((err: unknown) => {
      logged.delete(key)
      logger.warn({ err }, 'a refusal could not be logged')
    })
  }
}
