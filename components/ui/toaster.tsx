import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { after } from '@/lib/after'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'
import { showToasts, type Toast } from './toast'

const SHOWN_MS = 6_000
const LIFT_EVERY_MS = 250

type Shown = Toast & { id: number }

/** One at a time, the newest; an error and a way back that it covered come back after it. */
export function Toaster({ label }: { label: string }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const [isHeld, setHeld] = useState(false)
  const count = useRef(0)
  const box = useRef<HTMLDivElement>(null)
  const shown = toasts.at(-1)
  const isError = shown?.tone === 'error'

  useEffect(
    () =>
      showToasts((next) => {
        count.current += 1
        const added = { ...next, id: count.current }
        setToasts((others) => [...staying(others, next), added])
      }),
    [],
  )
  useEffect(() => {
    if (isHeld || shown === undefined || shown.stays) return undefined
    return after(SHOWN_MS, () => setToasts((all) => all.filter(({ id }) => id !== shown.id)))
  }, [isHeld, shown])
  // Above what it would cover, as it comes up and while one works on.
  useLayoutEffect(() => {
    liftNotice(box.current)
    const timer = shown && setInterval(() => liftNotice(box.current), LIFT_EVERY_MS)
    return () => clearInterval(timer)
  }, [shown])

  const dismiss = (id: number) => {
    setToasts((all) => all.filter((other) => other.id !== id))
    // What had the pointer or the focus is gone, and says nothing of leaving.
    setHeld(false)
  }
  return (
    <section
      aria-label={label}
      aria-live="polite"
      // By a movement: a notice may also come up under a pointer that rests.
      onPointerMove={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      // On a desk over the end of the list, above its last line: never over what one writes or the buttons of a lead.
      className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center desk:right-auto desk:bottom-12 desk:left-24 desk:items-start wide:left-66"
    >
      <div ref={box} className="relative">
        {shown && (
          <div
            key={shown.id}
            className={cn(
              'pointer-events-auto flex min-h-11 max-w-lg animate-rise desk:max-w-94 items-center gap-3 rounded-lg border px-4 py-1.5 text-sm shadow-float',
              isError ? 'border-danger/40 bg-danger-soft text-danger-ink' : 'border-line bg-raised',
            )}
          >
            <span className="min-w-0 wrap-anywhere">
              {shown.text}
              {isError && <FailureId />}
            </span>
            {shown.action && (
              <Button
                text={shown.action.label}
                size="sm"
                className="-mr-2 shrink-0 whitespace-nowrap"
                onClick={() => (dismiss(shown.id), shown.action?.onClick())}
              />
            )}
          </div>
        )}
      </div>
    </section>
  )
}

/** What must stay readable, writable and within reach meanwhile. */
const KEEP_VISIBLE =
  '[role=option][data-cursor=true], main textarea, main input, main [role=group][data-typed], main [data-bulk-bar]'

function liftNotice(box: HTMLElement | null): void {
  const card = box?.firstElementChild?.getBoundingClientRect()
  if (box === null || card === undefined) return
  const now = Number.parseFloat(box.style.bottom || '0')
  const rest = { left: card.left, right: card.right, top: card.top + now, bottom: card.bottom + now }
  const inSight = [...document.querySelectorAll(KEEP_VISIBLE)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  )
  box.style.bottom = `${liftOver(
    rest,
    inSight.map((element) => element.getBoundingClientRect()),
  )}px`
}

type Edges = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

const GAP = 8

/** How far up a box goes so that it covers none of these; 0 where there is no such place on screen. */
export function liftOver(box: Edges, others: readonly Edges[]): number {
  let lift = 0
  // From below upwards, so that a box lifted over one is compared with all above it.
  for (const { top, bottom, left, right } of others.toSorted((a, b) => b.top - a.top)) {
    const isCovered = left < box.right && right > box.left && top < box.bottom - lift && bottom > box.top - lift
    if (isCovered) lift = box.bottom - top + GAP
  }
  return box.top - lift >= GAP ? lift : 0
}

const MAX_COVERED = 2

/** The toasts that come back after the next one. What went wrong is not replaced: it would go unread when the user goes on working. */
export function staying<Card extends Toast>(others: readonly Card[], next: Toast): readonly Card[] {
  const isReplaced = ({ topic, replaces }: Toast) =>
    (topic !== undefined && topic === next.topic) || (replaces !== undefined && replaces === next.replaces)
  return others
    .filter((other) => other.tone === 'error' || (!isReplaced(other) && (other.action || other.stays)))
    .slice(-MAX_COVERED)
}
