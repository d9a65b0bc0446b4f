import { expect, it, onTestFinished } from 'vitest'
import { registerUnsavedForm } from '@/components/ui/unsaved-work'
import { createNoteDrafts } from '@/lib/inbox/drafts'
import { recordSignOut } from '@/lib/inbox/sign-outs'
import { memoryStorage } from '@/lib/inbox/testing/memory-storage'
import { outbox } from '@/lib/inbox/outbox'
import { countUnsaved, guardUnsaved } from './unsaved-guard'

const lead = { kind: 'asked-question', id: 'q1' } as const

function openTab() {
  const browser = memoryStorage()
  const navigation = Object.assign(new EventTarget(), { traverseTo: () => {} })
  const tab = Object.assign(new EventTarget(), {
    sessionStorage: memoryStorage(),
    localStorage: browser,
    location: { origin: 'https://intag.test', pathname: '/admin/templates', assign: () => {} },
    navigation,
  })
  const gone = new AbortController()
  guardUnsaved(tab, 'sara', gone.signal)
  onTestFinished(() => gone.abort())
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
    browser,
    navigate,
    press: (key: string | undefined, ctrlKey = false) =>
      tab.dispatchEvent(Object.assign(new Event('keydown'), { key, ctrlKey, metaKey: false })),
    asks: () => !tab.dispatchEvent(new Event('beforeunload', { cancelable: true })),
    notes: createNoteDrafts(tab.sessionStorage, 'sara'),
  }
}

it('what the tab keeps is not lost by a reload or a way within it, what only the page has is', () => {
  const { tab, notes, asks, press, navigate } = openTab()
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
  const release = registerUnsavedForm()
  expect(countUnsaved(tab, 'sara')).toEqual({ notes: 1, replies: 0, forms: 1 })
  press('F5')
  expect(asks(), 'a changed form').toBe(true)
  release()
  outbox.enqueue({ lead, send: async () => {}, onTakenBack: () => {} })
  press('F5')
  expect(asks(), 'a reply on its way out').toBe(true)
  outbox.takeBack(lead)
})

it('does not ask after a sign-out, when nothing can be saved any more', () => {
  const { browser, notes, asks } = openTab()
  notes.write(lead, 'Ring')
  recordSignOut(browser, 'sara', 'first')
  expect(asks()).toBe(false)
})
