import { createShownState } from './shown-state'

/** How many changed forms there are, whose texts end with the page. */
export const unsavedWork = createShownState({ forms: 0 })

/** A changed form counts as unsaved until the returned function is called. */
export function holdForm(): () => void {
  const add = (one: 1 | -1) => unsavedWork.show({ forms: unsavedWork.read().forms + one })
  let isHeld = true
  add(1)
  return () => {
    if (isHeld) add(-1)
    isHeld = false
  }
}

export type Leaving = { kind: 'sign-out' } | { kind: 'form'; proceed: () => void }

/** What the user is about to do that could lose a text, until it is done or they stay. */
export const leaving = createShownState<Leaving | null>(null)

export const requestSignOut = () => leaving.show({ kind: 'sign-out' })

/** Asks first where a changed form would be lost. */
export function leaveForm(isChanged: boolean, proceed: () => void): void {
  if (isChanged) leaving.show({ kind: 'form', proceed })
  else proceed()
}
