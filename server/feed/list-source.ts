import 'server-only'
import type { HighSchool, Lead, LeadKind } from '@/lib/contract/lead'
import { type FeedList, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { compareKeys, swedishSortKey } from '@/lib/leads/comparable-text'
import { parsedJson } from '@/server/base/parsed-json'
import type { UpstreamClient } from './client'
import type { FailedFetch, Validators } from './exchange'
import { type LeadOfKind, readHighSchools, type UnreadableRecord } from './service-records'
import { type IngestedList, type LeadsReading, readLeads } from './ingest'
import type { KnownLeads } from './known-leads'
import type { FetchOutcome, Touched } from './list-state'
import { createShrinkGuard, doubtText, type ShrinkGuard, type Sized } from './shrink-guard'

/** `body` and `table`: of lists of leads. */
export type ListContent = {
  readonly unreadable: readonly UnreadableRecord[]
  readonly body?: Buffer
  readonly table?: LeadTable
}
export type HighSchoolList = ListContent & { highSchools: readonly HighSchool[] }

export type ListSource<T> = {
  list: FeedList
  fetch: (current: T | null, known: Validators) => Promise<FetchOutcome<T>>
  read: ListReader<T>
  guard: ShrinkGuard
}
export type ListReader<T> = (body: Uint8Array, current: T | null) => Promise<ListReading<T>>
export type ListReading<T> =
  | { ok: true; content: T; changed: boolean; touched?: Touched | undefined }
  | { ok: false; detail: string }
type SourceOptions = {
  client: Pick<UpstreamClient, 'fetchList'>
  /** `monotonic` measures durations: the wall clock can be set. Both ms. */
  clock: { now: () => number; monotonic: () => number }
  /** Without it, leads count as first seen at their dates. */
  known?: Pick<KnownLeads, 'mark'> | undefined
  yieldTurn: () => Promise<void>
}

export type ListSources = ReturnType<typeof createListSources>

export function createListSources(parts: SourceOptions) {
  return {
    askedQuestions: leadSource(parts, 'asked-question'),
    declarations: leadSource(parts, 'declaration-of-interest'),
    highSchools: listSource(parts, 'high-schools', readHighSchoolList, ({ highSchools }) => {
      const ids = new Set(highSchools.map(({ id }) => id))
      return { ids: [...ids], has: (id) => ids.has(id) }
    }),
  }
}

function leadSource<K extends LeadKind>(parts: SourceOptions, kind: K) {
  const sized = ({ table, positionOf }: IngestedList<LeadOfKind[K]>) => ({
    ids: table.id,
    has: (id: string) => positionOf(id) !== -1,
  })
  const { known } = parts
  const mark = async (list: IngestedList<LeadOfKind[K]>, before: IngestedList<LeadOfKind[K]> | null) =>
    known === undefined ? list : { ...list, table: await known.mark(list.table, before?.table ?? null) }
  return listSource(parts, LISTS_BY_KIND[kind].list, leadReader(kind, parts.yieldTurn), sized, mark)
}

function listSource<T extends ListContent>(
  { client, clock }: SourceOptions,
  list: FeedList,
  read: ListReader<T>,
  sized: (content: T) => Sized,
  mark: (content: T, before: T | null) => Promise<T> = async (content) => content,
): ListSource<T> {
  const guard = createShrinkGuard(clock.monotonic)
  const marked = async (reading: Extract<ListReading<T>, { ok: true }>, current: T | null) =>
    reading.content === current ? reading : { ...reading, content: await mark(reading.content, current) }

  async function fetch(current: T | null, known: Validators): Promise<FetchOutcome<T>> {
    const before = clock.monotonic()
    const isConditional = current !== null && isTrusted(known, clock.now())
    const outcome = await client.fetchList(list, isConditional ? { validators: known } : {})
    if (!outcome.ok) return failed(outcome)
    const fetched = (content: T, changed: boolean) => {
      const askedAt = trueMoment(outcome.startedAt, before, clock)
      return { kind: 'fetched' as const, content, changed, unreadable: content.unreadable.length, askedAt }
    }
    if (outcome.notModified) {
      if (!isConditional) return unreadableAnswer('status 304 without having been asked for it')
      return { ...fetched(current, false), body: null, validators: known }
    }
    const { body, validators } = outcome
    const reading = await read(body, current)
    if (!reading.ok) return unreadableAnswer(reading.detail)
    const doubt = current && guard.judge(sized(current), sized(reading.content))
    if (doubt) return { ...unreadableAnswer(doubtText(doubt)), doubt }
    const { content, changed, ...rest } = await marked(reading, current)
    const whole = { body, validators: { ...validators, wholeAt: outcome.startedAt } }
    return { ...fetched(content, changed), touched: rest.touched, ...whole }
  }
  return {
    list,
    fetch,
    guard,
    read: async (body, current) => {
      const reading = await read(body, current)
      return reading.ok ? marked(reading, current) : reading
    },
  }
}

const TRUSTED_MS = 5 * 60_000

/** Whatever a service says of its list, it is fetched whole every five minutes: a validator that never changes would hide every new lead. */
function isTrusted({ wholeAt }: Validators, now: number): boolean {
  return wholeAt !== undefined && wholeAt <= now && now - wholeAt < TRUSTED_MS
}

/** A clock set during the fetch makes an answer neither too old nor of the future. */
function trueMoment(askedAt: number, before: number, { now, monotonic }: SourceOptions['clock']): number {
  const earliest = now() - (monotonic() - before)
  return askedAt > now() ? earliest : Math.max(askedAt, earliest)
}

function failed(outcome: FailedFetch): Exclude<FetchOutcome<never>, { kind: 'fetched' }> {
  if (outcome.kind === 'no-budget') return { kind: 'later', retryAt: outcome.retryAtMs }
  const kind = outcome.kind === 'not-found' ? 'unreadable' : outcome.kind
  return { kind, detail: outcome.detail, retryAfterMs: outcome.retryAfterMs ?? null }
}

function unreadableAnswer(detail: string) {
  return { kind: 'unreadable' as const, detail, retryAfterMs: null }
}

export function leadReader<K extends LeadKind>(
  kind: K,
  yieldTurn: () => Promise<void>,
): ListReader<IngestedList<LeadOfKind[K]>> {
  return async (body, current) => {
    const reading = await readLeads({ kind, body, previous: current ?? undefined, yield: yieldTurn })
    if (!reading.ok) return reading
    const { list, changed } = reading
    const unreadable = list.table.size === 0 ? nothingReadable(list) : null
    const since = current === null ? undefined : touched(current, reading)
    return unreadable ?? { ok: true, content: list, changed, touched: since }
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

/** Schools are few: they are read again each time, in Swedish order. */
export const readHighSchoolList: ListReader<HighSchoolList> = async (body, current) => {
  const reading = readHighSchools(parsedJson(body))
  if (!reading.ok) return reading
  const unreadable = reading.highSchools.length === 0 ? nothingReadable(reading) : null
  if (unreadable) return unreadable
  const content = { highSchools: inSwedishOrder(reading.highSchools), unreadable: reading.unreadable }
  const changed = JSON.stringify(content) !== JSON.stringify(current)
  return { ok: true, content: changed ? content : (current ?? content), changed }
}

/** When no record can be read, the list is not empty but unreadable. */
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
