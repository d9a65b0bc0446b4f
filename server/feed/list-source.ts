import 'server-only'
import { createHash } from 'node:crypto'
import type { HighSchool, LeadKind } from '@/lib/contract/lead'
import { type FeedList, LISTS_BY_KIND } from '@/lib/contract/lists'
import { compareKeys, swedishSortKey } from '@/lib/leads/comparable-text'
import { type LeadTable, getSchoolId } from '@/lib/leads/lead-table'
import { tryParseJson } from '@/server/base/parse-input'
import type { UpstreamClient, Validators } from './client'
import { type LeadOfKind, readHighSchools, type UnreadableRecord } from './service-records'
import { type IngestedList, readLeads } from './ingest'
import type { KnownLeads } from './known-leads'
import type { Doubt, FetchOutcome, Touched } from './list-state'

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
type ListReader<T> = (body: Uint8Array, current: T | null) => Promise<ListReading<T>>
type ListReading<T> =
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

export function createListSources(options: SourceOptions) {
  return {
    askedQuestions: leadSource(options, 'asked-question'),
    declarations: leadSource(options, 'declaration-of-interest'),
    highSchools: listSource(options, 'high-schools', readHighSchoolList, ({ highSchools }) =>
      highSchools.map(({ id }) => id),
    ),
  }
}

const TRUSTED_MS = 5 * 60_000

function listSource<T extends ListContent>(
  { client, clock }: SourceOptions,
  list: FeedList,
  readBody: ListReader<T>,
  idsOf: (content: T) => readonly string[],
  mark: (content: T, before: T | null) => Promise<T> = async (content) => content,
): ListSource<T> {
  const guard = createShrinkGuard(clock.monotonic)

  const marked = async (reading: Extract<ListReading<T>, { ok: true }>, current: T | null) =>
    reading.content === current ? reading : { ...reading, content: await mark(reading.content, current) }

  async function fetch(current: T | null, known: Validators): Promise<FetchOutcome<T>> {
    const before = clock.monotonic()
    const { wholeAt } = known
    // Whatever a service says of its list, it is fetched whole every five minutes: a validator that never changes
    // would hide every new lead.
    const isTrusted = wholeAt !== undefined && wholeAt <= clock.now() && clock.now() - wholeAt < TRUSTED_MS
    const isConditional = current !== null && isTrusted
    const answer = await client.fetchList(list, isConditional ? known : {})
    if (!answer.ok) {
      if (answer.kind === 'no-budget') return { kind: 'later', retryAt: answer.retryAtMs }
      const kind = answer.kind === 'not-found' ? 'unreadable' : answer.kind
      return { kind, detail: answer.detail, retryAfterMs: answer.retryAfterMs ?? null }
    }
    const fetched = (content: T, changed: boolean) => {
      // A clock set during the fetch makes an answer neither too old nor of the future.
      const earliest = clock.now() - (clock.monotonic() - before)
      const askedAt = answer.startedAt > clock.now() ? earliest : Math.max(answer.startedAt, earliest)
      return { kind: 'fetched' as const, content, changed, unreadable: content.unreadable.length, askedAt }
    }
    const unreadable = { kind: 'unreadable' as const, retryAfterMs: null }
    if (answer.body === null) {
      if (!isConditional) return { ...unreadable, detail: 'status 304 without having been asked for it' }
      return { ...fetched(current, false), body: null, validators: known }
    }
    const { body, validators } = answer
    const reading = await readBody(body, current)
    if (!reading.ok) return { ...unreadable, detail: reading.detail }
    const doubt = current && guard.judge(idsOf(current), idsOf(reading.content))
    if (doubt) {
      const detail = `only ${doubt.now} of ${doubt.before} records were sent; answer ${doubt.answers} that lacks the same`
      return { ...unreadable, detail, doubt }
    }
    const { content, changed, touched } = await marked(reading, current)
    return { ...fetched(content, changed), touched, body, validators: { ...validators, wholeAt: answer.startedAt } }
  }
  return {
    list,
    fetch,
    guard,
    read: async (body, current) => {
      const reading = await readBody(body, current)
      return reading.ok ? marked(reading, current) : reading
    },
  }
}

