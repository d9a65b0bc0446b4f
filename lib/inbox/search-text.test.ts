import { expect, test } from 'vitest'
import { createSearchText, presetSearch } from './search-text'
import { memoryStorage } from './testing/memory-storage'

/** A tab's history and storage, as far as a search knows them. */
function createTab() {
  const stored = new Map<string, string>()
  const storage = memoryStorage(stored)
  const navigation = Object.assign(new EventTarget(), { currentEntry: { key: 'first' } })
  const go = (key: string, navigationType: 'push' | 'traverse') => {
    navigation.currentEntry = { key }
    navigation.dispatchEvent(Object.assign(new Event('currententrychange'), { navigationType }))
  }
  const open = () => {
    const search = createSearchText('declarations', { sessionStorage: storage, navigation })
    search.subscribe(() => {})
    return search
  }
  return { stored, storage, go, open }
}

test('a new filter and a reload keep the text; going back takes the text of then', () => {
  const tab = createTab()
  const search = tab.open()
  const heard: string[] = []
  search.subscribe(() => heard.push(search.read()))
  search.write('åsa')
  tab.go('second', 'push')
  expect([search.read(), tab.open().read()]).toEqual(['åsa', 'åsa'])
  search.write('erik')
  for (const entry of ['first', 'second']) tab.go(entry, 'traverse')
  expect(heard).toEqual(['åsa', 'erik', 'åsa', 'erik'])
})

test.each([
  ['the list opened again begins without the text', ''],
  ['a saved view of this list begins with its own text', 'erik'],
])('%s, and the way back finds the old one', (_, text) => {
  const tab = createTab()
  const search = tab.open()
  search.write('åsa')
  search.startEntry(text)
  tab.go('second', 'push')
  expect([search.read(), tab.open().read()]).toEqual([text, text])
  tab.go('first', 'traverse')
  expect(search.read()).toBe('åsa')
})

test('the end of the session leaves nothing behind, in no entry', () => {
  const tab = createTab()
  const search = tab.open()
  search.write('åsa')
  tab.go('second', 'push')
  search.forgetAll()
  expect([tab.stored.size, search.read()]).toEqual([0, ''])
})

test('a saved view of another list brings its text along, once', () => {
  const tab = createTab()
  presetSearch('declarations', 'erik', tab.storage)
  expect([tab.open().read(), tab.open().read()], 'also after a reload').toEqual(['erik', 'erik'])
  tab.go('second', 'push')
  tab.open().write('')
  expect(tab.open().read()).toBe('')
})

test('in a browser without keys of entries, a reload finds the text again', () => {
  const sessionStorage = memoryStorage()
  createSearchText('declarations', { sessionStorage }).write('åsa')
  expect(createSearchText('declarations', { sessionStorage }).read()).toBe('åsa')
})
