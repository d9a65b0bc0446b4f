import { useTranslations } from 'next-intl'
import { Component, createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react'
import { buttonClass } from '@/components/ui/button-class'

type BoundaryProps = {
  children: ReactNode
  /** A change of it tries again by itself. */
  resetKey?: unknown
  onRetry?: () => void
}

/** Says that the part inside could not be fetched, or broke, and offers to try again. */
export class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidUpdate(before: BoundaryProps) {
    if (this.state.error !== null && before.resetKey !== this.props.resetKey) this.retry()
  }
  retry = () => {
    this.props.onRetry?.()
    this.setState({ error: null })
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const isMissing = error instanceof Error && error.name === 'ChunkLoadError'
    return <PartFailure kind={isMissing ? 'missing' : 'broken'} onRetry={this.retry} />
  }
}

/** Null outside dialogs. */
export const CloseDialog = createContext<(() => void) | null>(null)

export function PartFailure({ kind, onRetry }: { kind: 'missing' | 'broken'; onRetry: () => void }) {
  const t = useTranslations()
  const onClose = useContext(CloseDialog)
  const retry = useEffectEvent(() => kind === 'missing' && onRetry())
  useEffect(() => {
    const onOnline = () => retry()
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [])
  const text = t(kind === 'missing' ? 'trouble.partMissing' : 'trouble.partBroken')
  const content = (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-5 text-center text-sm text-pretty text-mute">
      <p>{text}</p>
      <button type="button" className={buttonClass()} onClick={onRetry}>
        {t('errors.tryAgain')}
      </button>
      {onClose !== null && (
        <button type="button" className={buttonClass({ variant: 'ghost' })} onClick={onClose}>
          {t('common.close')}
        </button>
      )}
    </div>
  )
  const isBroken = kind === 'broken' || undefined
  if (onClose === null) {
    return (
      <div role="alert" data-broken={isBroken} className="h-full">
        {content}
      </div>
    )
  }
  return (
    <dialog
      ref={showModal}
      role="alertdialog"
      aria-label={text}
      data-broken={isBroken}
      onClose={onClose}
      className="m-auto max-w-[min(24rem,calc(100vw-32px))] rounded-xl border border-line bg-raised text-ink shadow-float"
    >
      {content}
    </dialog>
  )
}

function showModal(dialog: HTMLDialogElement | null): void {
  if (dialog?.open === false) dialog.showModal()
}
