import { useTranslations } from 'next-intl'
import { Component, createContext, type ReactNode, useContext, useEffect, useEffectEvent } from 'react'
import { Button } from '@/components/ui/button'
import { createWindowSubscription } from '@/components/ui/external-store'

type BoundaryProps = { resetKey?: unknown; children: ReactNode }

/** An error boundary with a button to retry; a change of `resetKey` retries by itself. */
export class PartErrorBoundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }
  static getDerivedStateFromError() {
    return { isBroken: true }
  }
  override componentDidUpdate(previousProps: BoundaryProps) {
    if (this.state.isBroken && previousProps.resetKey !== this.props.resetKey) this.retry()
  }
  retry = () => this.setState({ isBroken: false })
  override render() {
    return this.state.isBroken ? <PartFailure kind="partBroken" onRetry={this.retry} /> : this.props.children
  }
}

export const CloseDialogContext = createContext<(() => void) | null>(null)

const onNetworkBack = createWindowSubscription('online')

export function PartFailure({ kind, onRetry }: { kind: 'partMissing' | 'partBroken'; onRetry: () => void }) {
  const t = useTranslations()
  const onClose = useContext(CloseDialogContext)
  const retryMissing = useEffectEvent(() => kind === 'partMissing' && onRetry())
  useEffect(() => onNetworkBack(() => retryMissing()), [])
  const text = t(`trouble.${kind}`)
  const content = (
    <div
      role={onClose === null ? 'alert' : undefined}
      data-broken={kind === 'partBroken' || undefined}
      className="grid h-full place-content-center justify-items-center gap-3 p-5 text-center text-sm text-pretty text-mute"
    >
      <p>{text}</p>
      <Button text={t('errors.tryAgain')} onClick={onRetry} />
      {onClose !== null && <Button text={t('common.close')} variant="ghost" onClick={onClose} />}
    </div>
  )
  if (onClose === null) return content
  return (
    <dialog
      // This is a plain dialog, because the kit's is loaded on demand and may be missing, too.
      ref={(dialog) => {
        if (dialog?.open === false) dialog.showModal()
      }}
      role="alertdialog"
      aria-label={text}
      onClose={onClose}
      className="m-auto max-w-[min(24rem,calc(100vw-32px))] rounded-xl border border-line bg-raised text-ink shadow-float"
    >
      {content}
    </dialog>
  )
}
