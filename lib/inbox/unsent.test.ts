import { expect, test } from 'vitest'
import { createUnsent } from './unsent'

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
const ids = (unsent: ReturnType<ReturnType<typeof createUnsent>['takeOver']>) =>
  unsent.map((one) => ('leads' in one ? one.leads.map(({ id }) => id).join() : one))

test('what was not sent is found once after a reload, in order and without names; what was sent is not', () => {
  const storage = tabStorage()
  const unsent = createUnsent(storage)
  const assignee = { id: 'karin', name: 'Karin' }
  unsent.keep(owner, { leads: [{ ...lead('a'), triage: { ...triage, assignee }, name: 'Åsa Öberg' }], decision })
  const sent = unsent.keep(owner, { leads: [lead('b')], decision })
  unsent.keep(owner, { leads: [lead('c')], decision })
  sent()
  expect(storage.getItem('intag:unsent')).not.toMatch(/Öberg|Karin/)
  const reloaded = createUnsent(storage)
  reloaded.keep(owner, { leads: [lead('d')], decision })
  expect(ids(reloaded.takeOver(owner)), 'not what this page is sending').toEqual(['a', 'c'])
  expect(reloaded.takeOver(owner)).toEqual([])
  expect(ids(createUnsent(storage).takeOver(owner)), 'what was taken over is kept by its sender').toEqual(['d'])
})

test('an attempt and an undo are found in their place among the decisions', () => {
  const storage = tabStorage()
  const unsent = createUnsent(storage)
  const attempt = { kind: 'asked-question', id: 'b', channel: 'phone', outcome: 'talked', key: 'a-key-of-b' } as const
  const forget = unsent.keep(owner, { attempt: { ...attempt, id: 'sent' } })
  unsent.keep(owner, { leads: [lead('a')], decision })
  unsent.keep(owner, { attempt })
  unsent.keep(owner, { undo: 'token' })
  forget()
  expect(ids(createUnsent(storage).takeOver(owner))).toMatchObject(['a', { attempt }, { undo: 'token' }])
})

test('what another user left in the tab is dropped, and after a sign-out nothing is written any more', () => {
  const storage = tabStorage()
  createUnsent(storage).keep(owner, { leads: [lead('a')], decision })
  expect(createUnsent(storage).takeOver('karin')).toEqual([])
  expect(createUnsent(storage).takeOver(owner)).toEqual([])
  const unsent = createUnsent(storage)
  const sent = ['a', 'b'].map((id) => unsent.keep(owner, { leads: [lead(id)], decision }))
  unsent.stop()
  sent[0]?.()
  unsent.keep(owner, { leads: [lead('c')], decision })
  expect(storage.getItem('intag:unsent')).toBeNull()
})

test('a lead that was never on screen, which nothing would compare, is sent only soon afterwards', () => {
  for (const [minutes, left] of [
    [4, 'a,b'],
    [6, 'a'],
  ] as const) {
    const storage = tabStorage()
    const bare = { kind: 'asked-question' as const, id: 'b' }
    createUnsent(storage, () => 0).keep(owner, { leads: [lead('a'), bare], decision })
    expect(ids(createUnsent(storage, () => minutes * 60_000).takeOver(owner))).toEqual([left])
  }
})

test('a full storage loses nothing but the copy, and what is no list of ours is nothing', () => {
  const storage = tabStorage()
  const setItem = () => {
    throw new Error('QuotaExceededError')
  }
  expect(() => createUnsent({ ...storage, setItem }).keep(owner, { leads: [lead('a')], decision })()).not.toThrow()
  for (const text of ['{', '{}', 'null']) {
    storage.setItem('intag:unsent', text)
    expect(createUnsent(storage).takeOver(owner)).toEqual([])
  }
})
