import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'

type Toast = {
  text: ReactNode
  tone: 'plain' | 'error'
  action?: ToastAction | undefined
  more?: ToastAction | undefined
  /** Replaces the one before with the same topic, unless that is an error. */
  topic?: string | undefined
  /** Also replaces one that has the same word here. */
  replaces?: string | undefined
  /** Until its action is chosen. */
  stays?: boolean | undefined
}
export type ToastAction = { label: string; onClick: () => void }
type ToastOptions = Partial<Omit<Toast, 'text'>>

let show: ((toast: Toast) => void) | null = null

/** Says briefly what happened; `action` is the way back (undo). Shown by `<Toaster />`, and read aloud. */
export function toast(text: ReactNode, options: ToastOptions = {}): void {
  show?.({ tone: 'plain', ...options, text })
}

const MOST = 3
const SHOWN_MS = 6_000

type Shown = Toast & { id: number; until: number }

export function Toaster({ label }: { label: string }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const [held, setHeld] = useState(false)
  const count = useRef(0)

  useEffect(() => {
    show = (next) => {
      count.current += 1
      const shown = { ...next, id: count.current, until: next.stays ? Infinity : Date.now() + SHOWN_MS }
      setToasts((others) => [...roomFor(others.filter((other) => !isReplaced(other, next))), shown])
    }
    return () => {
      show = null
    }
  }, [])
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
export function isReplaced({ topic, replaces, tone }: Toast, by: Toast): boolean {
  const isSame = (topic !== undefined && topic === by.topic) || (replaces !== undefined && replaces === by.replaces)
  return isSame && tone !== 'error'
}

/** The oldest make room for another one; a way back is the last to go. */
export function roomFor<Card extends Toast>(others: readonly Card[]): readonly Card[] {
  if (others.length < MOST) return others
  const leaving = others.find(({ action }) => action === undefined) ?? others[0]
  return others.filter((other) => other !== leaving)
}

function ToastCard({ toast: { text, tone, action, more }, onDone }: { toast: Toast; onDone: () => void }) {
  return (
    <div
      className={cn(
        'pointer-events-auto flex min-h-11 max-w-lg animate-rise items-center gap-3 rounded-lg border px-4 py-1.5 text-sm shadow-float',
        tone === 'error' ? 'border-danger/40 bg-danger-soft text-danger-ink' : 'border-line bg-raised',
      )}
    >
      <span className="min-w-0 wrap-anywhere">
        {text}
        {tone === 'error' && <FailureId />}
      </span>
      {(action || more) && (
        <span className="-mr-2 flex shrink-0 items-center gap-1">
          {[more, action].map(
            (one, place) =>
              one && (
                <Button
                  key={one.label}
                  size="sm"
                  variant={place === 0 ? 'ghost' : 'secondary'}
                  className="whitespace-nowrap"
                  onClick={() => (onDone(), one.onClick())}
                >
                  {one.label}
                </Button>
              ),
          )}
        </span>
      )}
    </div>
  )
}
