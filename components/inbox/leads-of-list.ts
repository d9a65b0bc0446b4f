import type { QueryClient } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { heldBack, type LeadListQuery, type Place, requestPage } from '@/lib/api/leads'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { keyOf } from '@/lib/inbox/lead-text'
import type { ListEvent } from '@/lib/inbox/list-state'
import { type LeadKey, refOf } from '@/lib/leads/lead-key'
import type { InboxState, LeadsOfList } from './inbox-state'

export function byList(keys: Iterable<LeadKey> = []): LeadsOfList[] {
  const all = [...keys].map(refOf)
  return LEAD_LISTS.flatMap((list) => {
    const leads = all.filter(({ kind }) => LISTS_BY_KIND[kind].list === list)
    return leads.length === 0 ? [] : [{ list, target: { leads }, count: leads.length }]
  })
}

/** For more at a time the list is filtered, and all of it marked. */
const MAX_RANGE = 5_000

type Source = { client: QueryClient; state: InboxState; t: ReturnType<typeof useTranslations<'inbox.marked'>> }

/** Marks up to this lead, from the row `from` or else where the marks began. */
export async function rangeTo(
  source: Source,
  id: LeadKey,
  index: number,
  from?: number,
): Promise<ListEvent | undefined> {
  const { rows, list } = source.state
  const { filter, anchor } = list.marks
  const found = anchor === null ? -1 : rows.indexOf(anchor.id)
  const start = from ?? (found === -1 ? (anchor?.index ?? index) : found)
  const ids = await keysBetween(source, Math.min(start, index), Math.max(start, index))
  return ids && { kind: 'ranged', filter, id, index, ids }
}

/** Undefined where they are too many or cannot be read, which the user is told. */
export async function keysBetween(
  { client, state, t }: Source,
  first: number,
  last: number,
): Promise<LeadKey[] | undefined> {
  const { place, rows } = state
  if (last - first >= MAX_RANGE) return void toast(t('tooMany', { most: MAX_RANGE }), { tone: 'error' })
  const items = Array.from({ length: last - first + 1 }, (_, at) => rows.rowAt(first + at))
  const keys = items.flatMap((item) => (item === undefined ? [] : [keyOf(item)]))
  if (keys.length === items.length) return keys
  try {
    return await leadKeysOf({ client, query: rows.query, place, first, last })
  } catch {
    return void toast(t('rangeFailed'), { tone: 'error' })
  }
}

const MAX_AT_ONCE = 500
const TRIES = 3

type Wanted = { client: QueryClient; place: Place; query: LeadListQuery; first: number; last: number }

/** The leads in these rows of a list, all of one moment. */
async function leadKeysOf(rows: Wanted): Promise<LeadKey[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const keys = await keysOfOneVersion(rows)
    if (keys !== null) return keys
  }
  throw new Error('The list changed at every try')
}

async function keysOfOneVersion({ client, place, query, first, last }: Wanted): Promise<LeadKey[] | null> {
  const keys: LeadKey[] = []
  const held = heldBack(client, place, query)
  let version: number | null = null
  for (let offset = first; offset <= last; offset += MAX_AT_ONCE) {
    const limit = Math.min(MAX_AT_ONCE, last - offset + 1)
    const page = await requestPage(place, { ...query, ...held, offset, limit })
    if (version !== null && page.snapshot.version !== version) return null
    version = page.snapshot.version
    keys.push(...page.items.map(keyOf))
  }
  return keys
}
