import 'server-only'
import type { HighSchool, Lead, LeadKind } from '@/lib/contract/lead'
import { type FeedList, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { compareKeys, swedishSortKey } from '@/lib/leads/comparable-text'
import type { UpstreamClient } from '@/server/upstream/client'
import { readHighSchools } from '@/server/upstream/high-school-records'
import type { LeadOfKind } from '@/server/upstream/lead-records'
import type { FailedFetch, Validators } from '@/server/upstream/outcome'
import { parsedJson, type UnreadableRecord } from '@/server/upstream/record-checks'
import { type IngestedList, type LeadsReading, readLeads } from './ingest'
import type { FetchOutcome, Touched } from './list-state'
import { createShrinkGuard, doubtText, type Sized, type ShrinkGuard } from './shrink-guard'

/** `body` and `table`: of a list of leads. */
export type ListContent = {
  readonly unreadable: readonly UnreadableRecord[]
  readonly body?: Buffer
  readonly table?: LeadTable
}
export type HighSchoolList = ListContent & { highSchools: readonly HighSchool[] }

/** One list of the service: how to ask for it, and how to read its body. */
export type ListSource<T> = {
  list: FeedList
  fetch: (current: T | null, known: Validators) => Promise<FetchOutcome<T>>
  read: ListReader<T>
  /** What was sent, against what is held. */
  guard: ShrinkGuard
}
/** Reads a body, given what the list held before. `detail` is free of personal data. */
export type ListReader<T> = (body: Uint8Array, current: T | null) => Promise<ListReading<T>>
export type ListReading<T> =
  | { ok: true; content: T; changed: boolean; touched?: Touched | undefined }
  | ({ ok: false } & Refused)
/** `at` 'intag': it is not read again, since a fault of ours that `stoodAt` names the place of. */
type Refused = { detail: string; at?: 'intag'; since?: number; stoodAt?: string }
/** Reads as `read` does, but no answer that Intag once stood still over, until another one was read. */
export type WatchedReading = {
  watched: <T extends ListContent>(list: FeedList, read: ListReader<T>) => ListReader<T>
}

type SourceParts = {
  client: Pick<UpstreamClient, 'fetchList'>
  /** `monotonic` measures how long things take: the other one is set. Both ms. */
  clock: { now: () => number; monotonic: () => number }
  /** Answers that the process once stood still over. */
  hung?: WatchedReading | undefined
  /** Lets other work have its turn while a body is read. */
  yieldTurn: () => Promise<void>
}

export type ListSources = ReturnType<typeof createListSources>

/** The three lists of the service. */
export function createListSources(parts: SourceParts) {
  return {
    askedQuestions: leadSource(parts, 'asked-question'),
    declarations: leadSource(parts, 'declaration-of-interest'),
    highSchools: listSource(parts, 'high-schools', readHighSchoolList, ({ highSchools }) => {
      const ids = new Set(highSchools.map(({ id }) => id))
      return { ids: [...ids], has: (id) => ids.has(id) }
    }),
  }
}

function leadSource<K extends LeadKind>(parts: SourceParts, kind: K) {
  const sized = ({ table, positionOf }: IngestedList<LeadOfKind[K]>) => ({
    ids: table.id,
    has: (id: string) => positionOf(id) !== -1,
  })
  return listSource(parts, LISTS_BY_KIND[kind].list, leadReader(kind, parts.yieldTurn), sized)
}

function listSource<T extends ListContent>(
  { client, clock, hung }: SourceParts,
  list: FeedList,
  readList: ListReader<T>,
  sized: (content: T) => Sized,
): ListSource<T> {
  const read = hung?.watched(list, readList) ?? readList
  const guard = createShrinkGuard(clock.monotonic)

  async function fetch(current: T | null, known: Validators): Promise<FetchOutcome<T>> {
    const before = clock.monotonic()
    const outcome = await client.fetchList(list, current === null ? {} : { validators: known })
    if (!outcome.ok) return failed(outcome)
    const { bytes, validators } = outcome
    const askedAt = () => trueMoment(outcome.startedAt, before, clock)
    if (outcome.notModified) {
      if (current === null) return unreadableAnswer({ detail: 'status 304 without having been asked for it' })
      return { ...fetched(current, false, 0), body: null, validators: known, askedAt: askedAt() }
    }
    const { body } = outcome
    const reading = await read(body, current)
    if (!reading.ok) return unreadableAnswer(reading)
    const doubt = current && guard.judge(sized(current), sized(reading.content))
    if (doubt) return { ...unreadableAnswer({ detail: doubtText(doubt) }), doubt }
    const readable = { ...fetched(reading.content, reading.changed, bytes), touched: reading.touched }
    return { ...readable, body, validators, askedAt: askedAt() }
  }
  return { list, fetch, read, guard }
}

/** A clock that is set while an answer comes makes it neither older than its asking nor of a time to come. */
function trueMoment(askedAt: number, before: number, { now, monotonic }: SourceParts['clock']): number {
  const earliest = now() - (monotonic() - before)
  return askedAt > now() ? earliest : Math.max(askedAt, earliest)
}

function fetched<T extends ListContent>(content: T, changed: boolean, bytes: number) {
  return { kind: 'fetched' as const, content, changed, unreadable: content.unreadable.length, bytes }
}

function failed(outcome: FailedFetch): Exclude<FetchOutcome<never>, { kind: 'fetched' }> {
  if (outcome.kind === 'no-budget') return { kind: 'later', retryAt: outcome.retryAtMs }
  const kind = outcome.kind === 'not-found' ? 'unreadable' : outcome.kind
  return { kind, detail: outcome.detail, retryAfterMs: outcome.retryAfterMs ?? null }
}

export function unreadableAnswer({ detail, at, since, stoodAt }: Refused) {
  return { kind: 'unreadable' as const, detail, retryAfterMs: null, at, since, stoodAt }
}

export function leadReader<K extends LeadKind>(
  kind: K,
  yieldTurn: () => Promise<void>,
): ListReader<IngestedList<LeadOfKind[K]>> {
  return async (body, current) => {
    const reading = await readLeads({ kind, body, previous: current ?? undefined, yield: yieldTurn })
    if (!reading.ok) return reading
    const { list, changed } = reading
    const nothing = list.table.size === 0 ? nothingReadable(list) : null
    return (
      nothing ?? { ok: true, content: list, changed, touched: current === null ? undefined : touched(current, reading) }
    )
  }
}

/** A lead that changed its school touches both. */
function touched<L extends Lead>(before: IngestedList<L>, reading: Extract<LeadsReading<L>, { ok: true }>): Touched {
  const { list: after, added, removed, changedIds } = reading
  const schools = new Set<string>()
  const add = ({ table }: IngestedList<L>, ids: readonly string[]) => {
    for (const id of ids) schools.add(table.schoolIds[table.school[table.rowOf(id)] ?? -1] ?? '')
  }
  add(after, added)
  add(after, changedIds)
  add(before, changedIds)
  add(before, removed)
  return { ids: [...added, ...changedIds, ...removed], schools }
}

/** The schools are few, so they are read anew each time and put in Swedish order here. */
export const readHighSchoolList: ListReader<HighSchoolList> = async (body, current) => {
  const reading = readHighSchools(parsedJson(body))
  if (!reading.ok) return reading
  const nothing = reading.highSchools.length === 0 ? nothingReadable(reading) : null
  if (nothing) return nothing
  const content = { highSchools: inSwedishOrder(reading.highSchools), unreadable: reading.unreadable }
  const changed = JSON.stringify(content) !== JSON.stringify(current)
  return { ok: true, content: changed ? content : (current ?? content), changed }
}

/** Records of which none can be read are no empty list, but an answer that cannot be read. */
function nothingReadable({ unreadable }: ListContent): { ok: false; detail: string } | null {
  const [first] = unreadable
  return first
    ? { ok: false, detail: `none of ${unreadable.length} records can be read; the first: ${first.reason}` }
    : null
}

function inSwedishOrder(schools: readonly HighSchool[]): HighSchool[] {
  return schools
    .map((school) => ({ school, key: swedishSortKey(school.name) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.school.id, b.school.id))
    .map(({ school }) => school)
}
