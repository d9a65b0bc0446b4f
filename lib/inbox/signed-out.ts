import { NOTE_PREFIX } from './note-drafts'
import { REPLY_PREFIX } from './reply-drafts'
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
  if (last === null || last === tab.getItem(KEY)) return
  forgetKeys(tab, (key) => key.startsWith(REPLY_PREFIX) || key.startsWith(NOTE_PREFIX))
  noteSignOut(tab, last)
}

/** Whether an event of `storage`, which only the other tabs get, says that somebody signed out. */
export function isSignOut({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  return key === KEY && newValue !== null
}
