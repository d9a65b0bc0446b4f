import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { createExternalStore } from '@/components/ui/external-store'
import { toLeadKey, toLeadRef } from '@/lib/inbox/lead-text'
import { adaptListState, createListState } from '@/lib/inbox/list-state'
import { item, leadPage } from '@/lib/inbox/testing/pages'
import { type InboxState, selectCursor } from './inbox-state'
import { createLeadFlow } from './lead-flow'
import { toListRows } from './list-rows'
import { createMoveActions } from './move-actions'

const lead = { ...item('a'), triage: { status: 'handled' as const, assignee: null, updatedAt: null } }
const key = toLeadKey(lead)

/** Goes on from the open lead, whose list has no other one, or pages that are not loaded and have none to work on. */
async function goOn(total = 1) {
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('window', {})
  const data = { ...leadPage(1, [], total), items: [lead] }
  const rows = toListRows({ query: {}, data, error: null }, {}, { pages: [{ offset: 0, page: data }], total })
  const around = { addressedKey: key, rows, serverRow: undefined, filterKey: '', isWide: false }
  const listState = adaptListState(createListState(''), around)
  const store = createExternalStore({
    ...around,
    listOrQueue: 'waiting',
    filters: { query: {} },
    listState,
  } as InboxState)
  const client = Object.assign(new QueryClient(), { fetchQuery: async () => leadPage(1, []) })
  const moves = createMoveActions(store, { client, writeUrl: () => {}, setListState: () => {} })
  const { goToNextLead, returnToLead } = createLeadFlow(store, { moves, client, userId: undefined })
  goToNextLead(lead)
  await vi.dynamicImportSettled()
  return { moves, undo: () => returnToLead([toLeadRef(lead)]), readOpenKey: () => selectCursor(store.read()).openKey }
}

test('a lead closes if none is left, and its undo opens it again, unless the user has moved on', async () => {
  const { moves, undo, readOpenKey } = await goOn()
  const steps = [() => {}, undo, moves.closeLead, () => moves.moveTo(toLeadKey(item('b')), 0), undo]
  expect(steps.map((step) => [step(), readOpenKey()].at(1))).toEqual([null, key, null, null, null])
  expect((await goOn(5_000)).readOpenKey(), 'not all others could be searched').toBe(key)
})
