import { countUnsavedForms, leaveRequest } from '@/components/ui/unsaved-work'
import { countDrafts } from '@/lib/inbox/drafts'
import { outbox } from '@/lib/inbox/outbox'
import { isSignedOut, watchSignOuts } from '@/lib/inbox/sign-outs'
import { startTimeout } from '@/lib/start-timeout'

/** Asks before unsaved texts are lost, and forgets them after a sign-out in another tab. */
export function guardUnsaved(tab: Window, owner: string, signal: AbortSignal): void {
  if (signal.aborted) return
  watchSignOuts(tab, signal)
  guardHistorySteps(tab, signal)
  guardClosing(tab, owner, signal)
}

export function countUnsaved(storage: Storage, owner: string) {
  return { ...countDrafts(storage, owner), forms: countUnsavedForms() }
}

/** Asks before a step back or forward within Intag would lose a changed form. */
function guardHistorySteps(tab: Window, signal: AbortSignal): void {
  let isStepConfirmed = false
  const onNavigate = (event: NavigateEvent) => {
    const { destination, navigationType, cancelable } = event
    const isStep = navigationType === 'traverse' && new URL(destination.url).pathname !== tab.location.pathname
    if (!isStep || !cancelable || countUnsavedForms() === 0) return
    if (!isStepConfirmed) {
      event.preventDefault()
      const proceed = () => {
        isStepConfirmed = true
        tab.navigation.traverseTo(destination.key)
      }
      leaveRequest.set({ kind: 'form', proceed })
    }
    isStepConfirmed = false
  }
  // Older browsers have no `navigation`.
  tab.navigation?.addEventListener('navigate', onNavigate, { signal })
}

/** A departure is forgotten after this time, because a later `beforeunload` has another cause. */
const DEPARTURE_TIMEOUT_MS = 1_000

/** Asks before the tab closes if a text would be lost. */
function guardClosing(tab: Window, owner: string, signal: AbortSignal): void {
  /** Where a followed link leads. Null also for a reload by key or button, which looks like closing the tab. */
  let departure: 'program' | 'same-tab' | null = null
  const onNavigate = ({ destination }: NavigateEvent) => {
    const { protocol, origin } = new URL(destination.url)
    if (!/^https?:$/.test(protocol)) departure = 'program'
    else if (origin === tab.location.origin && !destination.sameDocument) departure = 'same-tab'
    startTimeout(DEPARTURE_TIMEOUT_MS, () => {
      departure = null
    })
  }
  const askBeforeClosing = (event: Event) => {
    const lastDeparture = departure
    departure = null
    // After a sign-out nothing can be saved any more, and staying would not help.
    if (lastDeparture === 'program' || isSignedOut(tab.sessionStorage, tab.localStorage)) return
    const { notes, replies, forms } = countUnsaved(tab.sessionStorage, owner)
    // Drafts survive in the tab's storage, so a next page in this tab loses only changed forms and mails on their way.
    const areDraftsLost = lastDeparture === null && notes + replies > 0
    if (areDraftsLost || forms > 0 || outbox.isBusy()) event.preventDefault()
  }
  tab.navigation?.addEventListener('navigate', onNavigate, { signal })
  tab.addEventListener('beforeunload', askBeforeClosing, { signal })
}
