import { beforeEach, expect, test } from 'vitest'
import { createNoteDrafts, forgetNoteDrafts } from './note-drafts'
import type { StorageLike } from './tab-storage'
import { memoryStorage } from './testing/memory-storage'

const question = { kind: 'asked-question', id: '1' } as const
const declaration = { kind: 'declaration-of-interest', id: '1' } as const
let storage: StorageLike

beforeEach(() => {
  storage = memoryStorage()
})

test('a draft belongs to one lead and one person', () => {
  const drafts = createNoteDrafts(storage, 'kerstin')
  drafts.write(question, 'Ring efter')
  expect(drafts.read(question)).toBe('Ring efter')
  expect(drafts.read(declaration)).toBe('')
  expect(createNoteDrafts(storage, 'ali').read(question)).toBe('')
})

test('an emptied draft leaves nothing behind', () => {
  const drafts = createNoteDrafts(storage, 'kerstin')
  drafts.write(question, 'Ring')
  drafts.write(question, ' \n')
  expect(storage.length).toBe(0)
})

test('the end of the session forgets drafts, and nothing else', () => {
  storage.setItem('other', 'stays')
  const drafts = createNoteDrafts(storage, 'kerstin')
  drafts.write(question, 'a')
  drafts.write(declaration, 'b')
  forgetNoteDrafts(storage)
  expect([storage.length, storage.key(0)]).toEqual([1, 'other'])
})

test('a storage that refuses takes nothing down', () => {
  const full: StorageLike = {
    ...storage,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(() => createNoteDrafts(full, 'kerstin').write(question, 'x')).not.toThrow()
})
