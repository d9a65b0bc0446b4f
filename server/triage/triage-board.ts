import 'server-only'
import type { Attempt, LeadKind, LeadWork, Triage } from '@/lib/contract/lead'
import type { LeadAnswer } from '@/lib/export/export-cells'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { type AttemptEntry, firstAnswer, type TriageEntry, type TriageOf } from '@/lib/leads/triage-columns'
import { asksForAnswer, earlierRows, type WorkRules } from '@/lib/leads/work-rules'
import type { Connect } from '@/server/db/database'
import { createInvalidatedCache, type HoldsMs } from '@/server/db/invalidated-cache'
import { createLruCache } from '@/server/lru-cache'
import { userNames } from '@/server/users/people'
import { createTriageEntries } from './triage-entries'

export type TriageBoard = ReturnType<typeof createTriageBoard>

const MOST_NAMES = 10_000
const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

type WorkContext = Pick<SelectionContext, 'triage' | 'work'>
type BoardOptions = {
  connect: Connect
  onUnreachable: (error: unknown) => void
  now?: () => number
  holdsMs?: HoldsMs
}

/** Every row in memory; reads only newer revisions. Writers, and deletions by a trigger, commit in their order. */
export function createTriageBoard(options: BoardOptions) {
  const { now = Date.now, holdsMs = () => 0 } = options
  const entries = createTriageEntries(options)
  let outdated = 0
  let lastRead = { at: -Infinity, outdated }
  const isCurrent = () => lastRead.outdated === outdated && now() - lastRead.at < holdsMs()
  const sync = joined(async () => {
    // What changes while it is read may not be in it.
    const reading = { at: now(), outdated }
    if (await entries.readNewer()) lastRead = reading
  })
  const namesOf = createNames(options)
  return {
    /** While the database cannot be reached: as last read. */
    current: async (kind: LeadKind): Promise<TriageOf> => {
      if (!isCurrent()) await sync()
      return entries.of(kind)
    },
    outdate: (): void => void (outdated += 1),
    /** `updatedBy`: with who decided last. Names that cannot be read: as last read, else empty. */
    describe: async (triageOf: TriageOf, ids: readonly string[], { updatedBy } = { updatedBy: false }) => {
      const entriesOf = ids.map((id) => triageOf.get(id))
      const deciders = updatedBy ? entriesOf.map((entry) => entry?.updatedById) : []
      const known = await namesOf([...entriesOf.map((entry) => entry?.assigneeId), ...deciders])
      return (id: string): Triage => describeEntry(triageOf.get(id), known, updatedBy)
    },
    describeWork: async (table: LeadTable, ids: readonly string[], { triage: triageOf, work }: WorkContext) => {
      const known = await namesOf(ids.map((id) => triageOf.get(id)?.attempts?.at(-1)?.userId))
      return (row: number) => workOfLead(table, row, triageOf.get(table.id[row] ?? ''), { work, names: known })
    },
    describeAnswers: async (triageOf: TriageOf, ids: readonly string[]) => {
      const firstOf = (id: string) => firstAnswer(triageOf.get(id)?.attempts ?? [])
      const known = await namesOf(ids.map((id) => firstOf(id)?.userId))
      return (id: string): LeadAnswer => {
        const first = firstOf(id)
        const by = known.get(first?.userId ?? '') || null
        return { at: first?.at ?? null, by, attempts: triageOf.get(id)?.attempts?.length ?? 0 }
      }
    },
    /** Another number whenever anything in memory has changed. */
    changes: entries.changes,
  }
}

/** While they cannot be read: as last read. */
function createNames({ connect, now = Date.now, holdsMs = () => 0 }: BoardOptions) {
  const lastRead = createLruCache<string>(MOST_NAMES)
  const read = async (id: string) => {
    const name = (await userNames(await connect(), [id])).get(id) ?? ''
    lastRead.set(id, name)
    return name
  }
  const names = createInvalidatedCache({ read, holdsMs, now, most: MOST_NAMES })
  return async (ids: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, string>> => {
    const nameOf = (id: string) => names.get(id).catch(() => lastRead.get(id) ?? '')
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    return new Map(await Promise.all(wanted.map(async (id) => [id, await nameOf(id)] as const)))
  }
}

/** A reader must see what was committed before it asked, so it joins a read that has not begun, never one under way. */
function joined(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  return function sync(): Promise<void> {
    if (running === null) {
      running = read().finally(() => (running = null))
      return running
    }
    queued ??= running.then(() => {
      queued = null
      return sync()
    })
    return queued
  }
}

type Named = { work: WorkRules; names: ReadonlyMap<string, string> }

function workOfLead(table: LeadTable, row: number, entry: TriageEntry | undefined, { work, names }: Named): LeadWork {
  const createdAt = table.createdAt[row] ?? 0
  const all = entry?.attempts ?? []
  const last = all.at(-1)
  const alike =
    all.length - 1 - all.findLastIndex((one) => one.channel !== last?.channel || one.outcome !== last.outcome)
  const unsure = all.findLast(({ outcome }) => outcome === 'unsure')
  const isWaiting = asksForAnswer(entry, work) && !earlierRows(table, work)(row)
  return {
    attempts: {
      count: all.length,
      last: last ? attemptOf(last, names) : null,
      ...(alike > 1 && { alike }),
      ...(unsure && { unsure: { id: String(unsure.id), at: new Date(unsure.at).toISOString() } }),
    },
    snoozeUntil: entry?.snoozeUntil ?? null,
    waitingSince: isWaiting ? new Date(createdAt).toISOString() : null,
    due: isWaiting ? work.dueOf(createdAt) : null,
    late: isWaiting && createdAt < work.lateBefore,
  }
}

function attemptOf({ at, userId, channel, outcome }: AttemptEntry, names: ReadonlyMap<string, string>): Attempt {
  const by = userId === null ? null : { id: userId, name: names.get(userId) ?? '' }
  return { at: new Date(at).toISOString(), by, channel, outcome }
}

function describeEntry(entry: TriageEntry | undefined, names: ReadonlyMap<string, string>, withUpdatedBy: boolean) {
  if (entry === undefined || entry.updatedAt === null) return UNTOUCHED
  const { status, assigneeId, updatedAt, updatedById = null } = entry
  const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return {
    status,
    assignee: person(assigneeId),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(withUpdatedBy && { updatedBy: person(updatedById) }),
  }
}
