import { useTranslations } from 'next-intl'
import { Component, createContext, type ReactNode, useContext } from 'react'
import { buttonClass } from '@/components/ui/button-class'

type BoundaryProps = {
  children: ReactNode
  /** A change renders the children again after an error. */ resetKey?: unknown
}
type BoundaryState = { isBroken: boolean; resetKey: unknown }

export class PartBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false, resetKey: this.props.resetKey }
  static getDerivedStateFromError() {
    return { isBroken: true }
  }
  static getDerivedStateFromProps({ resetKey }: BoundaryProps, before: BoundaryState) {
    return resetKey === before.resetKey ? null : { isBroken: false, resetKey }
  }
  override render() {
    if (!this.state.isBroken) return this.props.children
    return <PartFailure kind="broken" onRetry={() => this.setState({ isBroken: false })} />
  }
}

/** Null outside dialogs. */
export const CloseDialog = createContext<(() => void) | null>(null)

export function PartFailure({ kind, onRetry }: { kind: 'missing' | 'broken'; onRetry: () => void }) {
  const t = useTranslations()
  const onClose = useContext(CloseDialog)
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
