import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'
import { showToasts, type Toast } from './toast'

const MAX_TOASTS = 3
const SHOWN_MS = 6_000

type Shown = Toast & { id: number; leftMs: number }

/** One at a time, the newest; what it covered comes back for the rest of its time. */
export function Toaster({ label }: { label: string }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const [held, setHeld] = useState(false)
  const count = useRef(0)
  const box = useRef<HTMLDivElement>(null)
  const shown = toasts.at(-1)
  const isError = shown?.tone === 'error'

  useEffect(
    () =>
      showToasts((next) => {
        count.current += 1
        const added = { ...next, id: count.current, leftMs: next.stays ? Infinity : SHOWN_MS }
        setToasts((others) => [...roomFor(others.filter((other) => !isReplaced(other, next))), added])
      }),
    [],
  )
  useEffect(() => {
    if (held || shown === undefined) return
    const timer = setInterval(
      () =>
        setToasts((all) =>
          all
            .map((each) => (each.id === shown.id ? { ...each, leftMs: each.leftMs - TICK_MS } : each))
            .filter(({ leftMs }) => leftMs > 0),
        ),
      TICK_MS,
    )
    return () => clearInterval(timer)
  }, [held, shown])
  // Above what it would cover, as it comes up and while one works on.
  useLayoutEffect(() => {
    liftNotice(box.current)
    const timer = shown && setInterval(() => liftNotice(box.current), TICK_MS / 2)
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

const TICK_MS = 500

/** What must stay readable and writable meanwhile. */
const KEEP_VISIBLE = '[role=option][data-cursor=true], main textarea, main input, main [role=group][data-typed]'

function liftNotice(box: HTMLElement | null): void {
  const card = box?.firstElementChild?.getBoundingClientRect()
  if (box === null || card === undefined) return
  const now = Number.parseFloat(box.style.bottom || '0')
  const rest = { left: card.left, right: card.right, top: card.top + now, bottom: card.bottom + now }
  const inSight = [...document.querySelectorAll(KEEP_VISIBLE)].filter((element) => {
    // Nothing that another screen covers; the notice itself does not count.
    const { left, top, width } = element.getBoundingClientRect()
    const there = width === 0 ? [] : document.elementsFromPoint(left + width / 2, Math.max(0, top) + 4)
    const first = there.find((found) => !box.contains(found))
    return first !== undefined && (element.contains(first) || first.contains(element))
  })
  const up = liftOver(
    rest,
    inSight.map((element) => element.getBoundingClientRect()),
  )
  box.style.bottom = `${up}px`
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

/** What went wrong is not replaced: it would go unread when the user goes on working. */
export function isReplaced({ topic, replaces, tone }: Toast, by: Toast): boolean {
  const isSame = (topic !== undefined && topic === by.topic) || (replaces !== undefined && replaces === by.replaces)
  return isSame && tone !== 'error'
}

/** The oldest make room for another one; a way back is the last to go. */
export function roomFor<Card extends Toast>(others: readonly Card[]): readonly Card[] {
  if (others.length < MAX_TOASTS) return others
  const leaving = others.find(({ action }) => action === undefined) ?? others[0]
  return others.filter((other) => other !== leaving)
}
