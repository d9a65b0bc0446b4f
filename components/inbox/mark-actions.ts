import type { QueryClient } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { isQueue, readUntilParam, requestPage } from '@/lib/api/leads'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { groupBy } from '@/lib/group-by'
import { toLeadKey } from '@/lib/inbox/lead-text'
import type { ListEvent } from '@/lib/inbox/list-state'
import { type LeadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { type InboxDialog, type InboxStore, selectCursor, selectMarks, selectMatchingFilter } from './inbox-state'
import type { MoveActions } from './move-actions'

/** A range has at most this many leads; more are marked by a filter and *mark all*. */
const MAX_RANGE_LEADS = 5_000
const MAX_LEADS_PER_REQUEST = 500

type MarkServices = {
  moves: MoveActions
  client: QueryClient
  t: ReturnType<typeof useTranslations<'inbox.marked'>>
  showDialog: (dialog: InboxDialog) => void
}

export function createMarkActions(store: InboxStore, { moves, client, t, showDialog }: MarkServices) {
  /** Marks and an open lead exclude each other. */
  const setMarks = (event: ListEvent) => {
    moves.clearAddress()
    moves.dispatch(event, null)
  }
  /** Returns the keys of the leads in these rows, all of one snapshot, or shows why it cannot and returns undefined. */
  const findLeadKeys = async (first: number, last: number): Promise<LeadKey[] | undefined> => {
    const { listOrQueue, rows } = store.read()
    if (last - first >= MAX_RANGE_LEADS) {
      toast(t('tooMany', { most: MAX_RANGE_LEADS }), { tone: 'error' })
      return undefined
    }
    const items = Array.from({ length: last - first + 1 }, (_, index) => rows.rowAt(first + index))
    if (items.every((item) => item !== undefined)) return items.map(toLeadKey)
    const query = { ...rows.query, ...readUntilParam(client, listOrQueue, rows.query) }
    const keys: LeadKey[] = []
    const versions = new Set<number>()
    try {
      for (let offset = first; offset <= last; offset += MAX_LEADS_PER_REQUEST) {
        const limit = Math.min(MAX_LEADS_PER_REQUEST, last - offset + 1)
        const page = await requestPage(listOrQueue, { ...query, offset, limit })
        keys.push(...page.items.map(toLeadKey))
        versions.add(page.snapshot.version)
      }
      if (versions.size === 1) return keys
    } catch {
      // A failed request has the same notice as a changed snapshot.
    }
    toast(t('rangeFailed'), { tone: 'error' })
    return undefined
  }
  const markRange = async (key: LeadKey, index: number, start: number) => {
    const { filterKey } = store.read().listState.marks
    const keys = await findLeadKeys(Math.min(start, index), Math.max(start, index))
    if (keys !== undefined) setMarks({ kind: 'ranged', filterKey, key, index, keys })
  }
  const markRow = (key: LeadKey, index: number, isRange: boolean) => {
    const { rows, listState } = store.read()
    const { anchor } = listState.marks
    if (!isRange || anchor === null)
      return setMarks({ kind: 'toggled', key, index, loaded: rows.items().map(toLeadKey) })
    const anchorRow = rows.indexOf(anchor.key)
    void markRange(key, index, anchorRow === -1 ? anchor.index : anchorRow)
  }
  return {
    mark: markRow,
    markCursor: (extent: 'row' | 'range') => {
      const { key, row, origin } = selectCursor(store.read())
      if (key === null) return
      markRow(key, row === -1 ? origin : row, extent === 'range')
      // The bar of the marks may cover the row.
      requestAnimationFrame(moves.scrollToCursor)
    },
    markAll: () => {
      const { listOrQueue, rows } = store.read()
      const first = rows.rowAt(0)
      if (!isQueue(listOrQueue)) setMarks({ kind: 'all-marked' })
      else if (first !== undefined) void markRange(toLeadKey(first), 0, rows.count - 1)
    },
    startMarking: () => setMarks({ kind: 'choosing' }),
    clearMarks: () => moves.dispatch({ kind: 'unmarked' }),
    /** Asks how to export the marked leads, or else all that the list shows, to a file or as e-mail addresses. */
    askExport: async (kind: 'export' | 'copy-emails', leads: 'marked' | 'all') => {
      const state = store.read()
      const matching = selectMatchingFilter(state)
      const marks = selectMarks(state)
      if (matching !== null && (leads === 'all' || marks.isAll)) {
        const target = { list: matching.list, matching }
        return showDialog({ kind, targets: [{ target, count: marks.total }] })
      }
      const keys = leads === 'all' ? await findLeadKeys(0, state.rows.count - 1) : marks.keys
      const byList = groupBy([...(keys ?? [])].map(parseLeadKey), (lead) => LISTS_BY_KIND[lead.kind].list)
      const targets = [...byList].map(([list, refs]) => ({ target: { list, leads: refs }, count: refs.length }))
      if (targets.length > 0) showDialog({ kind, targets })
    },
  }
}
