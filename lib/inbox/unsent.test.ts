import { expect, test } from 'vitest'
import { createUnsent, takeUnsent } from './unsent'

function tabStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  }
}

const triage = { status: 'new', assignee: null, updatedAt: null } as const
const lead = (id: string) => ({ kind: 'asked-question' as const, id, triage })
const owner = 'sara'
const decision = { status: 'handled' } as const

test('what was not sent is found once after a reload, in order and without names; what was sent is not', () => {
  const storage = tabStorage()
  const unsent = createUnsent(storage)
  unsent.keep({ owner, leads: [{ ...lead('a'), name: 'Åsa Öberg' }], decision })
  const sent = unsent.keep({ owner, leads: [lead('b')], decision })
  unsent.keep({ owner, leads: [lead('c')], decision })
  sent()
  const kept = ['a', 'c'].map((id) => ({ owner, leads: [lead(id)], decision }))
  expect(takeUnsent(storage, owner)).toEqual(kept)
  expect(takeUnsent(storage, owner)).toEqual([])
})

test('what another user left in the tab is dropped', () => {
  const storage = tabStorage()
  createUnsent(storage).keep({ owner, leads: [lead('a')], decision })
  expect(takeUnsent(storage, 'karin')).toEqual([])
  expect(takeUnsent(storage, owner)).toEqual([])
})

test('a full storage loses nothing but the copy, and what is no list of ours is nothing', () => {
  const storage = tabStorage()
  const full = {
    ...storage,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  expect(() => createUnsent(full).keep({ owner, leads: [lead('a')], decision })()).not.toThrow()
  for (const text of ['{', '{}', 'null']) {
    storage.setItem('intag:unsent', text)
    expect(takeUnsent(storage, owner)).toEqual([])
  }
})
