import { describe, expect, it } from 'vitest'
import type { Attempt, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { createReplyDrafts, forgetRepliesOfOthers, meanwhileOf } from './reply-drafts'
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

describe('what is told of a lead whose reply is half written', () => {
  const sara = { id: 'sara', name: 'Sara' }
  const triageOf = (status: LeadStatus) => ({ status, assignee: null, updatedAt: null, updatedBy: null })
  const found = (last: Attempt | null, status: LeadStatus = 'new') => ({
    attempts: { count: last === null ? 0 : 1, last },
    triage: triageOf(status),
  })
  const mail = {
    at: '2026-11-23T09:00:00Z',
    by: { id: 'eva', name: 'Eva' },
    channel: 'email',
    outcome: 'sent',
  } as const

  it('a colleague has answered', () => {
    expect(meanwhileOf(found(mail), null, 'sara')).toBe('mailed')
    expect(meanwhileOf(found({ ...mail, channel: 'phone', outcome: 'no-answer' }), null, 'sara')).toBe('talked')
    expect(meanwhileOf(found({ ...mail, by: null }), null, 'sara')).toBe('mailed')
    expect(meanwhileOf(found(mail, 'handled'), mail.at, 'sara'), 'seen before').toBe('handled')
  })

  it('the same person has, in another tab', () => {
    expect(meanwhileOf(found({ ...mail, by: sara }, 'handled'), null, 'sara')).toBe('mine')
    expect(meanwhileOf(found({ ...mail, by: sara }), '2026-11-23T08:00:00Z', 'sara'), 'once more').toBeNull()
    expect(meanwhileOf(found({ ...mail, by: sara, channel: 'phone', outcome: 'no-answer' }), null, 'sara')).toBeNull()
  })

  it('the lead was closed, and how', () => {
    expect(meanwhileOf(found(null, 'handled'), null, 'sara')).toBe('handled')
    expect(meanwhileOf(found(null, 'dismissed'), null, 'sara')).toBe('dismissed')
    expect(meanwhileOf(found(null, 'in-progress'), null, 'sara')).toBeNull()
  })
})
