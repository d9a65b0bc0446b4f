import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { createExternalStore } from '@/components/ui/external-store'
import { toLeadKey, toLeadRef } from '@/lib/inbox/lead-text'
import { adaptListState, createListState } from '@/lib/inbox/list-state'
import { head, item } from '@/lib/inbox/testing/pages'
import { type InboxState, selectCursor } from './inbox-state'
import { createLeadFlow } from './lead-flow'
import { toListRows } from './list-rows'
import { createMoveActions } from './move-actions'

const triage = { status: 'handled', assignee: null, updatedAt: null } as const
const [first, last] = [
  { ...item('a'), triage },
  { ...item('b'), triage },
] as const

/** Goes on from the open lead, which is the last of the two loaded rows; pages that are not loaded have no leads. */
async function goOnFromLast(total = 2) {
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('window', {})
  const data = { ...head(1, [], total), items: [first, last] }
  const rows = toListRows({ query: {}, data, error: null }, {}, { pages: [{ offset: 0, page: data }], total })
  const around = { addressedKey: toLeadKey(last), rows, serverRow: undefined, filterKey: '', isWide: false }
  const listState = adaptListState(createListState(''), around)
  const list = { listOrQueue: 'declarations-of-interest', filters: { query: {} } }
  const store = createExternalStore({ ...around, ...list, listState } as InboxState)
  const client = new QueryClient()
  vi.spyOn(client, 'fetchQuery').mockResolvedValue(head(1, []))
  const moves = createMoveActions(store, { client, writeUrl: () => {}, setListState: () => {} })
  const { goToNextLead, returnToLead } = createLeadFlow(store, { moves, client, userId: undefined })
  const readOpenKey = () => selectCursor(store.read()).openKey
  goToNextLead(last)
  await vi.dynamicImportSettled()
  return { moves, readOpenKey, undo: () => returnToLead([toLeadRef(last)]) }
}

test('the last lead closes, and its undo opens it again, unless the user has moved on', async () => {
  const { moves, readOpenKey, undo } = await goOnFromLast()
  expect(readOpenKey()).toBeNull()
  undo()
  expect(readOpenKey()).toBe(toLeadKey(last))
  moves.closeLead()
  moves.moveTo(toLeadKey(first), 0)
  undo()
  expect(readOpenKey()).toBeNull()
})

test('a lead stays open if not all leads were searched for the next one', async () => {
  expect((await goOnFromLast(5_000)).readOpenKey()).toBe(toLeadKey(last))
})
