import { listKeys, removeKeys, tryStore } from './browser-storage'
import { draftIndex, NOTE_PREFIX, REPLY_PREFIX } from './draft-index'
import { isDraftOf } from './drafts'
import { UNSENT_KEY } from './own-changes'

/** The browser stores the id of a user's last sign-out, and each tab the id of the last one that it has seen. */
const SIGN_OUT_PREFIX = 'intag:signed-out:'

/** Records a sign-out for the browser's other tabs, also those that are asleep or closed. Each has a new id. */
export function recordSignOut(localStorage: Storage, owner: string, signOutId: string): void {
  tryStore(localStorage, SIGN_OUT_PREFIX + owner, signOutId)
}

/** Removes all that a user left in this tab, but no other user's drafts. */
export function forgetUser(sessionStorage: Storage, owner: string): void {
  const prefixes = [NOTE_PREFIX, REPLY_PREFIX, SIGN_OUT_PREFIX]
  removeKeys(sessionStorage, (key) => isDraftOf(owner, key) || !prefixes.some((prefix) => key.startsWith(prefix)))
}

/** Removes the drafts of users who have signed out since this tab last looked. A lost session keeps them. */
export function forgetSignedOut(sessionStorage: Storage, localStorage: Storage): void {
  const owners = findSignedOutOwners(sessionStorage, localStorage)
  for (const owner of owners) {
    removeKeys(sessionStorage, (key) => isDraftOf(owner, key) || key === UNSENT_KEY)
    tryStore(sessionStorage, SIGN_OUT_PREFIX + owner, localStorage.getItem(SIGN_OUT_PREFIX + owner) ?? '')
  }
  if (owners.length > 0) draftIndex.notify()
}

export function isSignedOut(sessionStorage: Storage, localStorage: Storage): boolean {
  return findSignedOutOwners(sessionStorage, localStorage).length > 0
}

function findSignedOutOwners(sessionStorage: Storage, localStorage: Storage): string[] {
  return listKeys(localStorage)
    .filter((key) => key.startsWith(SIGN_OUT_PREFIX) && localStorage.getItem(key) !== sessionStorage.getItem(key))
    .map((key) => key.slice(SIGN_OUT_PREFIX.length))
}

type TabLike = Pick<EventTarget, 'addEventListener'> & {
  sessionStorage: Storage
  localStorage: Storage
  location: Pick<Location, 'assign'>
}

/** After a sign-out in another tab, this tab forgets the user's texts and shows the sign-in page. */
export function watchSignOuts(tab: TabLike, signal: AbortSignal): void {
  if (signal.aborted) return
  forgetSignedOut(tab.sessionStorage, tab.localStorage)
  const onStorage = (event: Event) => {
    const { key, newValue } = event as StorageEvent
    if (!key?.startsWith(SIGN_OUT_PREFIX) || newValue === null) return
    forgetUser(tab.sessionStorage, key.slice(SIGN_OUT_PREFIX.length))
    tab.location.assign('/signin?signedOut')
  }
  tab.addEventListener('storage', onStorage, { signal })
}
