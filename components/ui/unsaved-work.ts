import { createExternalStore } from './external-store'

/** How many changed forms there are, whose texts end with the page. */
export const unsavedWork = createExternalStore({ formCount: 0 })

/** A changed form counts as unsaved until the returned function is called. */
export function registerUnsavedForm(): () => void {
  const add = (one: 1 | -1) => unsavedWork.set({ formCount: unsavedWork.read().formCount + one })
  let isRegistered = true
  add(1)
  return () => {
    if (isRegistered) add(-1)
    isRegistered = false
  }
}

export type LeaveRequest = { kind: 'sign-out' } | { kind: 'form'; proceed: () => void }

/** What the user is about to do that could lose a text, until it is done or they stay. */
export const leaveRequest = createExternalStore<LeaveRequest | null>(null)

export const requestSignOut = () => leaveRequest.set({ kind: 'sign-out' })

/** Asks first where a changed form would be lost. */
export function confirmIfUnsaved(isChanged: boolean, proceed: () => void): void {
  if (isChanged) leaveRequest.set({ kind: 'form', proceed })
  else proceed()
}
