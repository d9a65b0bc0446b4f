import { describe, expect, it } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createNoteDrafts } from './note-drafts'
import { createReplyDrafts } from './reply-drafts'
import { forgetSignedOut, guardHalfWritten, isSignedOut, noteSignOut } from './signed-out'
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

describe('a tab in which somebody works', () => {
  function openTab() {
    const browser = memoryStorage()
    const held = new Map<string, string>()
    const storage = Object.assign(memoryStorage(held), { clear: () => held.clear() })
    const went: string[] = []
    const tab = Object.assign(new EventTarget(), {
      sessionStorage: storage,
      localStorage: browser,
      location: { assign: (path: string | URL) => void went.push(String(path)) },
    })
    const tell = (key: string | null, newValue: string | null) =>
      tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
    const gone = new AbortController()
    held.set('intag:reply:["sara","asked-question","q1"]', 'Hej')
    guardHalfWritten(tab, 'sara', gone.signal)
    return { browser, storage, held, went, tell, gone }
  }

  it('leaves the screen with all that it holds when another one signs out', () => {
    const { browser, held, went, tell } = openTab()
    noteSignOut(browser, 'first')
    expect(held.size, 'before it is told').toBe(1)
    tell(browser.key(0), 'first')
    expect([held.size, went]).toEqual([0, ['/signin?signedOut']])
  })

  it('knows that it is going, so that it does not ask whether to stay, and not before', () => {
    const { browser, storage, tell } = openTab()
    noteSignOut(browser, 'first')
    forgetSignedOut(storage, browser)
    expect(isSignedOut(storage, browser), 'somebody who signed out long ago').toBe(false)
    noteSignOut(browser, 'second')
    tell(browser.key(0), 'second')
    expect(isSignedOut(storage, browser)).toBe(true)
  })

  it('stays for whatever else is written there, and when nobody is signed in on it any more', () => {
    const { browser, held, went, tell, gone } = openTab()
    noteSignOut(browser, 'first')
    tell('intag:notices', 'on')
    tell(browser.key(0), null)
    tell(null, null)
    gone.abort()
    tell(browser.key(0), 'first')
    expect([held.size, went]).toEqual([1, []])
  })
})

it('a browser that keeps nothing is no fault', () => {
  const setItem = () => {
    throw new Error('forbidden')
  }
  expect(() => noteSignOut({ setItem }, 'first')).not.toThrow()
})
