'use client'

export type Toast = {
  text: string
  tone: 'plain' | 'error'
  action?: { label: string; onClick: () => void } | undefined
  /** Takes the place of the one before of the same topic, unless that tells of an error. */
  topic?: string | undefined
}
type ToastOptions = Partial<Pick<Toast, 'action' | 'tone' | 'topic'>>

const asked = new EventTarget()

/** Says briefly what happened; `action` is the way back (undo). Shown by `<Toaster />`, and read aloud. */
export function toast(text: string, { action, topic, tone = 'plain' }: ToastOptions = {}): void {
  asked.dispatchEvent(new CustomEvent<Toast>('toast', { detail: { text, tone, action, topic } }))
}

export function onToast(show: (toast: Toast) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && show(event.detail)
  asked.addEventListener('toast', listen)
  return () => asked.removeEventListener('toast', listen)
}