function leadSource<K extends LeadKind>(options: SourceOptions, kind: K) {
  const { known, yieldTurn } = options
  type List = IngestedList<LeadOfKind[K]>

  async function read(body: Uint8Array, current: List | null): Promise<ListReading<List>> {
    const reading = await readLeads({ kind, body, previous: current, yieldTurn })
    if (!reading.ok) return reading
    const { list, changed, added, removed, changedIds } = reading
    if (list.table.size === 0 && list.unreadable[0]) return nothingReadable(list.unreadable)
    if (current === null) return { ok: true, content: list, changed }
    // A lead that changed its school touches both.
    const schools = new Set<string>()
    const add = ({ table }: List, ids: readonly string[]) =>
      ids.forEach((id) => schools.add(getSchoolId(table, table.findRow(id))))
    add(list, added)
    add(list, changedIds)
    add(current, changedIds)
    add(current, removed)
    return { ok: true, content: list, changed, touched: { ids: [...added, ...changedIds, ...removed], schools } }
  }
  const mark = async (list: List, before: List | null) =>
    known === undefined ? list : { ...list, table: await known.mark(list.table, before?.table ?? null) }
  return listSource(options, LISTS_BY_KIND[kind].list, read, ({ table }) => table.id, mark)
}

/** Schools are few: they are read again each time, in Swedish order. */
export const readHighSchoolList: ListReader<HighSchoolList> = async (body, current) => {
  const reading = readHighSchools(tryParseJson(body))
  if (!reading.ok) return reading
  const { unreadable } = reading
  if (reading.highSchools.length === 0 && unreadable[0]) return nothingReadable(unreadable)
  const highSchools = reading.highSchools
    .map((school) => ({ school, key: swedishSortKey(school.name) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.school.id, b.school.id))
    .map(({ school }) => school)
  const content = { highSchools, unreadable }
  const changed = JSON.stringify(content) !== JSON.stringify(current)
  return { ok: true, content: changed ? content : (current ?? content), changed }
}

/** When no record can be read, the list is not empty but unreadable. */
function nothingReadable(unreadable: readonly UnreadableRecord[]) {
  const detail = `none of ${unreadable.length} records can be read; the first: ${unreadable[0]?.reason}`
  return { ok: false as const, detail }
}

export type ShrinkGuard = ReturnType<typeof createShrinkGuard>

const ENOUGH_ANSWERS = 3
const LONG_ENOUGH_MS = 120_000
/** Half of fewer is a lead or two that were withdrawn: those must go at once. */
const MIN_SUSPICIOUS = 10

/** Losing half is more often a fault than the truth: it is believed after three like answers over two minutes. */
export function createShrinkGuard(monotonic: () => number) {
  let doubted: { digest: string; answers: number; since: number } | null = null
  return {
    judge(known: readonly string[], sent: readonly string[]): Doubt | null {
      const [before, now] = [known.length, sent.length]
      if (now === 0 ? before === 0 : before < MIN_SUSPICIOUS || now >= before / 2) return null
      const sentIds = new Set(sent)
      const missing = known.filter((id) => !sentIds.has(id))
      const digest = createHash('sha256').update(JSON.stringify(missing)).digest('base64url')
      const current = doubted?.digest === digest ? doubted : { digest, answers: 0, since: monotonic() }
      doubted = { ...current, answers: current.answers + 1 }
      const lastedMs = monotonic() - current.since
      if (doubted.answers >= ENOUGH_ANSWERS && lastedMs >= LONG_ENOUGH_MS) return null
      return { before, now, digest, answers: doubted.answers, lastedMs }
    },
    /** Another instance's doubt goes on here. */
    adopt: ({ digest, answers, lastedMs }: Doubt): void =>
      void (doubted = { digest, answers, since: monotonic() - lastedMs }),
    clear: (): void => void (doubted = null),
  }
}
