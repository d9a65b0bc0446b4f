import type { ReactNode } from 'react'

export type Toast = {
  text: ReactNode
  tone: 'plain' | 'error'
  action?: ToastAction | undefined
  /** Replaces the one before with the same topic, unless that is an error. */
  topic?: string | undefined
  /** Also replaces one that has the same word here. */
  replaces?: string | undefined
  /** Until its action is chosen. */
  stays?: boolean | undefined
}
export type ToastAction = { label: string; onClick: () => void }
type ToastOptions = Partial<Omit<Toast, 'text'>>

/** Said before anything could show it. */
let waiting: Toast[] = []
let show = (next: Toast): void => void waiting.push(next)

/** Says briefly what happened; `action` is the way back (undo). Shown by `<Toaster />`, and read aloud. */
export function toast(text: ReactNode, options: ToastOptions = {}): void {
  show({ tone: 'plain', ...options, text })
}

export function showToasts(by: (toast: Toast) => void): () => void {
  const before = show
  show = by
  waiting.forEach(by)
  waiting = []
  return () => {
    show = before
  }
}
