'use client'

export type Toast = {
  text: string
  tone: 'plain' | 'error'
  action?: { label: string; onClick: () => void } | undefined
}
type ToastOptions = Partial<Pick<Toast, 'action' | 'tone'>>

const asked = new EventTarget()

/** Says briefly what happened; `action` is the way back (undo). Shown by `<Toaster />`, and read aloud. */
export function toast(text: string, { action, tone = 'plain' }: ToastOptions = {}): void {
  asked.dispatchEvent(new CustomEvent<Toast>('toast', { detail: { text, tone, action } }))
}

export function onToast(show: (toast: Toast) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && show(event.detail)
  asked.addEventListener('toast', listen)
  return () => asked.removeEventListener('toast', listen)
}
