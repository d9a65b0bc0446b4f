import { unsavedWork } from '@/components/browser/unsaved-work'

/** A changed form: it counts as unsaved until what this returns is called. */
export function holdForm(): () => void {
  const add = (one: 1 | -1) => unsavedWork.show({ forms: unsavedWork.read().forms + one })
  let isHeld = true
  add(1)
  return () => {
    if (isHeld) add(-1)
    isHeld = false
  }
}
