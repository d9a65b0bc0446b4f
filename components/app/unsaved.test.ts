import { expect, it } from 'vitest'
import { holdForm } from '@/components/ui/unsaved-work'
import { createNoteDrafts, createReplyDrafts, noteSignOut } from '@/lib/inbox/drafts'
import { memoryStorage } from '@/lib/inbox/testing/memory-storage'
import { outbox } from '@/lib/inbox/outbox'
import { countUnsaved, watchUnsaved } from './unsaved'

const lead = { kind: 'asked-question', id: 'q1' } as const
const draft = { subject: 'Svar', body: 'Hej!', seenAttempt: null }

function openTab({ browser = memoryStorage(), owner = 'sara' } = {}) {
  const navigation = Object.assign(new EventTarget(), { traverseTo: () => {} })
  const tab = Object.assign(new EventTarget(), {
    sessionStorage: memoryStorage(),
    localStorage: browser,
    location: { origin: 'https://intag.test', pathname: '/admin/templates', assign: () => {} },
    navigation,
  })
  const gone = new AbortController()
  watchUnsaved(tab, owner, gone.signal)
  const navigate = (url: string, more = {}) => {
    const destination = { url, key: 'before', sameDocument: false }
    const event = Object.assign(new Event('navigate', { cancelable: true }), {
      destination,
      navigationType: 'push',
      ...more,
    })
    return !navigation.dispatchEvent(event)
  }
  return {
    tab,
    gone,
    navigate,
    press: (key: string | undefined, ctrlKey = false) =>
      tab.dispatchEvent(Object.assign(new Event('keydown'), { key, ctrlKey, metaKey: false })),
    asks: () => !tab.dispatchEvent(new Event('beforeunload', { cancelable: true })),
    notes: createNoteDrafts(tab.sessionStorage, owner),
    replies: createReplyDrafts(tab.sessionStorage, owner),
  }
}

it('what the tab keeps is not lost by a reload or a way within it, what only the page has is', () => {
  const { notes, asks, press, navigate, gone } = openTab()
  notes.write(lead, 'Ring')
  press('F5')
  expect([asks(), asks()], 'the next time it closes').toEqual([false, true])
  press('r', true)
  expect(asks()).toBe(false)
  press('r')
  press(undefined, true)
  expect(asks()).toBe(true)
  navigate('https://intag.test/signin')
  expect(asks()).toBe(false)
  navigate('https://intag.test/questions', { destination: { url: 'https://intag.test/q', sameDocument: true } })
  expect(asks(), 'a way that leaves no page').toBe(true)
  navigate('https://elsewhere.test/')
  expect(asks()).toBe(true)
  for (const url of ['mailto:anna@skola.test?subject=Hej', 'tel:+46701234567']) {
    navigate(url)
    expect(asks(), 'another program opens, the page stays').toBe(false)
  }
  const release = holdForm()
  press('F5')
  expect(asks(), 'a changed form').toBe(true)
  release()
  outbox.begin({ lead, send: async () => {}, onTakenBack: () => {} })
  press('F5')
  expect(asks(), 'a reply on its way out').toBe(true)
  outbox.takeBack(lead)
  gone.abort()
})

it('does not ask after a sign-out, when nothing can be saved any more', () => {
  const browser = memoryStorage()
  const { notes, asks, gone } = openTab({ browser })
  notes.write(lead, 'Ring')
  noteSignOut(browser, 'sara', 'first')
  expect(asks()).toBe(false)
  gone.abort()
})

it('counts what one user has not saved, and nothing of another', () => {
  const { tab, notes, replies, gone } = openTab()
  createNoteDrafts(tab.sessionStorage, 'anna').write(lead, 'Ring')
  expect(countUnsaved(tab, 'sara')).toEqual({ notes: 0, replies: 0, forms: 0 })
  notes.write(lead, 'Ring')
  replies.write(lead, draft)
  const release = holdForm()
  expect(countUnsaved(tab, 'sara')).toEqual({ notes: 1, replies: 1, forms: 1 })
  release()
  gone.abort()
})
