import { confirmIfUnsaved, unsavedForms } from '@/components/ui/unsaved-work'
import { countDrafts } from '@/lib/inbox/drafts'
import { outbox } from '@/lib/inbox/outbox'
import { draftIndex } from '@/lib/inbox/draft-index'
import { isSignedOut, watchSignOuts } from '@/lib/inbox/sign-outs'

export type TabLike = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
  sessionStorage: Storage
  localStorage: Storage
  location: Pick<Location, 'origin' | 'pathname' | 'assign'>
  /** Undefined in older browsers. */
  navigation?: (EventTarget & { traverseTo: (key: string) => unknown }) | undefined
}

/** Counts what the user has written in this tab and not saved or sent. */
export function countUnsaved({ sessionStorage }: Pick<TabLike, 'sessionStorage'>, owner: string) {
  return { ...countDrafts(sessionStorage, owner), forms: unsavedForms.read() }
}

const DEPARTURE_MS = 1_000

/**
 * Asks before the tab closes if a text would be lost. It listens only while there is one, so that other pages stay in
 * the browser's back-forward cache. Going back within Intag asks if a changed form would be lost.
 */
export function guardUnsaved(tab: TabLike, owner: string, signal: AbortSignal): void {
  if (signal.aborted) return
  watchSignOuts(tab, signal)
  /** The last sign of how the page is being left. The reload button gives none, so it looks like closing the tab. */
  let departure: { to: 'program' | 'same-tab'; startedAt: number } | null = null
  let isBackAllowed = false
  const onKey = (event: Event) => {
    // Autofill sends events without a `key`.
    const { key, ctrlKey, metaKey } = event as Partial<KeyboardEvent>
    const isReload = key === 'F5' || ((ctrlKey || metaKey) && key?.toLowerCase() === 'r')
    if (isReload) departure = { to: 'same-tab', startedAt: performance.now() }
  }
  const onNavigate = (event: Event) => {
    const { destination, navigationType, cancelable } = event as NavigateEvent
    const url = new URL(destination.url)
    const to = /^https?:$/.test(url.protocol) ? 'same-tab' : 'program'
    const isTabKept = to === 'program' || (url.origin === tab.location.origin && !destination.sameDocument)
    if (isTabKept) departure = { to, startedAt: performance.now() }
    const isBack = navigationType === 'traverse' && cancelable && url.pathname !== tab.location.pathname
    if (!isBack || unsavedForms.read() === 0) return
    if (isBackAllowed) return void (isBackAllowed = false)
    event.preventDefault()
    confirmIfUnsaved(true, () => {
      isBackAllowed = true
      tab.navigation?.traverseTo(destination.key)
    })
  }
  const askBeforeClosing = (event: Event) => {
    const isSoon = departure !== null && performance.now() - departure.startedAt < DEPARTURE_MS
    const to = isSoon ? departure?.to : undefined
    departure = null
    // After a sign-out nothing can be saved any more, and staying would not help.
    if (to === 'program' || isSignedOut(tab.sessionStorage, tab.localStorage)) return
    // Drafts survive in the tab's storage, so a next page in this tab loses only changed forms and mails on their way.
    if (to !== 'same-tab' || unsavedForms.read() > 0 || outbox.isBusy()) event.preventDefault()
  }
  const updateListener = () => {
    const isUnsaved = !signal.aborted && Object.values(countUnsaved(tab, owner)).some((count) => count > 0)
    if (isUnsaved) tab.addEventListener('beforeunload', askBeforeClosing)
    else tab.removeEventListener('beforeunload', askBeforeClosing)
  }
  const unsubscribes = [draftIndex.subscribe(updateListener), unsavedForms.subscribe(updateListener)]
  signal.addEventListener('abort', () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    updateListener()
  })
  tab.addEventListener('keydown', onKey, { signal })
  tab.navigation?.addEventListener('navigate', onNavigate, { signal })
  updateListener()
}
