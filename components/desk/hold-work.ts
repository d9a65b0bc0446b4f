import { unsavedWork } from '@/components/browser/unsaved-work'

/** Counts as unsaved until what it returns is called. */
export function holdWork(work: 'forms' | 'sendings'): () => void {
  const add = (one: 1 | -1) => {
    const now = unsavedWork.read()
    unsavedWork.show({ ...now, [work]: now[work] + one })
  }
  let isHeld = true
  add(1)
  return () => {
    if (isHeld) add(-1)
    isHeld = false
  }
}
