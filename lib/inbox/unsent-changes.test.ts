import { onlineManager, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SERIAL_MUTATION } from '@/lib/api/mutation-options'
import { type ChangeAnswer, OWN_CHANGE, type OwnChange, UNSENT_KEY } from './own-changes'
import { memoryStorage } from './testing/memory-storage'
import { persistUnsent } from './unsent-changes'

beforeEach(() => onlineManager.setOnline(false))
afterEach(() => onlineManager.setOnline(true))

const handled = (key: string): OwnChange => ({
  key,
  leads: [{ kind: 'asked-question', id: key, before: null, fields: { status: 'handled' } }],
  count: 1,
  decision: { status: 'handled' },
  request: { kind: 'decide', body: { leads: [{ kind: 'asked-question', id: key }], status: 'handled' } },
})
const undone = (key: string): OwnChange => ({ ...handled(`not ${key}`), request: { kind: 'undo', undoes: key } })

/** A tab that is loaded: what it sends, in order. */
function load(storage: Storage, owner = 'sara') {
  const client = new QueryClient()
  const sent: string[] = []
  const mutationFn = async ({ key }: OwnChange): Promise<ChangeAnswer> => {
    sent.push(key)
    return { answeredAt: 1, undo: `token of ${key}` }
  }
  client.setMutationDefaults(OWN_CHANGE, { ...SERIAL_MUTATION, mutationFn })
  client.mount()
  const stop = persistUnsent(client, owner, storage)
  const cache = client.getMutationCache()
  const change = (variables: OwnChange) => {
    const meta = { change: { leads: [], notice: 'Åsa Öberg' } }
    void cache.build(client, client.defaultMutationOptions({ mutationKey: OWN_CHANGE, meta })).execute(variables)
  }
  return { client, sent, change, stop }
}

const stores = (text: string, storage: Storage) => vi.waitFor(() => expect(storage.getItem(UNSENT_KEY)).toContain(text))

test('what was not sent is sent after a reload, in order and once, and no name was kept', async () => {
  const storage = memoryStorage()
  const first = load(storage)
  for (const change of [handled('a'), handled('b'), undone('a')]) first.change(change)
  await stores('not a', storage)
  expect(storage.getItem(UNSENT_KEY)).not.toContain('Öberg')
  first.stop()
  first.client.unmount()
  const second = load(storage)
  second.change(handled('c'))
  expect(second.sent).toEqual([])
  onlineManager.setOnline(true)
  await vi.waitFor(() => expect(second.sent).toEqual(['a', 'b', 'not a', 'c']))
  await vi.waitFor(() => expect(storage.getItem(UNSENT_KEY)).toBeNull())
})

test('an undo that was not sent finds what its change was answered', async () => {
  const storage = memoryStorage()
  onlineManager.setOnline(true)
  const first = load(storage)
  first.change(handled('a'))
  await vi.waitFor(() => expect(first.sent).toEqual(['a']))
  onlineManager.setOnline(false)
  first.change(undone('a'))
  await stores('not a', storage)
  first.stop()
  const { client } = load(storage)
  const changes = client.getMutationCache().getAll()
  expect(changes.map(({ state }) => state.data)).toMatchObject([{ undo: 'token of a' }, undefined])
})

test('another user’s, a mail, what matches a filter and a text that is none of ours are not sent again', async () => {
  const storage = memoryStorage()
  const first = load(storage)
  first.change({ ...handled('mail'), request: { kind: 'mail' } })
  first.change({ ...handled('all'), request: { kind: 'decide', body: { matching: { list: 'asked-questions' } } } })
  first.change(handled('a'))
  await stores('"a"', storage)
  expect(JSON.parse(storage.getItem(UNSENT_KEY) ?? '').mutations).toHaveLength(1)
  first.stop()
  const count = ({ client }: ReturnType<typeof load>) => client.getMutationCache().getAll().length
  expect([count(load(storage, 'karin')), storage.getItem(UNSENT_KEY)]).toEqual([0, null])
  storage.setItem(UNSENT_KEY, '{')
  expect(count(load(storage))).toBe(0)
})
