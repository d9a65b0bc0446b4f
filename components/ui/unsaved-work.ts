import { createExternalStore } from './external-store'

/** The number of forms with unsaved changes, which are lost with the page. */
export const unsavedFormCount = createExternalStore(0)

/** A changed form counts as unsaved until the returned function is first called. */
export function registerUnsavedForm(): () => void {
  let isRegistered = true
  unsavedFormCount.set(unsavedFormCount.read() + 1)
  return () => {
    if (isRegistered) unsavedFormCount.set(unsavedFormCount.read() - 1)
    isRegistered = false
  }
}

export type LeaveRequest = { kind: 'sign-out' } | { kind: 'form'; proceed: () => void }

/** The request to leave that waits for the user's answer, or null. */
export const leaveRequest = createExternalStore<LeaveRequest | null>(null)

export const requestSignOut = () => leaveRequest.set({ kind: 'sign-out' })

/** Calls `proceed` at once, or, if a changed form would be lost, only once the user has agreed. */
export function confirmIfUnsaved(isChanged: boolean, proceed: () => void): void {
  if (isChanged) leaveRequest.set({ kind: 'form', proceed })
  else proceed()
}
