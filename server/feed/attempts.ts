import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'
import type { UpstreamClient, UpstreamList } from '@/server/upstream/client'
import type { FailedFetch, Validators } from '@/server/upstream/outcome'
import type { LeadOfKind } from '@/server/upstream/wire/lead-format'
import type { IngestedList } from '@/server/feed/ingest/ingested-list'
import { type HighSchoolList, leadReader, type ListContent, type ListReader, readHighSchoolList } from './list-reader'
import type { Attempt, Why } from './list-refresher'

export type { HighSchoolList }
type Client = Pick<UpstreamClient, 'fetchList'>
export type ListAttempt<T> = (current: T | null, why: Why) => Promise<Attempt<T>>
export type LeadAttempt<K extends LeadKind> = ListAttempt<IngestedList<LeadOfKind[K]>>

/** One list of the service: how to ask for it, and how to read its body. */
export type ListSource<T> = {
  list: UpstreamList
  fetch: (current: T | null, known: Validators) => Promise<Fetching<T>>
  read: ListReader<T>
}
/** `body` is null when it was not sent again. */
export type Fetching<T> =
  | (Extract<Attempt<T>, { kind: 'fetched' }> & { body: Uint8Array | null; validators: Validators })
  | Exclude<Attempt<T>, { kind: 'fetched' }>

/** Fetches one list of leads and reads what changed in it. `yieldTurn` lets other work have its turn. */
export function leadAttempt<K extends LeadKind>(
  client: Client,
  kind: K,
  yieldTurn: () => Promise<void>,
): LeadAttempt<K> {
  return attemptAlone(leadSource(client, kind, yieldTurn))
}

export function highSchoolsAttempt(client: Client): ListAttempt<HighSchoolList> {
  return attemptAlone(highSchoolsSource(client))
}

export function leadSource<K extends LeadKind>(client: Client, kind: K, yieldTurn: () => Promise<void>) {
  return listSource(client, listOf(kind), leadReader(kind, yieldTurn))
}

export function highSchoolsSource(client: Client) {
  return listSource(client, 'high-schools', readHighSchoolList)
}

function attemptAlone<T>(source: ListSource<T>): ListAttempt<T> {
  let known: Validators = {}
  return async (current) => {
    const fetching = await source.fetch(current, known)
    if (fetching.kind === 'fetched') known = fetching.validators
    return fetching
  }
}

function listSource<T extends ListContent>(client: Client, list: UpstreamList, read: ListReader<T>): ListSource<T> {
  async function fetch(current: T | null, known: Validators): Promise<Fetching<T>> {
    const outcome = await client.fetchList(list, current === null ? {} : { validators: known })
    if (!outcome.ok) return failed(outcome)
    const { bytes, validators } = outcome
    if (outcome.notModified) {
      if (current === null) return unreadable('status 304 without having been asked for it')
      return { ...fetched(current, false), bytes: 0, body: null, validators: known }
    }
    const { body } = outcome
    const reading = await read(body, current)
    if (!reading.ok) return unreadable(reading.detail)
    return { ...fetched(reading.content, reading.changed), bytes, body, validators }
  }
  return { list, fetch, read }
}

function fetched<T extends ListContent>(content: T, changed: boolean) {
  return { kind: 'fetched' as const, content, changed, unreadable: content.unreadable.length }
}

function failed(outcome: FailedFetch): Exclude<Attempt<never>, { kind: 'fetched' }> {
  if (outcome.kind === 'no-budget') return { kind: 'later', retryAt: outcome.retryAtMs }
  const kind = outcome.kind === 'not-found' ? 'unreadable' : outcome.kind
  return { kind, detail: outcome.detail, retryAfterMs: outcome.retryAfterMs ?? null }
}

function unreadable(detail: string) {
  return { kind: 'unreadable' as const, detail, retryAfterMs: null }
}
