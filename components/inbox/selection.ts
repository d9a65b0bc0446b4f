import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { toast } from '@/components/ui/toast'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { ListRows } from './list-rows'

type State = { key: string; selection: Selection; anchorAt: number; isChoosing: boolean }

/** Which leads are marked. Marks hold on to leads, not to places; another filter begins without any. */
export function useSelection(list: LeadList, query: LeadListQuery, rows: ListRows) {
  const t = useTranslations('inbox.marked')
  const key = JSON.stringify({ list, ...query, sort: null })
  const none: State = { key, selection: NOTHING_MARKED, anchorAt: -1, isChoosing: false }
  const [state, setState] = useState(none)
  const { selection, anchorAt, isChoosing } = state.key === key ? state : none
  const count = markedCount(selection, rows.count + rows.waiting)
  const change = (next: Selection, at = anchorAt) => setState({ key, selection: next, anchorAt: at, isChoosing })

  const toggle = (id: string, index: number) => {
    const shown = rows.items().map((item) => item.id)
    change(toggled(selection, id, shown), index)
  }
  const range = async (id: string, index: number) => {
    if (selection.anchor === null) return toggle(id, index)
    const found = rows.indexOf(selection.anchor)
    const from = found === -1 ? anchorAt : found
    const [first, last] = [Math.min(from, index), Math.max(from, index)]
    if (last - first >= LONGEST_RANGE) return toast(t('tooMany', { most: LONGEST_RANGE }), { tone: 'error' })
    try {
      const ids =
        loadedIds(rows, first, last) ?? (await fetchedIds(list, query, first + rows.waiting, last + rows.waiting))
      setState((now) =>
        now.key === key ? { ...now, selection: withRange(now.selection, ids, id), anchorAt: index } : now,
      )
    } catch {
      toast(t('rangeFailed'), { tone: 'error' })
    }
  }
  return {
    ids: selection.ids,
    isAll: selection.isAll,
    count,
    has: (id: string) => isMarked(selection, id),
    /** Rows are marked by a tap; a way in for fingers. */
    isMarking: isChoosing || selection.isAll || selection.ids.size > 0,
    isAny: count > 0,
    mark: (id: string, index: number, isRange: boolean) => (isRange ? void range(id, index) : toggle(id, index)),
    markAll: () => change(ALL_MARKED),
    choose: () => setState({ ...none, isChoosing: true }),
    clear: () => setState(none),
  }
}

export type Marked = ReturnType<typeof useSelection>

/** For more at a time the list is filtered, and all of it marked. */
const LONGEST_RANGE = 5_000

function loadedIds(rows: ListRows, first: number, last: number): string[] | null {
  const items = Array.from({ length: last - first + 1 }, (_, at) => rows.rowAt(first + at))
  const ids = items.flatMap((item) => (item === undefined ? [] : [item.id]))
  return ids.length === items.length ? ids : null
}

async function fetchedIds(list: LeadList, query: LeadListQuery, first: number, last: number): Promise<string[]> {
  const { leadIds } = await import('@/lib/api/lead-ids')
  return leadIds(list, query, first, last)
}

type Selection = { ids: ReadonlySet<string>; isAll: boolean; anchor: string | null }

export const NOTHING_MARKED: Selection = { ids: new Set(), isAll: false, anchor: null }
export const ALL_MARKED: Selection = { ids: new Set(), isAll: true, anchor: null }

export function isMarked({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id)
}

export function markedCount({ ids, isAll }: Selection, total: number): number {
  return isAll ? total : ids.size
}

/** Marks or unmarks one. Taking one away from "all that match" leaves `shown`, the rows on screen, without it. */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const ids = new Set(selection.isAll ? shown : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, isAll: false, anchor: id }
}

export function withRange(selection: Selection, range: readonly string[], end: string): Selection {
  if (selection.isAll) return selection
  return { ids: new Set([...selection.ids, ...range]), isAll: false, anchor: end }
}
