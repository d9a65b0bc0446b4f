import type { QueryClient } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import { createRef } from 'react'
import type { useUrlState } from '@/components/app/url-state'
import { readOwnChanges } from '@/components/app/use-triage'
import { toast } from '@/components/ui/toast'
import { readUntilParam, isQueue, leadPageQuery, PAGE_SIZE, requestPage } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { toLeadKey, kindOf } from '@/lib/inbox/lead-text'
import {
  reduceListState,
  type ListEvent,
  type ListState,
  adaptToSurroundings,
  findNextRow,
} from '@/lib/inbox/list-state'
import { patchPage } from '@/lib/inbox/own-changes'
import { type LeadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { selectCursor, type InboxStore } from './inbox-state'
import { PAGE_STALE_MS } from './list-rows'

type MoveServices = {
  client: QueryClient
  write: ReturnType<typeof useUrlState>['write']
  setListState: (list: ListState) => void
}

export type MoveActions = ReturnType<typeof createMoves>

/** Creates the actions that move between leads. The chosen lead stands in the URL, in a queue with its kind. */
export function createMoves(store: InboxStore, { client, write, setListState }: MoveServices) {
  const scroller = createRef<HTMLDivElement>()
  const focusList = () => scroller.current?.focus({ preventScroll: true })
  /** The history entry that opening a lead added, from which closing the lead goes back. */
  let openedEntry: { entry: string | null; search: string } | null = null
  const dispatch = (event: ListEvent, addressed = store.read().addressed) => {
    const state = store.read()
    const serverRow = addressed === state.addressed ? state.serverRow : undefined
    const surroundings = { ...state, addressed, serverRow }
    const list = adaptToSurroundings(reduceListState(state.listState, event), surroundings)
    store.set({ ...surroundings, listState: list })
    setListState(list)
  }
  const clearAddress = () => {
    openedEntry = null
    if (store.read().addressed !== null) write({ lead: [] }, 'replace')
  }
  let turns = 0
  /** Returns whether this is still the newest action, so that an action that had to wait does not override a newer one. */
  const startAction = () => {
    const turn = ++turns
    return () => turn === turns
  }
  const openRow = (id: LeadKey, index: number) => {
    startAction()
    const { addressed, listOrQueue, rows, filters } = store.read()
    dispatch({ kind: 'opened', id, index, query: rows.query }, id)
    // Opening a lead adds a history entry; going on from lead to lead replaces it.
    write({ lead: [isQueue(listOrQueue) ? id : parseLeadKey(id).id] }, addressed === null ? 'push' : 'replace')
    if (addressed === null) openedEntry = { entry: historyEntry(), search: filters.search }
  }
  /** Moves the cursor to the lead, and opens it if another lead is open. */
  const moveTo = (id: LeadKey, index: number) => {
    if (selectCursor(store.read()).openId !== null) return openRow(id, index)
    startAction()
    dispatch({ kind: 'moved', id, index, query: store.read().rows.query })
  }
  return {
    dispatch,
    startAction,
    openRow,
    moveTo,
    clearAddress,
    scroller,
    focusList,
    move: async (step: 1 | -1) => {
      const { rows, addressed, listOrQueue, filters } = store.read()
      // The list gets the focus, so that a screen reader follows, unless a lead was chosen.
      if (addressed === null) focusList()
      const index = Math.max(0, Math.min(rows.count - 1, findNextRow(selectCursor(store.read()), step)))
      const next = rows.rowAt(index)
      if (next !== undefined) return moveTo(toLeadKey(next), index)
      const isLatest = startAction()
      const offset = index - (index % PAGE_SIZE)
      const options = { ...leadPageQuery(listOrQueue, filters.query, offset), staleTime: PAGE_STALE_MS }
      const page = await client.fetchQuery(options).catch(() => null)
      const item = page && patchPage(readOwnChanges(client), page).items[index - offset]
      if (item && isLatest()) moveTo(toLeadKey(item), index)
    },
    /** Opens the lead at the cursor, or else the first of the list. With `request`, it also begins to write about that lead or the open one. */
    openOrWrite: (request?: (lead: LeadRef) => void) => {
      const { addressed, rows } = store.read()
      const { openId, row } = selectCursor(store.read())
      if (request !== undefined && openId !== null && (addressed !== null || row === -1))
        return request(parseLeadKey(openId))
      const index = Math.max(0, row)
      const item = rows.rowAt(index)
      if (item === undefined) return
      request?.({ kind: kindOf(item), id: item.id })
      openRow(toLeadKey(item), index)
    },
    closeLead: () => {
      const { addressed, filters } = store.read()
      if (selectCursor(store.read()).openId === null) return
      dispatch({ kind: 'closed' }, null)
      focusList()
      // Going back must not bring back an older search than the one on screen.
      const isOwnEntry = openedEntry !== null && openedEntry.entry !== null && openedEntry.entry === historyEntry()
      const isBack = addressed !== null && isOwnEntry && openedEntry?.search === filters.search
      openedEntry = null
      if (isBack) window.history.back()
      else if (addressed !== null) write({ lead: [] }, 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

type MarkTranslator = ReturnType<typeof useTranslations<'inbox.marked'>>

/** To mark more leads than this, users filter the list and mark all of it. */
const MAX_RANGE = 5_000
const MAX_PER_REQUEST = 500

export function createMarks(
  store: InboxStore,
  { dispatch, clearAddress }: MoveActions,
  client: QueryClient,
  t: MarkTranslator,
) {
  /** Marks and an open lead exclude each other. */
  const mark = (event: ListEvent) => {
    clearAddress()
    dispatch(event, null)
  }
  /** Returns the leads in these rows, all of one snapshot. Undefined, with a notice, if they are too many or cannot be read. */
  const findKeys = async (first: number, last: number): Promise<LeadKey[] | undefined> => {
    const { listOrQueue, rows } = store.read()
    if (last - first >= MAX_RANGE) return void toast(t('tooMany', { most: MAX_RANGE }), { tone: 'error' })
    const items = Array.from({ length: last - first + 1 }, (_, index) => rows.rowAt(first + index))
    if (items.every((item) => item !== undefined)) return items.map(toLeadKey)
    const keys: LeadKey[] = []
    const versions = new Set<number>()
    try {
      for (let offset = first; offset <= last; offset += MAX_PER_REQUEST) {
        const limit = Math.min(MAX_PER_REQUEST, last - offset + 1)
        const page = await requestPage(listOrQueue, {
          ...rows.query,
          ...readUntilParam(client, listOrQueue, rows.query),
          offset,
          limit,
        })
        keys.push(...page.items.map(toLeadKey))
        versions.add(page.snapshot.version)
      }
    } catch {
      versions.clear()
    }
    return versions.size === 1 ? keys : void toast(t('rangeFailed'), { tone: 'error' })
  }
  /** Marks the rows up to this lead, from the row `first` or else from where the marks began. */
  const markRange = async (id: LeadKey, index: number, first?: number) => {
    const { rows, listState } = store.read()
    const { filter, anchor } = listState.marks
    const found = anchor === null ? -1 : rows.indexOf(anchor.id)
    const start = first ?? (found === -1 ? (anchor?.index ?? index) : found)
    const ids = await findKeys(Math.min(start, index), Math.max(start, index))
    if (ids !== undefined) mark({ kind: 'ranged', filter, id, index, ids })
  }
  const markRow = (id: LeadKey, index: number, isRange: boolean) => {
    const { rows, listState } = store.read()
    if (isRange && listState.marks.anchor !== null) void markRange(id, index)
    else mark({ kind: 'toggled', id, index, shown: rows.items().map(toLeadKey) })
  }
  return {
    mark: markRow,
    markCursor: (isRange: boolean) => {
      const { id, row, origin } = selectCursor(store.read())
      if (id !== null) markRow(id, row === -1 ? origin : row, isRange)
    },
    /** Marks every lead that matches the list's filter, but in a queue only the leads on screen. */
    markAll: () => {
      const { listOrQueue, rows } = store.read()
      const first = rows.rowAt(0)
      if (!isQueue(listOrQueue)) mark({ kind: 'all-marked' })
      else if (first !== undefined) void markRange(toLeadKey(first), 0, rows.count - 1)
    },
    /** Returns all leads of the list. Undefined, with a notice, if they are too many or cannot be read. */
    findAllKeys: () => findKeys(0, store.read().rows.count - 1),
    startMarking: () => mark({ kind: 'choosing' }),
    clearMarks: () => dispatch({ kind: 'unmarked' }),
  }
}
