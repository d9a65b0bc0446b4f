import 'server-only'
import type { Attempt, LeadWork, Triage } from '@/lib/contract/lead'
import type { LeadAnswer } from '@/lib/export/export-cells'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { type AttemptEntry, findFirstAnswer, type TriageById } from '@/lib/leads/triage-columns'
import { createIsEarlier, needsAnswer } from '@/lib/leads/work-rules'
import { findUserNames } from '@/server/access/users'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'

const MAX_NAMES = 10_000

type NameServices = Pick<BaseServices, 'connect' | 'now' | 'cacheTtlMs'>

/** Describes triage entries for answers and files, with the names of users. Each function reads the names of `ids` first. */
export function createTriageDescriber(services: NameServices) {
  const readUserNames = createNameReader(services)
  return {
    /** `updatedBy` adds the last decider. */
    describeTriage: async (entries: TriageById, ids: readonly string[], { updatedBy } = { updatedBy: false }) => {
      const described = ids.map((id) => entries.get(id))
      const deciders = updatedBy ? described.map((entry) => entry?.updatedById) : []
      const names = await readUserNames([...described.map((entry) => entry?.assigneeId), ...deciders])
      const toPerson = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
      return (id: string): Triage => {
        const entry = entries.get(id)
        if (entry?.updatedAt == null) return { status: 'new', assignee: null, updatedAt: null }
        const { status, assigneeId, updatedById = null } = entry
        const updatedAt = new Date(entry.updatedAt).toISOString()
        const decided = { status, assignee: toPerson(assigneeId), updatedAt }
        return updatedBy ? { ...decided, updatedBy: toPerson(updatedById) } : decided
      }
    },
    describeWork: async (
      table: LeadTable,
      ids: readonly string[],
      { triage: entries, work }: Pick<SelectionContext, 'triage' | 'work'>,
    ) => {
      const names = await readUserNames(ids.map((id) => entries.get(id)?.attempts?.at(-1)?.userId))
      const isEarlier = createIsEarlier(table, work)
      const toAttempt = ({ attemptedAt, userId, channel, outcome }: AttemptEntry): Attempt => {
        const by = userId === null ? null : { id: userId, name: names.get(userId) ?? '' }
        return { at: new Date(attemptedAt).toISOString(), by, channel, outcome }
      }
      return (row: number): LeadWork => {
        const entry = entries.get(table.id[row] ?? '')
        const createdAt = table.createdAt[row] ?? 0
        const attempts = entry?.attempts ?? []
        const last = attempts.at(-1)
        const isOther = ({ channel, outcome }: AttemptEntry) => channel !== last?.channel || outcome !== last.outcome
        const alike = attempts.length - 1 - attempts.findLastIndex(isOther)
        const isWaiting = needsAnswer(entry, work) && !isEarlier(row)
        return {
          attempts: { count: attempts.length, last: last ? toAttempt(last) : null, ...(alike > 1 && { alike }) },
          snoozeUntil: entry?.snoozeUntil ?? null,
          waitingSince: isWaiting ? new Date(createdAt).toISOString() : null,
          due: isWaiting ? work.toDueDay(createdAt) : null,
          late: isWaiting && createdAt < work.lateBefore,
        }
      }
    },
    describeAnswers: async (entries: TriageById, ids: readonly string[]) => {
      const findAnswer = (id: string) => findFirstAnswer(entries.get(id)?.attempts ?? [])
      const names = await readUserNames(ids.map((id) => findAnswer(id)?.userId))
      return (id: string): LeadAnswer => {
        const answer = findAnswer(id)
        return {
          answeredAt: answer?.attemptedAt ?? null,
          answeredBy: names.get(answer?.userId ?? '') || null,
          attempts: entries.get(id)?.attempts?.length ?? 0,
        }
      }
    },
  }
}

/** A name that cannot be read is the last known one, or empty. */
function createNameReader({ connect, now, cacheTtlMs: ttlMs }: NameServices) {
  const lastNames = createLruCache<string>(MAX_NAMES)
  const read = async (id: string) => {
    const name = (await findUserNames(await connect(), [id])).get(id) ?? ''
    lastNames.set(id, name)
    return name
  }
  const cache = createInvalidatedCache({ read, ttlMs, now, maxEntries: MAX_NAMES })
  return async (ids: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, string>> => {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    const readName = (id: string) => cache.get(id).catch(() => lastNames.get(id) ?? '')
    return new Map(await Promise.all(wanted.map(async (id) => [id, await readName(id)] as const)))
  }
}
