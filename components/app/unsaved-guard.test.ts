import { expect, it, onTestFinished, vi } from 'vitest'
import { createNoteDrafts } from '@/lib/inbox/drafts'
import { recordSignOut } from '@/lib/inbox/sign-outs'
import { memoryStorage } from '@/lib/inbox/testing/memory-storage'
import { outbox } from '@/lib/inbox/outbox'
import { countUnsaved, guardUnsaved } from './unsaved-guard'

const lead = { kind: 'asked-question', id: 'q1' } as const

const changedForms: object[] = []

function openTab() {
  vi.stubGlobal('document', { querySelectorAll: () => changedForms })
  const navigation = new EventTarget()
  const storages = { sessionStorage: memoryStorage(), localStorage: memoryStorage() }
  const location = { origin: 'https://intag.test', pathname: '/admin/templates' }
  const tab = Object.assign(new EventTarget(), { ...storages, location, navigation }) as unknown as Window
  const unmount = new AbortController()
  guardUnsaved(tab, 'sara', unmount.signal)
  onTestFinished(() => unmount.abort())
  return {
    tab,
    navigate: (url: string, sameDocument = false) =>
      navigation.dispatchEvent(Object.assign(new Event('navigate'), { destination: { url, sameDocument } })),
    asks: () => !tab.dispatchEvent(new Event('beforeunload', { cancelable: true })),
    notes: createNoteDrafts(tab.sessionStorage, 'sara'),
  }
}

it('what the tab keeps is not lost by a way within it, what only the page has is', () => {
  const { tab, notes, asks, navigate } = openTab()
  notes.write(lead, 'Ring')
  navigate('https://intag.test/signin')
  expect([asks(), asks()], 'the next time it closes').toEqual([false, true])
  navigate('https://intag.test/q', true)
  expect(asks(), 'a way that leaves no page').toBe(true)
  navigate('https://elsewhere.test/')
  expect(asks()).toBe(true)
  navigate('mailto:anna@skola.test?subject=Hej')
  expect(asks(), 'another program opens, the page stays').toBe(false)
  changedForms.push({})
  expect(countUnsaved(tab.sessionStorage, 'sara')).toEqual({ notes: 1, replies: 0, forms: 1 })
  navigate('https://intag.test/signin')
  expect(asks(), 'a changed form').toBe(true)
  changedForms.pop()
  outbox.enqueue({ lead, send: async () => {}, onTakenBack: () => {} })
  navigate('https://intag.test/signin')
  expect(asks(), 'a reply on its way out').toBe(true)
  outbox.takeBack(lead)
  recordSignOut(tab.localStorage, 'sara', 'first')
  expect(asks(), 'a sign-out, after which nothing can be saved').toBe(false)
})
