import { expect, it } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createNoteDrafts } from './note-drafts'
import { createReplyDrafts } from './reply-drafts'
import { forgetSignedOut, isSignOut, noteSignOut } from './signed-out'
import { memoryStorage } from './testing/memory-storage'

const lead: LeadRef = { kind: 'asked-question', id: 'q1' }
const draft = { subject: 'Svar', body: 'Hej!', isQuoted: true, seenAttempt: null }

function tabOf(owner: string) {
  const storage = memoryStorage()
  return { storage, drafts: createReplyDrafts(storage, owner) }
}

it('signing out ends what is half written in the other tabs of the browser, and nothing else in them', () => {
  const browser = memoryStorage()
  const tab = tabOf('sara')
  tab.drafts.write(lead, draft)
  tab.drafts.nameMail(lead, 'Hej!', () => 'name')
  createNoteDrafts(tab.storage, 'sara').write(lead, 'Ring')
  tab.storage.setItem('intag:search:x', 'Åsa')
  noteSignOut(browser, 'first')
  forgetSignedOut(tab.storage, browser)
  expect(tab.drafts.read(lead)).toBeNull()
  expect(createNoteDrafts(tab.storage, 'sara').read(lead)).toBe('')
  expect(tab.drafts.nameMail(lead, 'Hej!', () => 'other')).toBe('other')
  expect(tab.storage.getItem('intag:search:x')).toBe('Åsa')
})

it('a session that was lost keeps it, also in a browser in which somebody once signed out', () => {
  const browser = memoryStorage()
  const tab = tabOf('sara')
  tab.drafts.write(lead, draft)
  forgetSignedOut(tab.storage, browser)
  expect(tab.drafts.read(lead)).toEqual(draft)
  noteSignOut(browser, 'first')
  forgetSignedOut(tab.storage, browser)
  tab.drafts.write(lead, draft)
  forgetSignedOut(tab.storage, browser)
  expect(tab.drafts.read(lead), 'begun after it').toEqual(draft)
  noteSignOut(browser, 'second')
  forgetSignedOut(tab.storage, browser)
  expect(tab.drafts.read(lead)).toBeNull()
})

it('the other tabs hear of a sign-out, and of nothing else', () => {
  const browser = memoryStorage()
  noteSignOut(browser, 'first')
  const key = browser.key(0)
  expect(isSignOut({ key, newValue: 'first' })).toBe(true)
  expect(isSignOut({ key, newValue: null }), 'whoever clears the storage does not sign out').toBe(false)
  expect(isSignOut({ key: 'intag:notices', newValue: 'on' })).toBe(false)
})

it('a browser that keeps nothing is no fault', () => {
  const setItem = () => {
    throw new Error('forbidden')
  }
  expect(() => noteSignOut({ setItem }, 'first')).not.toThrow()
})
