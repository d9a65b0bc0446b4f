import type { QueryClient } from '@tanstack/react-query'
import { unsavedWork, leaveForm } from '@/components/ui/unsaved-work'
import { countDrafts, type DraftCount, guardHalfWritten, isSignedOut } from '@/lib/inbox/drafts'
import { outbox } from '@/lib/inbox/outbox'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { StorageLike } from '@/lib/inbox/search-text'
import { keepUnsent } from '@/lib/inbox/unsent'

/** What a user has written and not saved or sent. */
export type Unsaved = DraftCount & { forms: number }

type Navigations = EventTarget & { traverseTo: (key: string) => unknown }

export type TabLike = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
  sessionStorage: StorageLike
  localStorage: StorageLike
  location: Pick<Location, 'origin' | 'pathname' | 'assign'>
  /** Undefined in older browsers. */
  navigation?: Navigations | undefined
  /** `locks` is undefined without HTTPS: then each tab knows of its own texts only. */
  navigator: { locks?: Pick<LockManager, 'request' | 'query'> | undefined }
}

const LOCK_PREFIX = 'intag:unsaved:'

/** In this tab, and in the browser's other tabs, which hold a lock that says it. */
export async function findUnsaved(tab: TabLike, owner: string): Promise<{ here: Unsaved; elsewhere: Unsaved }> {
  const prefix = `${LOCK_PREFIX}${owner}:`
  const names = ((await tab.navigator.locks?.query())?.held ?? []).map(({ name = '' }) => name)
  const own = names.indexOf(lockName(tab, owner))
  if (own !== -1) names.splice(own, 1)
  const elsewhere = { notes: 0, replies: 0, forms: 0 }
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const [notes = 0, replies = 0, forms = 0] = name.slice(prefix.length).split(',').map(Number)
    elsewhere.notes += notes
    elsewhere.replies += replies
    elsewhere.forms += forms
  }
  return { here: { ...countDrafts(tab.sessionStorage, owner), forms: unsavedWork.read().forms }, elsewhere }
}

function lockName(tab: TabLike, owner: string): string {
  const { notes, replies } = countDrafts(tab.sessionStorage, owner)
  return `${LOCK_PREFIX}${owner}:${[notes, replies, unsavedWork.read().forms].join()}`
}

/**
 * Asks before the tab closes over a text, and lets the other tabs know of it. Both only while there is one, so that
 * other pages stay in the browser's back-forward cache.
 */
export function watchUnsaved(tab: TabLike, owner: string, signal: AbortSignal): void {
  if (signal.aborted) return
  guardHalfWritten(tab, signal)
  const nothing = `${LOCK_PREFIX}${owner}:0,0,0`
  const departure = createDeparture(tab)
  const askBeforeClosing = (event: Event) => {
    const to = departure.take()
    // After a sign-out nothing can be saved any more, and staying would not help.
    if (to === 'program' || isSignedOut(tab.sessionStorage, tab.localStorage)) return
    // Drafts are in the storage of the tab, and found there by the page that comes, which sends none by itself.
    if (to !== 'same-tab' || unsavedWork.read().forms > 0 || outbox.isBusy()) event.preventDefault()
  }
  let stop = () => {}
  let before = nothing
  const look = () => {
    const now = signal.aborted ? nothing : lockName(tab, owner)
    if (now === before) return
    before = now
    stop()
    stop = now === nothing ? () => {} : holdLock(tab, now)
    const change = now === nothing ? 'removeEventListener' : 'addEventListener'
    tab[change]('beforeunload', askBeforeClosing)
    tab[change]('keydown', departure.onKey)
    tab.navigation?.[change]('navigate', departure.onNavigate)
  }
  const stops = [replyMarks.subscribe(look), unsavedWork.subscribe(look)]
  signal.addEventListener('abort', () => {
    for (const end of stops) end()
    look()
  })
  look()
}

function holdLock({ navigator: { locks } }: TabLike, name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  locks?.request(name, { mode: 'shared' }, () => promise).catch(() => {})
  return resolve
}

const SOON_MS = 1_000

/** What the browser is about to do, as far as it says so: it does not tell its reload button from closing the tab. */
function createDeparture({ location, navigation }: TabLike) {
  let last: { to: 'program' | 'same-tab'; startedAt: number } | null = null
  let isAllowed = false
  return {
    take: () => {
      const { to, startedAt } = last ?? { to: null, startedAt: -Infinity }
      last = null
      return performance.now() - startedAt < SOON_MS ? to : null
    },
    onKey: (event: Event) => {
      if (!('key' in event)) return
      const { key, ctrlKey, metaKey } = event as KeyboardEvent
      const isReload = key === 'F5' || ((ctrlKey || metaKey) && key?.toLowerCase() === 'r')
      if (isReload) last = { to: 'same-tab', startedAt: performance.now() }
    },
    onNavigate: (event: Event) => {
      const { destination, navigationType, cancelable } = event as NavigateEvent
      const url = new URL(destination.url)
      const to = /^https?:$/.test(url.protocol) ? 'same-tab' : 'program'
      const isKept = to === 'program' || (url.origin === location.origin && !destination.sameDocument)
      if (isKept) last = { to, startedAt: performance.now() }
      const isBack = navigationType === 'traverse' && cancelable && url.pathname !== location.pathname
      if (!isBack || unsavedWork.read().forms === 0) return
      if (isAllowed) return void (isAllowed = false)
      event.preventDefault()
      leaveForm(true, () => {
        isAllowed = true
        navigation?.traverseTo(destination.key)
      })
    },
  }
}

/** Keeps in the tab what is not sent yet, and sends what was kept; not what was left here before a sign-out in another tab. */
export function keepChanges(client: QueryClient, owner: string, tab: Pick<Window, 'sessionStorage' | 'localStorage'>) {
  const isOver = isSignedOut(tab.sessionStorage, tab.localStorage)
  return keepUnsent(client, isOver ? '' : owner, tab.sessionStorage)
}
