import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { startTimeout } from '@/lib/start-timeout'
import { Button } from './button'
import { cn } from './cn'
import { useExternalStore } from './external-store'
import { FailureId } from './failure-id'
import { dismissToast, toasts } from './toast'

const DISPLAY_MS = 6_000

export function Toaster({ label }: { label: string }) {
  const currentToast = useExternalStore(toasts).at(-1)
  const [pausedId, setPausedId] = useState<number | null>(null)
  const isPaused = pausedId === currentToast?.id
  const pause = () => setPausedId(currentToast?.id ?? null)
  const resume = () => setPausedId(null)
  const t = useTranslations('common')
  const isError = currentToast?.tone === 'error'
  useEffect(() => {
    if (isPaused || currentToast === undefined || currentToast.isPersistent) return undefined
    return startTimeout(DISPLAY_MS, () => dismissToast(currentToast.id))
  }, [isPaused, currentToast])
  return (
    <section
      aria-label={label}
      aria-live="polite"
      // Only a movement pauses, because a toast may also appear under a resting pointer.
      onPointerMove={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
      className="toaster"
    >
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
    </section>
  )
}
