import { expect, it } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createReplyDrafts, forgetRepliesOfOthers } from './reply-drafts'
import type { StorageLike } from './tab-storage'
import { memoryStorage } from './testing/memory-storage'

const lead: LeadRef = { kind: 'asked-question', id: 'q"1' }
const draft = { subject: 'Svar', body: 'Hej!', isQuoted: true, seenAttempt: null }

it('a reply is found again by who wrote it, on the lead that it is about', () => {
  const storage = memoryStorage()
  createReplyDrafts(storage, 'sara').write(lead, draft)
  expect(createReplyDrafts(storage, 'sara').read(lead)).toEqual(draft)
  expect(createReplyDrafts(storage, 'sara').read({ ...lead, kind: 'declaration-of-interest' })).toBeNull()
  expect(createReplyDrafts(storage, 'anna').read(lead)).toBeNull()
})

it('is gone when it is sent, and when somebody else has signed in', () => {
  const storage = memoryStorage()
  const own = createReplyDrafts(storage, 'sara')
  own.write(lead, draft)
  own.forget(lead)
  expect(own.read(lead)).toBeNull()
  own.write(lead, draft)
  storage.setItem('intag:search:x', 'Åsa')
  forgetRepliesOfOthers(storage, 'sara')
  expect(own.read(lead)).toEqual(draft)
  forgetRepliesOfOthers(storage, 'sar')
  expect(own.read(lead)).toBeNull()
  expect(storage.length, 'nothing else is touched').toBe(1)
})

it('what cannot be kept or read is no fault', () => {
  const storage = memoryStorage()
  createReplyDrafts(storage, 'sara').write(lead, draft)
  storage.setItem(storage.key(0) ?? '', '{"subject":1}')
  expect(createReplyDrafts(storage, 'sara').read(lead)).toBeNull()
  const full: StorageLike = {
    ...storage,
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(() => createReplyDrafts(full, 'sara').write(lead, draft)).not.toThrow()
})

it('names the same text alike over a reload, another text otherwise, and what has left not at all', () => {
  const storage = memoryStorage()
  let count = 0
  const random = () => `name-${(count += 1)}`
  const named = (text: string) => createReplyDrafts(storage, 'sara').nameMail(lead, text, random)
  expect([named('Hej'), named('Hej'), named('Hej!'), named('Hej!')]).toEqual(['name-1', 'name-1', 'name-2', 'name-2'])
  createReplyDrafts(storage, 'sara').forget(lead)
  expect(named('Hej!')).toBe('name-3')
  createReplyDrafts(storage, 'sara').forgetName(lead)
  expect(named('Hej!')).toBe('name-4')
  expect([...Array(storage.length).keys()].map((at) => storage.getItem(storage.key(at) ?? '')).join()).not.toContain(
    'Hej',
  )
  forgetRepliesOfOthers(storage, 'anna')
  expect(storage.length).toBe(0)
})
