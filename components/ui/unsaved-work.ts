import { createExternalStore } from './external-store'

/** Counts the forms with unsaved changes (`useSaveForm`), which are lost with the page. */
export const countUnsavedForms = () => document.querySelectorAll('[data-unsaved]').length

export type LeaveRequest = { kind: 'sign-out' } | { kind: 'form'; proceed: () => void }

/** The request to leave that waits for the user's answer, or null. */
export const leaveRequest = createExternalStore<LeaveRequest | null>(null)

export const requestSignOut = () => leaveRequest.set({ kind: 'sign-out' })

/** Calls `proceed` at once, or, if a changed form would be lost, only once the user has agreed. */
export function confirmIfUnsaved(isChanged: boolean, proceed: () => void): void {
  if (isChanged) leaveRequest.set({ kind: 'form', proceed })
  else proceed()
}
