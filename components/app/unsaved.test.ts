import { expect, it } from 'vitest'
import { holdForm } from '@/components/ui/unsaved-work'
import { createNoteDrafts, createReplyDrafts, noteSignOut } from '@/lib/inbox/drafts'
import { memoryStorage } from '@/lib/inbox/testing/memory-storage'
import { outbox } from '@/lib/inbox/outbox'
import { findUnsaved, type TabLike, watchUnsaved } from './unsaved'

const lead = { kind: 'asked-question', id: 'q1' } as const
const draft = { subject: 'Svar', body: 'Hej!', isQuoted: true, seenAttempt: null }

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** The locks of a browser: shared ones that are held until their work is done. */
function createLocks() {
  const held = new Set<{ name: string }>()
  const request = async (name: string, _: LockOptions, work: () => Promise<void>) => {
    const lock = { name }
    held.add(lock)
    await work()
    held.delete(lock)
  }
  const names = () => [...held].map(({ name }) => name)
  return {
    locks: { request, query: async () => ({ held: [...held] }) } as unknown as TabLike['navigator']['locks'],
    names,
  }
}

function openTab({ locks = createLocks().locks, browser = memoryStorage(), owner = 'sara' } = {}) {
  const navigation = Object.assign(new EventTarget(), { traverseTo: () => {} })
  const tab = Object.assign(new EventTarget(), {
    sessionStorage: memoryStorage(),
    localStorage: browser,
    location: { origin: 'https://intag.test', pathname: '/admin/templates', assign: () => {} },
    navigation,
    navigator: { locks },
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
  outbox.begin({ lead, send: async () => {}, onTakenBack: () => {}, isLast: () => true })
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

it('the other tabs of the browser know what one user has not saved in this one, and no text of it', async () => {
  const { locks, names } = createLocks()
  const [first, second, others] = [openTab({ locks }), openTab({ locks }), openTab({ locks, owner: 'anna' })]
  const none = { notes: 0, replies: 0, forms: 0 }
  expect(await findUnsaved(first.tab, 'sara')).toEqual({ here: none, elsewhere: none })
  first.notes.write(lead, 'Ring')
  second.notes.write(lead, 'Ring')
  second.replies.write(lead, draft)
  others.replies.write(lead, draft)
  await settled()
  expect(await findUnsaved(first.tab, 'sara')).toEqual({
    here: { ...none, notes: 1 },
    elsewhere: { ...none, notes: 1, replies: 1 },
  })
  expect(names().join()).not.toMatch(/Ring|Hej/)
  second.gone.abort()
  await settled()
  expect((await findUnsaved(first.tab, 'sara')).elsewhere).toEqual(none)
  const alone = openTab({ locks: undefined })
  alone.notes.write(lead, 'Ring')
  expect((await findUnsaved(alone.tab, 'sara')).here.notes).toBe(1)
  for (const { gone } of [first, others, alone]) gone.abort()
  await settled()
  expect(names()).toEqual([])
})
