import type { HighSchool, LeadKind } from '@/lib/contract/lead'
import { type FeedList, LISTS_BY_KIND } from '@/lib/contract/lists'
import { compareKeys, toSwedishSortKey } from '@/lib/leads/swedish-sort-key'
import { getSchoolId } from '@/lib/leads/lead-table'
import { MINUTE_MS } from '@/lib/time/durations'
import { tryParseJson } from '@/server/base/parse-input'
import type { UpstreamClient } from './client'
import { type IngestedList, readLeads } from './ingest'
import type { KnownLeads } from './known-leads'
import type { ChangedLeads, FetchOutcome } from './list-state'
import type { Validators } from './response-headers'
import { type LeadOfKind, readHighSchools, type UnreadableRecord } from './service-records'
import { createShrinkGuard } from './shrink-guard'

export type ListContent = { readonly unreadable: readonly UnreadableRecord[] }
export type HighSchoolList = ListContent & { readonly highSchools: readonly HighSchool[] }

/** `current` is the content that users see now. */
export type ListSource<T> = {
  list: FeedList
  fetch: (current: T | null, storedValidators: Validators) => Promise<FetchOutcome<T>>
  /** Reads a body that another instance has fetched. */
  read: ListReader<T>
}
type ListReader<T> = (body: Uint8Array, current: T | null) => Promise<ListReading<T>>
type ListReading<T> = GoodReading<T> | { ok: false; detail: string }
type GoodReading<T> = { ok: true; content: T; isChanged: boolean; changedLeads?: ChangedLeads }

type SourceOptions = {
  client: Pick<UpstreamClient, 'fetchList'>
  /** `monotonic` measures durations, because the wall clock can be set. */
  clock: { now: () => number; monotonic: () => number }
  /** Without `knownLeads`, a lead counts as first seen at its own date. */
  knownLeads?: Pick<KnownLeads, 'stampSeenAt'>
}

export type ListSources = ReturnType<typeof createListSources>

export function createListSources(options: SourceOptions) {
  return {
    askedQuestions: createLeadSource(options, 'asked-question'),
    declarations: createLeadSource(options, 'declaration-of-interest'),
    highSchools: createListSource(options, 'high-schools', {
      parse: readHighSchoolList,
      listIds: ({ highSchools }) => highSchools.map(({ id }) => id),
      stampSeenAt: async (content) => content,
    }),
  }
}

type ContentHandling<T> = {
  parse: ListReader<T>
  listIds: (content: T) => readonly string[]
  /** Only content that is believed is stamped, because a lead that is missing by mistake must not count as gone. */
  stampSeenAt: (content: T, before: T | null) => Promise<T>
}

const VALIDATORS_TTL_MS = 5 * MINUTE_MS

function createListSource<T extends ListContent>(
  { client, clock }: SourceOptions,
  list: FeedList,
  { parse, listIds, stampSeenAt }: ContentHandling<T>,
): ListSource<T> {
  const findDoubt = createShrinkGuard(clock.monotonic)

  const stampReading = async (reading: GoodReading<T>, current: T | null) =>
    reading.content === current ? reading : { ...reading, content: await stampSeenAt(reading.content, current) }

  async function fetch(current: T | null, storedValidators: Validators): Promise<FetchOutcome<T>> {
    const startedAt = clock.monotonic()
    // A list is fetched whole every five minutes, because a validator that never changes would hide every new lead.
    const isTrusted = Math.abs(clock.now() - (storedValidators.wholeAt ?? -Infinity)) < VALIDATORS_TTL_MS
    const answer = await client.fetchList(list, current !== null && isTrusted ? storedValidators : {})
    if (!answer.ok) {
      if (answer.kind === 'no-budget') return { kind: 'no-budget', retryAt: answer.retryAtMs }
      const kind = answer.kind === 'not-found' ? 'unreadable' : answer.kind
      return { kind, detail: answer.detail, retryAfterMs: answer.retryAfterMs ?? null }
    }
    const { body } = answer
    const reading: ListReading<T> =
      body === null && current !== null
        ? { ok: true, content: current, isChanged: false }
        : await parse(body ?? new Uint8Array(), current)
    if (!reading.ok) return { kind: 'unreadable', detail: reading.detail, retryAfterMs: null }
    const doubt = current && findDoubt(listIds(current), listIds(reading.content))
    if (doubt) return { kind: 'unreadable', detail: doubt, retryAfterMs: null, isHeldBack: true }
    const { content, isChanged, changedLeads } = await stampReading(reading, current)
    // The request is dated back from the end, because a clock set back meanwhile would date it into the future.
    const requestedAt = Math.floor(clock.now() - (clock.monotonic() - startedAt))
    const validators = body === null ? storedValidators : { ...answer.validators, wholeAt: requestedAt }
    const unreadable = content.unreadable.length
    return { kind: 'fetched', content, isChanged, changedLeads, unreadable, requestedAt, body, validators }
  }

  return {
    list,
    fetch,
    read: async (body, current) => {
      const reading = await parse(body, current)
      return reading.ok ? stampReading(reading, current) : reading
    },
  }
}

function createLeadSource<K extends LeadKind>(options: SourceOptions, kind: K) {
  const { knownLeads } = options
  type List = IngestedList<LeadOfKind[K]>

  async function parse(body: Uint8Array, current: List | null): Promise<ListReading<List>> {
    const reading = await readLeads(kind, body, current)
    if (!reading.ok) return reading
    const { list, isChanged, changedIds: ids } = reading
    if (list.table.size === 0 && list.unreadable[0]) return rejectUnreadable(list.unreadable)
    if (current === null) return { ok: true, content: list, isChanged }
    // A lead that moved to another school has changed both.
    const schools = new Set<string>()
    for (const { table } of [list, current])
      for (const row of ids.map((id) => table.findRow(id))) if (row !== -1) schools.add(getSchoolId(table, row))
    return { ok: true, content: list, isChanged, changedLeads: { ids, schools } }
  }
  async function stampSeenAt(list: List, before: List | null): Promise<List> {
    if (knownLeads === undefined) return list
    return { ...list, table: await knownLeads.stampSeenAt(list.table, before?.table ?? null) }
  }
  const listIds = ({ table }: List) => table.id
  return createListSource(options, LISTS_BY_KIND[kind].list, { parse, listIds, stampSeenAt })
}

/** Schools are few, so they are read again each time, in Swedish order. */
export const readHighSchoolList: ListReader<HighSchoolList> = async (body, current) => {
  const reading = readHighSchools(tryParseJson(body))
  if (!reading.ok) return reading
  const { unreadable } = reading
  if (reading.highSchools.length === 0 && unreadable[0]) return rejectUnreadable(unreadable)
  const highSchools = reading.highSchools
    .map((school) => ({ school, key: toSwedishSortKey(school.name) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.school.id, b.school.id))
    .map(({ school }) => school)
  const content = { highSchools, unreadable }
  const isChanged = JSON.stringify(content) !== JSON.stringify(current)
  return { ok: true, content: isChanged ? content : (current ?? content), isChanged }
}

/** A list of which nothing can be read is refused, so that it does not count as empty. */
function rejectUnreadable(unreadable: readonly UnreadableRecord[]) {
  const detail = `none of ${unreadable.length} records can be read; the first: ${unreadable[0]?.reason}`
  return { ok: false as const, detail }
}
