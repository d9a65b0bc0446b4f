import { createExternalStore } from './external-store'

/** The number of forms with unsaved changes, which are lost with the page. */
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

/** The request to leave that waits for the user's answer, or null. */
export const leaveRequest = createExternalStore<LeaveRequest | null>(null)

export const requestSignOut = () => leaveRequest.set({ kind: 'sign-out' })

/** Calls `proceed`, after asking the user if a changed form would be lost. */
export function confirmIfUnsaved(isChanged: boolean, proceed: () => void): void {
  if (isChanged) leaveRequest.set({ kind: 'form', proceed })
  else proceed()
}
