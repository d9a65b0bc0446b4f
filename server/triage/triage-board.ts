import 'server-only'
import type { Attempt, LeadKind, LeadWork, Triage } from '@/lib/contract/lead'
import type { LeadAnswer } from '@/lib/export/export-cells'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { type AttemptEntry, firstAnswer, type TriageEntry, type TriageOf } from '@/lib/leads/triage-columns'
import { asksForAnswer, earlierRows, type WorkRules } from '@/lib/leads/work-rules'
import type { Connect } from '@/server/db/database'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import { createRecent } from '@/server/recent'
import { userNames } from '@/server/users/people'
import { createTriageEntries } from './triage-entries'

export type TriageBoard = {
  /** The triage of one kind of lead, as it stands now. While the database cannot be reached: as last read. */
  current: (kind: LeadKind) => Promise<TriageOf>
  /**
   * The triage of these leads as the contract has it, names of assignees included, and if wanted of who decided last. While
   * names cannot be read: as last read, else empty.
   */
  describe: (
    triageOf: TriageOf,
    ids: readonly string[],
    wanted?: { updatedBy: boolean },
  ) => Promise<(id: string) => Triage>
  /** How far each of these leads, of which the table has all, is answered; names of who tried as in `describe`. */
  describeWork: (
    table: LeadTable,
    ids: readonly string[],
    context: Pick<SelectionContext, 'triage' | 'work'>,
  ) => Promise<(row: number) => LeadWork>
  /** Who answered each of these leads first and when, and how often somebody tried to; names as in `describe`. */
  describeAnswers: (triageOf: TriageOf, ids: readonly string[]) => Promise<(id: string) => LeadAnswer>
  /** Another number whenever anything in memory has changed, so that what was computed from it can be cached until then. */
  changes: () => number
  /** What is in the database may be newer than what is in memory. */
  outdate: () => void
}

const MOST_NAMES = 10_000
const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

type BoardOptions = {
  connect: Connect
  onUnreachable: (error: unknown) => void
  now?: () => number
  /** Without it, or while it is 0, every reader looks whether there is something newer. */
  holdsMs?: HoldsMs
}

/**
 * Keeps every triage row in memory, so that filters need no query per lead, and reads only what is newer than the last
 * revision seen, when it was told that there is something (`outdate`). Writers commit in the order of revisions
 * (`lockTriage`), and so does whoever deletes (a trigger), so nothing is passed over.
 */
export function createTriageBoard(options: BoardOptions): TriageBoard {
  const { now = Date.now, holdsMs = () => 0 } = options
  const entries = createTriageEntries(options)
  let told = 0
  let lastRead = { at: -Infinity, told }
  const isCurrent = () => lastRead.told === told && now() - lastRead.at < holdsMs()
  const sync = joined(async () => {
    // What is told while it is read may not be in it.
    const reading = { at: now(), told }
    if (await entries.readNewer()) lastRead = reading
  })
  const namesOf = createNames(options)
  return {
    current: async (kind) => {
      if (!isCurrent()) await sync()
      return entries.of(kind)
    },
    outdate: () => {
      told += 1
    },
    describe: async (triageOf, ids, { updatedBy } = { updatedBy: false }) => {
      const known = await namesOf(peopleOf(triageOf, ids, updatedBy))
      return (id) => describeEntry(triageOf.get(id), known, updatedBy)
    },
    describeWork: async (table, ids, { triage: triageOf, work }) => {
      const lastOf = (id: string) => triageOf.get(id)?.attempts?.at(-1)?.userId ?? null
      const known = await namesOf([...new Set(ids.map(lastOf).filter((id) => id !== null))])
      return (row) => workOfLead(table, row, triageOf.get(table.id[row] ?? ''), { work, names: known })
    },
    describeAnswers: async (triageOf, ids) => {
      const firstOf = (id: string) => firstAnswer(triageOf.get(id)?.attempts ?? [])
      const known = await namesOf([
        ...new Set(ids.map((id) => firstOf(id)?.userId ?? null).filter((id) => id !== null)),
      ])
      return (id) => {
        const first = firstOf(id)
        const by = known.get(first?.userId ?? '') ?? ''
        return { at: first?.at ?? null, by: by === '' ? null : by, attempts: triageOf.get(id)?.attempts?.length ?? 0 }
      }
    },
    changes: entries.changes,
  }
}

/** People's names. While they cannot be read: as last read; who was never read is missing. */
function createNames({ connect, now = Date.now, holdsMs = () => 0 }: BoardOptions) {
  const lastRead = createRecent<string>(MOST_NAMES)
  const read = async (id: string) => {
    const name = (await userNames(await connect(), [id])).get(id) ?? ''
    lastRead.set(id, name)
    return name
  }
  const names = createToldCache({ read, holdsMs, now, most: MOST_NAMES })
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const nameOf = (id: string) => names.get(id).catch(() => lastRead.get(id) ?? '')
    return new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const)))
  }
}

function peopleOf(triageOf: TriageOf, ids: readonly string[], withUpdatedBy: boolean): string[] {
  const entries = ids.map((id) => triageOf.get(id)).filter((entry) => entry !== undefined)
  const people = entries.flatMap(({ assigneeId, updatedById }) => [assigneeId, withUpdatedBy ? updatedById : null])
  return [...new Set(people.filter((id) => id != null))]
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
      last: last ? toldAttempt(last, names) : null,
      ...(alike > 1 && { alike }),
      ...(unsure && { unsure: { id: String(unsure.id), at: new Date(unsure.at).toISOString() } }),
    },
    snoozeUntil: entry?.snoozeUntil ?? null,
    waitingSince: isWaiting ? new Date(createdAt).toISOString() : null,
    due: isWaiting ? work.dueOf(createdAt) : null,
    late: isWaiting && createdAt < work.lateBefore,
  }
}

/** An attempt as the contract has it. */
export function toldAttempt(
  { at, userId, channel, outcome }: AttemptEntry,
  names: ReadonlyMap<string, string>,
): Attempt {
  const by = userId === null ? null : { id: userId, name: names.get(userId) ?? '' }
  return { at: new Date(at).toISOString(), by, channel, outcome }
}

function describeEntry(
  entry: TriageEntry | undefined,
  names: ReadonlyMap<string, string>,
  withUpdatedBy: boolean,
): Triage {
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
