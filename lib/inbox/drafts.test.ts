import { expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { draftIndex } from './draft-index'
import { countDrafts, createNoteDrafts, createReplyDrafts } from './drafts'
import { outbox } from './outbox'
import { forgetUser, isSignedOut, recordSignOut, watchSignOuts } from './sign-outs'
import { memoryStorage } from './testing/memory-storage'

const lead: LeadRef = { kind: 'asked-question', id: 'q"1' }
const declaration: LeadRef = { ...lead, kind: 'declaration-of-interest' }
const draft = { subject: 'Svar', body: 'Hej!', seenAttempt: null }

/** The storage of a tab, and its drafts of each user. */
function openTab() {
  const held = new Map<string, string>()
  const storage = memoryStorage(held)
  const notesOf = (owner: string) => createNoteDrafts(storage, owner)
  const repliesOf = (owner: string) => createReplyDrafts(storage, owner)
  return { held, storage, notesOf, repliesOf }
}

test('a draft belongs to one lead and one user', () => {
  const { notesOf, repliesOf } = openTab()
  notesOf('sara').write(lead, 'Ring efter')
  repliesOf('sara').write(lead, draft)
  const read = (owner: string, of: LeadRef) => [notesOf(owner).read(of), repliesOf(owner).read(of)]
  expect(read('sara', lead)).toEqual(['Ring efter', draft])
  for (const other of [read('sara', declaration), read('anna', lead)]) expect(other).toEqual(['', null])
})

test('counts the leads with a text of one user, also one that is being saved', () => {
  const { storage, notesOf, repliesOf } = openTab()
  const seen: number[] = []
  const stop = draftIndex.subscribe(() => seen.push(countDrafts(storage, 'sara').notes))
  for (const text of ['R', 'Ri']) notesOf('sara').write(lead, text)
  notesOf('anna').write(lead, 'Annas')
  for (const one of [lead, declaration]) repliesOf('sara').write(one, draft)
  repliesOf('sara').getMailKey(lead, 'Hej!', () => 'name')
  const { finish } = notesOf('sara').beginSaving(declaration, 'Ring')
  expect(countDrafts(storage, 'sara')).toEqual({ notes: 2, replies: 2 })
  finish()
  notesOf('sara').write(lead, '')
  stop()
  expect(countDrafts(storage, 'sara')).toEqual({ notes: 0, replies: 2 })
  expect([seen[0], seen.at(-1)], 'told when it changes').toEqual([1, 0])
})

test('a note that is being saved comes back after a reload or a failure, before what was typed since', () => {
  const { held, notesOf } = openTab()
  const notes = notesOf('sara')
  const [first, second, third] = ['Ett', 'Två', 'Tre'].map((text) => notes.beginSaving(lead, text))
  const restored: string[] = []
  const unregister = notes.registerField(lead, (text) => restored.push(text))
  notes.write(lead, 'Fyra')
  first?.restore()
  unregister()
  second?.restore()
  expect(restored, 'into the field, while that is on screen').toEqual(['Ett'])
  expect(notes.read(lead)).toBe('Två\n\nEtt\n\nFyra')
  expect(notesOf('anna').recover(lead)).toBe('')
  expect(notesOf('sara').recover(lead), 'after a reload').toBe('Tre\n\nTvå\n\nEtt\n\nFyra')
  third?.finish()
  notes.write(lead, ' \n')
  expect(held.size, 'an emptied note leaves nothing behind').toBe(0)
})

test('what is unsent is known from its first letter until it is sent or leaves, and again when it comes back', () => {
  const { storage, repliesOf } = openTab()
  const seen: boolean[] = []
  const has = (owner = 'sara') => draftIndex.hasReplyDraft(storage, owner, lead)
  const stop = draftIndex.subscribe(() => seen.push(has()))
  const own = repliesOf('sara')
  own.write(lead, draft)
  own.write(lead, { ...draft, body: 'Hej! Ja.' })
  expect([seen, has('anna')], 'told once').toEqual([[true], false])
  outbox.enqueue({ lead, send: async () => {}, onTakenBack: () => {} })
  outbox.takeBack(lead)
  own.forget(lead)
  stop()
  own.write(lead, draft)
  expect(seen).toEqual([true, false, true, false])
})

test('the key of a mail holds for one text, also over a reload, until it is sent', () => {
  const { held, repliesOf } = openTab()
  let count = 0
  const named = (text: string) => repliesOf('sara').getMailKey(lead, text, () => `name-${(count += 1)}`)
  expect(['Hej', 'Hej', 'Hej!', 'Hej!'].map(named)).toEqual(['name-1', 'name-1', 'name-2', 'name-2'])
  repliesOf('sara').forget(lead)
  expect(named('Hej!')).toBe('name-3')
  repliesOf('sara').forgetMailKey(lead)
  expect(named('Hej!')).toBe('name-4')
  expect([...held.values()].join()).not.toContain('Hej')
})

/** A tab with texts of these users, in a browser with other tabs. `load` loads a page in it that watches the others. */
function openTabOf(...owners: string[]) {
  const { held, storage, notesOf, repliesOf } = openTab()
  const browser = memoryStorage()
  const went: string[] = []
  const tab = Object.assign(new EventTarget(), {
    sessionStorage: storage,
    localStorage: browser,
    location: { assign: (path: string | URL) => void went.push(String(path)) },
  })
  const write = (owner: string) => {
    repliesOf(owner).write(lead, draft)
    repliesOf(owner).getMailKey(lead, 'Hej!', () => 'name')
    notesOf(owner).write(lead, 'Ring')
  }
  owners.forEach(write)
  storage.setItem('intag:search:x', 'Åsa')
  const ownerIn = (key: string) => /\["(\w+)"/.exec(key)?.[1] ?? 'search'
  const left = () => [...new Set([...held.keys()].filter((key) => !key.includes('signed-out')).map(ownerIn))]
  const load = (signal = new AbortController().signal) => watchSignOuts(tab, signal)
  const announce = (key: string | null, newValue: string | null) =>
    tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  return { browser, storage, write, left, load, announce, went }
}

test('signing out clears its own tab, but for what another user wrote before the session was lost', () => {
  const { browser, storage, write, left, load } = openTabOf('sara')
  recordSignOut(browser, 'anna', 'long ago')
  load()
  write('anna')
  forgetUser(storage, 'sara')
  load()
  expect(left()).toEqual(['anna'])
})

test('signing out ends what its user wrote in tabs that sleep meanwhile, and nothing that was begun after it', () => {
  const { browser, write, left, load } = openTabOf('anna')
  const keepsSara = () => {
    write('sara')
    load()
    return left().includes('sara')
  }
  expect(keepsSara(), 'the session was only lost').toBe(true)
  recordSignOut(browser, 'sara', 'first')
  expect([keepsSara(), left(), keepsSara()]).toEqual([false, ['anna', 'search'], true])
  recordSignOut(browser, 'sara', 'second')
  expect(keepsSara()).toBe(false)
})

test('signing out in another tab clears what its user wrote in this one, and leaves its screen, unless that is gone', () => {
  const { browser, storage, left, load, announce, went } = openTabOf('sara', 'anna')
  const gone = new AbortController()
  load(gone.signal)
  recordSignOut(browser, 'sara', 'first')
  expect(isSignedOut(storage, browser), 'while the tab leaves').toBe(true)
  announce('intag:notices', 'on')
  announce(browser.key(0), null)
  expect([left(), went], 'something else is written there').toEqual([['sara', 'anna', 'search'], []])
  announce(browser.key(0), 'first')
  gone.abort()
  announce(browser.key(0), 'second')
  expect([left(), went]).toEqual([['anna'], ['/signin?signedOut']])
  load()
  expect(isSignedOut(storage, browser), 'one of long ago').toBe(false)
})
