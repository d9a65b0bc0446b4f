import { NOTE_PREFIX } from './note-drafts'
import { forgetRepliesOfOthers, REPLY_PREFIX } from './reply-drafts'
import { forgetKeys, type StorageLike } from './tab-storage'

/** In the browser the name of its last sign-out, in each tab that of the last one it knows of. */
const KEY = 'intag:signed-out'

/** Tells the browser's other tabs, also those that sleep or are closed, that the person signs out. `name` is new each time. */
export function noteSignOut(browser: Pick<Storage, 'setItem'>, name: string): void {
  try {
    browser.setItem(KEY, name)
  } catch {
    // Storage may be full or forbidden. Then a tab keeps what is half written until somebody else signs in.
  }
}

/**
 * In a tab that comes up: the replies and notes that were half written before somebody signed out in this browser go. A session that ended
 * otherwise (idle, by an administrator, from another device) is noted nowhere, and they stay.
 */
export function forgetSignedOut(tab: StorageLike, browser: Pick<Storage, 'getItem'>): void {
  const last = browser.getItem(KEY)
  if (last === null || !isSignedOut(tab, browser)) return
  forgetKeys(tab, (key) => key.startsWith(REPLY_PREFIX) || key.startsWith(NOTE_PREFIX))
  noteSignOut(tab, last)
}

/** Whether somebody has signed out in this browser since this tab came up: it is about to go, with all that it holds. */
export function isSignedOut(tab: Pick<Storage, 'getItem'>, browser: Pick<Storage, 'getItem'>): boolean {
  const last = browser.getItem(KEY)
  return last !== null && last !== tab.getItem(KEY)
}

/** The part of a tab that is used. */
type TabLike = Pick<EventTarget, 'addEventListener'> & {
  sessionStorage: StorageLike & Pick<Storage, 'clear'>
  localStorage: Pick<Storage, 'getItem'>
  location: Pick<Location, 'assign'>
}

/**
 * What others left half written in this tab goes: of somebody whose session ended, and of whoever signed out in another tab. None
 * of it is shown meanwhile, for each draft bears the name of whose it is. At a sign-out in another tab the screen goes, too.
 */
export function guardHalfWritten(tab: TabLike, owner: string, signal: AbortSignal): void {
  if (signal.aborted) return
  forgetRepliesOfOthers(tab.sessionStorage, owner)
  forgetSignedOut(tab.sessionStorage, tab.localStorage)
  const look = (event: Event) => {
    if (!isSignOut(event)) return
    tab.sessionStorage.clear()
    tab.location.assign('/signin?signedOut')
  }
  tab.addEventListener('storage', look, { signal })
}

/** The other tabs, and only they, are told of what is written into the browser's storage. */
function isSignOut(event: Event): boolean {
  return 'key' in event && event.key === KEY && 'newValue' in event && event.newValue !== null
}
