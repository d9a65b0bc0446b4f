import { useTranslations } from 'next-intl'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { startTimeout } from '@/lib/start-timeout'
import { Button } from './button'
import { cn } from './cn'
import { useExternalStore } from './external-store'
import { FailureId } from './failure-id'
import { dismissToast, toasts } from './toast'

const DISPLAY_MS = 6_000
const LIFT_INTERVAL_MS = 250

export function Toaster({ label }: { label: string }) {
  const currentToast = useExternalStore(toasts).at(-1)
  const [pausedId, setPausedId] = useState<number | null>(null)
  const isPaused = pausedId === currentToast?.id
  const pause = () => setPausedId(currentToast?.id ?? null)
  const resume = () => setPausedId(null)
  const box = useRef<HTMLDivElement>(null)
  const t = useTranslations('common')
  const isError = currentToast?.tone === 'error'
  useEffect(() => {
    if (isPaused || currentToast === undefined || currentToast.isPersistent) return undefined
    return startTimeout(DISPLAY_MS, () => dismissToast(currentToast.id))
  }, [isPaused, currentToast])
  // The toast is lifted again and again, because what it would cover moves while the user works.
  useLayoutEffect(() => {
    liftToast(box.current)
    const timer = currentToast && setInterval(() => liftToast(box.current), LIFT_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [currentToast])
  return (
    <section
      aria-label={label}
      aria-live="polite"
      // Only a movement pauses, because a toast may also appear under a resting pointer.
      onPointerMove={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
      // On a desk toasts are over the end of the list, never over a field or the buttons of a lead.
      className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center desk:right-auto desk:bottom-12 desk:left-24 desk:items-start wide:left-66"
    >
      <div ref={box} className="relative">
        {currentToast && (
          <div
            key={currentToast.id}
            className={cn(
              'pointer-events-auto flex min-h-11 max-w-lg animate-rise desk:max-w-94 items-center gap-3 rounded-lg border px-4 py-1.5 text-sm shadow-float',
              isError ? 'border-danger/40 bg-danger-soft text-danger-ink' : 'border-line bg-raised',
            )}
          >
            <span className="min-w-0 wrap-anywhere">
              {currentToast.text}
              {isError && <FailureId />}
            </span>
            {(currentToast.action || currentToast.isPersistent) && (
              <Button
                text={currentToast.action?.label ?? t('close')}
                size="sm"
                className="-mr-2 shrink-0 whitespace-nowrap"
                onClick={() => {
                  dismissToast(currentToast.id)
                  currentToast.action?.onClick()
                }}
              />
            )}
          </div>
        )}
      </div>
    </section>
  )
}

/** A toast must not cover the row under the cursor, a field or the bar of marked leads. */
const KEEP_VISIBLE =
  '[role=option][data-cursor=true], main textarea, main input, main [role=group][data-typed], main [data-bulk-bar]'

function liftToast(box: HTMLElement | null): void {
  const card = box?.firstElementChild?.getBoundingClientRect()
  if (box === null || card === undefined) return
  const currentLift = Number.parseFloat(box.style.bottom || '0')
  const { left, right, top, bottom } = card
  const restingEdges = { left, right, top: top + currentLift, bottom: bottom + currentLift }
  const visibleEdges = [...document.querySelectorAll(KEEP_VISIBLE)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.getBoundingClientRect())
  box.style.bottom = `${computeLift(restingEdges, visibleEdges)}px`
}

type Edges = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

const GAP = 8

/** Returns how far up (px) a box must go to cover none of the others, or 0 if the screen has no such place. */
export function computeLift(box: Edges, others: readonly Edges[]): number {
  let lift = 0
  // The lowest come first, so that a box that was lifted over one is then compared with all above it.
  for (const { top, bottom, left, right } of others.toSorted((a, b) => b.top - a.top)) {
    const isCovered = left < box.right && right > box.left && top < box.bottom - lift && bottom > box.top - lift
    if (isCovered) lift = box.bottom - top + GAP
  }
  return box.top - lift >= GAP ? lift : 0
}
