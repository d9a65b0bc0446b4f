import { expect, test } from 'vitest'
import { bringSearch, createSearchMemory, type StorageLike } from './search-memory'

/** A tab's history and storage, as far as a search knows them. */
function createTab() {
  const kept = new Map<string, string>()
  const storage: StorageLike = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size
    },
  }
  const navigation = Object.assign(new EventTarget(), { currentEntry: { key: 'first' } })
  const go = (key: string, navigationType: 'push' | 'replace' | 'traverse') => {
    navigation.currentEntry = { key }
    navigation.dispatchEvent(Object.assign(new Event('currententrychange'), { navigationType }))
  }
  const open = () => {
    const memory = createSearchMemory('declarations', storage, navigation)
    memory.subscribe(() => {})
    return memory
  }
  return { kept, storage, go, open }
}

test('a reload finds the text again', () => {
  const tab = createTab()
  tab.open().write('åsa')
  expect(tab.open().read()).toBe('åsa')
})

test('a new filter keeps the text; going back takes the text of then', () => {
  const tab = createTab()
  const memory = tab.open()
  memory.write('åsa')
  tab.go('second', 'push')
  expect(memory.read()).toBe('åsa')
  memory.write('erik')
  tab.go('first', 'traverse')
  expect(memory.read()).toBe('åsa')
  tab.go('second', 'traverse')
  expect(memory.read()).toBe('erik')
})

test('tells who listens, and only of a change', () => {
  const tab = createTab()
  const memory = tab.open()
  const heard: string[] = []
  memory.subscribe(() => heard.push(memory.read()))
  memory.write('åsa')
  memory.write('åsa')
  tab.go('second', 'push')
  expect(heard).toEqual(['åsa'])
})

test('the list asked for anew begins without the text, and the way back finds it', () => {
  const tab = createTab()
  const memory = tab.open()
  memory.write('åsa')
  memory.leave()
  tab.go('second', 'push')
  expect([memory.read(), tab.open().read()]).toEqual(['', ''])
  tab.go('first', 'traverse')
  expect(memory.read()).toBe('åsa')
})

test('the end of the session leaves nothing behind, in no entry', () => {
  const tab = createTab()
  const memory = tab.open()
  memory.write('åsa')
  tab.go('second', 'push')
  memory.wipe()
  expect(tab.kept.size).toBe(0)
  expect(memory.read()).toBe('')
})

test('a saved view of this list begins with its own text, and the way back finds the old one', () => {
  const tab = createTab()
  const memory = tab.open()
  memory.write('åsa')
  memory.leave('erik')
  tab.go('second', 'push')
  expect(memory.read()).toBe('erik')
  tab.go('first', 'traverse')
  expect(memory.read()).toBe('åsa')
})

test('a saved view of another list brings its text along, once', () => {
  const tab = createTab()
  bringSearch('declarations', 'erik', tab.storage)
  expect(tab.open().read()).toBe('erik')
  expect(tab.open().read(), 'a reload').toBe('erik')
  tab.go('second', 'push')
  tab.open().write('')
  expect(tab.open().read()).toBe('')
})
