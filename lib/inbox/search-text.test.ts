import { expect, test, vi } from 'vitest'
import { forgetSearchTexts, readSearchText, SEARCH_CHANGED, writeSearchText } from './search-text'
import { memoryStorage } from './testing/memory-storage'

test('each list keeps its own search text, until all are forgotten', () => {
  const stored = new Map([['intag:other', 'x']])
  const window = new EventTarget()
  vi.stubGlobal('sessionStorage', memoryStorage(stored))
  vi.stubGlobal('window', window)
  const seen: string[] = []
  window.addEventListener(SEARCH_CHANGED, () => seen.push(readSearchText('/questions')))
  writeSearchText('/questions', 'åsa')
  writeSearchText('/declarations', 'erik')
  writeSearchText('/declarations', '')
  expect(readSearchText('/declarations')).toBe('')
  forgetSearchTexts()
  expect(seen).toEqual(['åsa', 'åsa', 'åsa', ''])
  expect([...stored.keys()]).toEqual(['intag:other'])
})
