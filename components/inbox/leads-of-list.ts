import type { useTranslations } from 'next-intl'
import type { LeadTarget } from '@/components/export/export-dialog'
import { toast } from '@/components/ui/toast'
import { leadKeysOf } from '@/lib/api/lead-ids'
import type { LeadListQuery, Place } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf } from '@/lib/inbox/lead-text'
import { type LeadKey, refOf } from '@/lib/leads/lead-key'
import type { ListRows } from './list-rows'
import type { Marked } from './use-list-state'

/** A file is of one list. */
export type LeadsOfList = { list: LeadList; target: LeadTarget; count: number }

/** The dialog for all that the list shows; null where it shows nothing. */
export async function exportOf(
  list: LeadList | null,
  query: LeadListQuery,
  { count, waiting }: ListRows,
  marked: Marked,
) {
  const all = list && { list, target: { matching: { list, ...filterOf(query) } }, count: count + waiting }
  const of = all === null ? byList(await marked.allKeys()) : [all]
  return of.length === 0 ? null : { is: 'export' as const, of }
}

export function byList(keys: Iterable<LeadKey> = []): LeadsOfList[] {
  const all = [...keys].map(refOf)
  return LEAD_LISTS.flatMap((list) => {
    const leads = all.filter(({ kind }) => LISTS_BY_KIND[kind].list === list)
    return leads.length === 0 ? [] : [{ list, target: { leads }, count: leads.length }]
  })
}

/** For more at a time the list is filtered, and all of it marked. */
const MAX_RANGE = 5_000

type Source = {
  place: Place
  rows: ListRows
  t: ReturnType<typeof useTranslations<'inbox.marked'>>
}

/** Undefined where they are too many or cannot be read, which the user is told. */
export async function keysBetween(
  { place, rows, t }: Source,
  first: number,
  last: number,
): Promise<LeadKey[] | undefined> {
  const { client, query, above } = rows
  if (last - first >= MAX_RANGE) return void toast(t('tooMany', { most: MAX_RANGE }), { tone: 'error' })
  const items = Array.from({ length: last - first + 1 }, (_, at) => rows.rowAt(first + at))
  const keys = items.flatMap((item) => (item === undefined ? [] : [keyOf(item)]))
  if (keys.length === items.length) return keys
  try {
    return await leadKeysOf({ client, query, place, first: first + above, last: last + above })
  } catch {
    return void toast(t('rangeFailed'), { tone: 'error' })
  }
}
