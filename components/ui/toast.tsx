import { useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'

type Toast = {
  text: string
  tone: 'plain' | 'error'
  action?: { label: string; onClick: () => void } | undefined
  /** Takes the place of the one before of the same topic, unless that tells of an error. */
  topic?: string | undefined
}
type ToastOptions = Partial<Pick<Toast, 'action' | 'tone' | 'topic'>>

const requests = new EventTarget()

/** Says briefly what happened; `action` is the way back (undo). Shown by `<Toaster />`, and read aloud. */
export function toast(text: string, { action, topic, tone = 'plain' }: ToastOptions = {}): void {
  requests.dispatchEvent(new CustomEvent<Toast>('toast', { detail: { text, tone, action, topic } }))
}

const MOST = 3
const SHOWN_MS = 6_000

type Shown = Toast & { id: number; until: number }

/** The place where toasts appear. They wait while the pointer or the focus is among them. */
export function Toaster({ label }: { label: string }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const [held, setHeld] = useState(false)
  const count = useRef(0)

  useEffect(
    () =>
      onToast((next) => {
        count.current += 1
        const shown = { ...next, id: count.current, until: Date.now() + SHOWN_MS }
        setToasts((others) => [...others.filter((other) => !isReplaced(other, next)).slice(1 - MOST), shown])
      }),
    [],
  )
  useEffect(() => {
    if (held || toasts.length === 0) return
    const timer = setInterval(() => setToasts((shown) => shown.filter(({ until }) => until > Date.now())), 500)
    return () => clearInterval(timer)
  }, [held, toasts.length])

  const dismiss = (id: number) => setToasts((shown) => shown.filter((other) => other.id !== id))
  return (
    <section
      aria-label={label}
      aria-live="polite"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center gap-2 desk:bottom-6"
    >
      {toasts.map((one) => (
        <ToastCard key={one.id} toast={one} onDone={() => dismiss(one.id)} />
      ))}
    </section>
  )
}

/** What went wrong is not replaced: it would go unread when one goes on working. */
function isReplaced({ topic, tone }: Toast, by: Toast): boolean {
  return topic !== undefined && topic === by.topic && tone !== 'error'
}

function ToastCard({ toast: { text, tone, action }, onDone }: { toast: Toast; onDone: () => void }) {
  return (
    <div
      className={cn(
        'pointer-events-auto flex min-h-11 max-w-md animate-rise items-center gap-3 rounded-lg border px-4 py-1.5 text-sm shadow-float',
        tone === 'error' ? 'border-danger/40 bg-danger-soft text-danger-ink' : 'border-line bg-raised',
      )}
    >
      {text}
      {action && (
        <Button
          size="sm"
          className="-mr-2"
          onClick={() => {
            onDone()
            action.onClick()
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}

function onToast(show: (toast: Toast) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && show(event.detail)
  requests.addEventListener('toast', listen)
  return () => requests.removeEventListener('toast', listen)
}
